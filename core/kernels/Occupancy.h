// How many workgroups of a kernel a multiprocessor of an NVIDIA chip holds, by the limits that NVIDIA documents.
#pragma once
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>
#include <string>

namespace fuselage {

/// What a multiprocessor has (CUDA C++ Programming Guide, "Technical Specifications per Compute Capability").
struct ChipLimits {
  unsigned capability = 0; ///< 90 for 9.0
  unsigned warps = 0, blocks = 0;
  uint64_t sharedBytes = 0;        ///< of a multiprocessor
  uint64_t sharedBytesOfBlock = 0; ///< that a block may opt in to
  uint64_t reservedBytesOfBlock = 0;
  unsigned registers = 65536;
};

/// Of "sm_90", "sm_90a"; nullopt: not known here.
std::optional<ChipLimits> chipLimits(llvm::StringRef chip);

struct Occupancy {
  unsigned blocks = 0, warps = 0, mostWarps = 0;
  std::string limiter{}; ///< "registers", "workgroup memory", "warps", "blocks"
};

/// Blocks of `threads` threads with that many registers each. Registers are given to warps, in units of 256, workgroup
/// memory to blocks, in units of 128 bytes.
Occupancy occupancyOf(const ChipLimits &chip, unsigned threads, unsigned registers, uint64_t sharedBytes);

} // namespace fuselage

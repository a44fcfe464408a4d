// What code generation hands to the runtime.
#pragma once
#include "core/device/DeviceModel.h"
#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace fuselage {

enum class KernelTarget { Spirv, Ptx };

/// What a target can do; the defaults are the least that every device of the kind has.
struct TargetOptions {
  KernelTarget target = KernelTarget::Spirv;
  std::string chip = "sm_80";      ///< PTX only
  std::string features = "+ptx78"; ///< PTX only
  std::string cudaToolkit;         ///< folder with nvvm/libdevice; empty: no math of f64, f32 by approximation
  DeviceModel device;              ///< what tiles, threads, vectors and memory follow
  /// 32 or 64: what kernels count with; 0: SPIR-V 32, unless a dispatch needs more (WideIndices.h),
  /// PTX 64.
  unsigned indexBits = 0;
  /// PTX only: products of f32 numbers by instructions that multiply matrices of tf32, which has 10 bits of their 23.
  bool tf32 = false;

  uint64_t maxSharedBytes() const { return uint64_t(device.usableWorkgroupBytes()); }
  unsigned indexWidth() const { return indexBits ? indexBits : target == KernelTarget::Spirv ? 32 : 64; }
};

/// One launch. Kernel parameter i (PTX) or binding i of set 0 (SPIR-V) is buffer `arguments[i]` of
/// its dispatch (see CompiledDispatch).
struct CompiledKernel {
  std::string entry;
  std::string binary; ///< PTX text, or SPIR-V words as bytes
  std::array<uint32_t, 3> grid{1, 1, 1};
  std::array<uint32_t, 3> block{1, 1, 1};
  uint64_t sharedBytes = 0;
  uint64_t dynamicSharedBytes = 0; ///< part of sharedBytes that the launch gives (PTX only)
  std::vector<unsigned> arguments;
};

/// A dispatch function `(tensors) -> tensors` compiled to launches in order. Buffers are numbered:
/// the function's arguments, then its results, then scratch buffers. All are dense row-major;
/// i1 takes a byte an element, i2 and i4 are packed, low bits first, index takes 64 bits. Scalars
/// (index, f32 arguments) are one-element buffers.
struct CompiledDispatch {
  std::string name;
  std::vector<CompiledKernel> kernels;
  std::vector<uint64_t> scratchBytes;
};

} // namespace fuselage

// What runs on the emulator are asked, and what they give.
#pragma once
#include "core/emulator/Findings.h"
#include "mlir/IR/Operation.h"
#include <array>
#include <atomic>
#include <functional>

namespace fuselage::emulator {

struct EmulationOptions {
  unsigned subgroupSize = 32;
  uint64_t seed = 1; ///< chooses workgroups where not all of them are run
  /// Operations of a thread on an element, about a nanosecond each; a launch that needs more runs in some of its
  /// workgroups.
  uint64_t budget = 2'000'000'000;
  uint64_t memoryLimit = uint64_t(3) << 30; ///< bytes
  const std::atomic<bool> *cancelled = nullptr;
  std::function<void(unsigned done, unsigned total)> progress{}; ///< workgroups of the launch that runs
};

/// An argument of the function: a buffer in rows, as core/run/values/HostTensor.h lays it out, or a scalar.
struct EmulatedArgument {
  std::string name;
  uint8_t *data = nullptr;
  uint64_t bytes = 0;
  bool isInitialised = true; ///< false: reading it before something is written is a finding
};

struct EmulatedLaunch {
  std::string name;
  mlir::Operation *op = nullptr;
  std::array<int64_t, 3> grid{1, 1, 1}, block{1, 1, 1};
  int64_t workgroupsRun = 0, workgroups = 0;
  bool isStopped = false; ///< within a workgroup, as the budget was used up
};

struct Emulation {
  std::vector<EmulatedLaunch> launches{};
  std::vector<Finding> findings{};
  uint64_t droppedFindings = 0;
  uint64_t accesses = 0; ///< that were checked
  uint64_t barriers = 0; ///< that workgroups passed
  bool isWhole = true;   ///< every workgroup of every launch ran to its end
  /// A launch has read what only workgroups that were left out may have written: results are of no use.
  bool dependsOnSkipped = false;
  /// Of each argument: which elements were written.
  std::vector<std::vector<bool>> written{};
};

} // namespace fuselage::emulator

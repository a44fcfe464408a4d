// What kernels on the host are made for.
#pragma once
#include "core/device/DeviceModel.h"
#include "mlir/IR/Operation.h"

namespace fuselage {

/// The defaults are those of a baseline processor (SSE2 or NEON).
struct HostTarget {
  unsigned threads = 1;      ///< that share the work of a kernel
  unsigned vectorBytes = 16; ///< of one register
  unsigned vectorRegisters = 16;
  uint64_t level1Bytes = 32 << 10, level2Bytes = 512 << 10; ///< caches of one processor
  bool computesHalves = false; ///< vectors of f16 are multiplied and added as such, and need not become f32 for it

  /// What a model of a host states (see isHost()).
  static HostTarget of(const DeviceModel &model);
  /// That of the device of `op` (see deviceOf()), if it is a host, else this machine.
  static HostTarget of(mlir::Operation *op);
};

} // namespace fuselage

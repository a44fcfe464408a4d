// What kernels on the host are made for.
#pragma once
#include "core/device/DeviceModel.h"

namespace fuselage {

/// The defaults are the least that a processor of today has.
struct HostTarget {
  unsigned threads = 1;      ///< that share the work of a kernel
  unsigned vectorBytes = 16; ///< of one register
  unsigned vectorRegisters = 16;
  uint64_t level1Bytes = 32 << 10, level2Bytes = 512 << 10; ///< caches of one processor
  bool computesHalves = false; ///< vectors of f16 are multiplied and added as such, and need not become f32 for it

  /// Values to take instead, where they are not 0.
  struct Pinned {
    unsigned threads = 0, vectorBytes = 0, vectorRegisters = 0;
    uint64_t level1Bytes = 0, level2Bytes = 0;
  };
  void set(const Pinned &pinned);

  /// What a device model of the language "host" states. It has no place for the second cache and for arithmetic on
  /// halves, and its cores need not all be the process's.
  static HostTarget of(const DeviceModel &model);
  /// This machine's processor.
  static HostTarget ofThisMachine();
};

} // namespace fuselage

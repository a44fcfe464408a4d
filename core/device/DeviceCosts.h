// What launches, arithmetic and memory cost on a device: the one place for the numbers by which tiles, splits,
// attention and fusions are compared.
#pragma once
#include "core/device/DeviceModel.h"

namespace fuselage {

/// Memory bandwidth in 10^9 bytes a second that estimates go by where no device is known: about that of a mid-range
/// GPU.
inline constexpr double kAssumedGbps = 500.0;
/// A launch that the host waits for, on such a GPU. An H100 takes 5.8 to 6.5 us, by its own clock.
inline constexpr double kAssumedLaunchUs = 4.0;

/// Costs in cycles of one multiprocessor. What the model states, from a data sheet or from `devices --measure`,
/// decides; the rest is typical for GPUs of compute capability 8.0 to 9.0, which were measured.
struct DeviceCosts {
  double gigahertz = 1.7; ///< of a multiprocessor, by the peak of f32

  // Arithmetic.
  double multiplyAdds = 128;      ///< of f32, a cycle
  double matrixMultiplyAdds = 64; ///< a cycle, for each of the K columns of a matrix instruction

  // Memory, in bytes a cycle.
  double cacheBytes = 32; ///< from the last cache; or from memory, while other multiprocessors idle
  double memoryBytes = 8; ///< from memory, while all multiprocessors read or write

  // Launches and waiting, in cycles.
  double launch = 2500;    ///< of a kernel that waits for the one before it
  double latency = 800;    ///< from the first load of a kernel until it can compute
  double workgroup = 1000; ///< of a workgroup before and after its loop
  double partial = 100;    ///< to add one partial result after another

  /// Subgroups of a multiprocessor that hide what each of them waits for.
  double subgroupsToHideLatency = 8;
  /// Elements that a device that runs on a processor adds up in the time of a launch, some 30 us.
  int64_t elementsOfSoftwareLaunch = int64_t(1) << 16;
};

/// Sources of the formulas: CUDA C++ Programming Guide, throughput of arithmetic instructions; data sheets. The kernels
/// of `devices --measure` reached 97 % of the f32 peak of an H100 and 30 bytes a cycle from its cache.
DeviceCosts costsOf(const DeviceModel &device);

} // namespace fuselage

// What launches, arithmetic and memory cost on a device: the one place for the numbers by which tiles, splits,
// attention and fusions are compared.
#pragma once
#include "core/device/DeviceModel.h"

namespace fuselage {

/// Memory bandwidth in 10^9 bytes a second that estimates go by where no device is known: about that of a mid-range
/// GPU.
inline constexpr double kAssumedGbps = 500.0;
/// A launch in microseconds where none was measured: an assumption. An H100 takes 5.8 to 6.5 us between two events of
/// the GPU. DeviceCosts::launch is less: what a second kernel adds in a stream.
inline constexpr double kAssumedLaunchUs = 4.0;
/// A kernel that waits for the one before it in a stream, in nanoseconds. An H100 reports 3.5 us between the events
/// around one; about half of that is taken for the events (an estimate).
inline constexpr double kDependentLaunchNs = 1770;

/// Multiprocessors where their number is unknown: about those of a mid-range GPU.
inline constexpr int64_t kAssumedMultiprocessors = 64;
/// Cores that a software device is taken to have, for kernels that are to run on any of them.
inline constexpr int64_t kAssumedSoftwareCores = 8;

/// Costs in cycles of one multiprocessor. What the model states, from a data sheet or from `devices --measure`,
/// decides; the rest is typical for GPUs of compute capability 8.0 to 9.0, which were measured.
struct DeviceCosts {
  double gigahertz = 1.7; ///< of a multiprocessor, by the peak of f32

  // Arithmetic.
  double multiplyAdds = 128;      ///< of f32, a cycle
  double matrixMultiplyAdds = 64; ///< of f16 by mma.sync, a cycle, for each element of K (16 of them: 1024 a cycle)

  // Memory, in bytes a cycle.
  double cacheBytes = 32; ///< from the last cache; or from memory, while other multiprocessors idle
  double memoryBytes = 8; ///< from memory, while all multiprocessors read or write

  // Launches and waiting, in cycles.
  double launch = 2500;    ///< of a kernel that waits for the one before it: kDependentLaunchNs at an A100's 1.41 GHz
  double latency = 800;    ///< from the first load of a kernel until it can compute
  double workgroup = 1000; ///< of a workgroup before and after its loop
  double partial = 100;    ///< to add one partial result after another

  /// Resident subgroups of a multiprocessor that hide latency. (A count, not cycles.)
  double subgroupsToHideLatency = 8;
  /// Elements that a software device reduces in the time of one launch, about 30 us. (A count, not cycles.)
  int64_t elementsOfSoftwareLaunch = int64_t(1) << 16;
};

/// Sources of the formulas: CUDA C++ Programming Guide, throughput of arithmetic instructions; data sheets. The kernels
/// of `devices --measure` reached 97 % of the f32 peak of an H100 and 30 bytes a cycle from its cache.
DeviceCosts costsOf(const DeviceModel &device);

/// Costs of a processor. A step is one vector that is loaded, or multiplied and added.
struct HostCosts {
  double latency = 8;         ///< independent steps that hide the latency of one: 4 cycles times 2 units
  int64_t stepsOfTask = 2048; ///< least steps for which handing a task to a thread pays off; an estimate
  int64_t tasksOfThread = 8;  ///< so that threads that finish early find work
};
inline constexpr HostCosts kHostCosts;

} // namespace fuselage

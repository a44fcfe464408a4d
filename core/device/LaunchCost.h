// What launching another kernel costs, for those who decide whether one pays.
#pragma once
#include <cstdint>

namespace fuselage {

/// Cycles of a multiprocessor that a second kernel takes, which adds up what the splits of a contraction store.
/// Measured on GPUs of compute capability 8.x and 9.0.
inline constexpr double kSplitContractionLaunchCycles = 2500;

/// The same after the splits of a reduction along rows or columns, with the wait for its first loads, which no
/// arithmetic hides.
inline constexpr double kSplitReductionLaunchCycles = 3300;

/// Elements that a device that runs on a processor adds up in the time of a launch, some 30 us.
inline constexpr int64_t kSoftwareLaunchElements = int64_t(1) << 16;

} // namespace fuselage

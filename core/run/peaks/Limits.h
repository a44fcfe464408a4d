// How near dispatches come to the peaks of their device.
#pragma once
#include "core/run/Run.h"
#include "core/run/peaks/PeakMeasure.h"

namespace fuselage {

/// What a dispatch has to do, and how long it took.
struct DispatchWork {
  double flops = -1, bytes = -1; ///< negative: unknown
  bool bytesAtMost = false;      ///< data decides what is read; it may be less
  std::string arithmetic;        ///< "f32"
  bool warmCaches = false;
  unsigned launches = 1;
  double us = -1; ///< all launches together
};

/// The longest of: moving the bytes, at the bandwidth of the memory (of the last cache, where caches are warm and all
/// fits there); computing the operations, at the peak of their type; and so many launches of a kernel that does nothing
/// (`launchUs`, negative: unknown). Unknown where neither bytes nor operations are known with their peak, or what
/// is known says nothing about the other.
message::Limit<> limitOf(const DispatchWork &work, const message::DevicePeaks<> &peaks, double launchUs);

/// The rows [first, end) of a report that one dispatch makes, with its work.
struct MeasuredDispatch {
  size_t first = 0, end = 0;
  DispatchWork work{};
};
/// Those that ran on the device of the report, in their order.
std::vector<MeasuredDispatch> measuredDispatches(const RunReport &report);

/// Sets the limits of all rows of dispatches that ran on the device of the report's peaks.
void setLimits(RunReport &report);

} // namespace fuselage

#include "core/run/peaks/Limits.h"

namespace fuselage {

using message::Limit, message::LimitKind, message::Peak, message::ShareBound;

/// Where the bytes of a dispatch come from.
static const Peak<> *memoryOf(const DispatchWork &work, const message::DevicePeaks<> &peaks) {
  const Peak<> *best = findPeak(peaks, kMemoryPeak);
  for (const char *name : {kCachePeak, kLevel2Peak, kLevel1Peak}) {
    const Peak<> *cache = findPeak(peaks, name);
    if (cache && work.warmCaches && work.bytes >= 0 && work.bytes <= double(cache->workingSet))
      best = cache;
  }
  return best;
}

Limit<> limitOf(const DispatchWork &work, const message::DevicePeaks<> &peaks, double launchUs) {
  constexpr double perMicrosecond = 1e3; // of 10^9 a second
  Limit<> limit;
  if (!(work.us > 0))
    return limit;
  const Peak<> *memory = memoryOf(work, peaks), *peak = arithmeticPeak(peaks, work.arithmetic);
  bool knowsBytes = work.bytes >= 0 && memory, knowsFlops = work.flops == 0 || (work.flops > 0 && peak);
  if (!knowsBytes && !(knowsFlops && work.flops > 0))
    return limit;
  double memoryUs = knowsBytes ? work.bytes / (memory->rate * perMicrosecond) : 0;
  double computeUs = knowsFlops && work.flops > 0 ? work.flops / (peak->rate * perMicrosecond) : 0;
  bool isCompute = computeUs > memoryUs;
  limit.kind = isCompute ? LimitKind::Compute : LimitKind::Memory;
  limit.peak = isCompute ? peak->name : memory->name;
  limit.us = std::max(memoryUs, computeUs);
  // What is not known can only make it more; what data decides, only less.
  bool mayBeMore = !knowsBytes || !knowsFlops, mayBeLess = work.bytesAtMost && !isCompute;
  if (mayBeMore && mayBeLess)
    return {};
  limit.bound = mayBeMore ? ShareBound::AtLeast : mayBeLess ? ShareBound::AtMost : ShareBound::Exact;
  if (launchUs * work.launches > limit.us) {
    limit.kind = LimitKind::Launch;
    limit.peak = "launch";
    limit.us = launchUs * work.launches;
    limit.bound = mayBeMore ? ShareBound::AtLeast : ShareBound::Exact;
  }
  limit.share = limit.us / work.us;
  return limit;
}

std::vector<MeasuredDispatch> measuredDispatches(const RunReport &report) {
  // Rows of one dispatch lie together.
  std::vector<MeasuredDispatch> dispatches;
  const std::vector<KernelReport> &rows = report.kernels;
  for (size_t first = 0, end = 0; first < rows.size(); first = end) {
    const KernelReport &row = rows[first];
    DispatchWork work{
        .flops = row.flops, .bytes = row.bytes, .bytesAtMost = row.gbpsAtMost, .arithmetic = row.arithmetic};
    work.warmCaches = row.cold == "warm";
    work.launches = 0;
    work.us = 0;
    for (end = first;
         end < rows.size() && (end == first || (rows[end].dispatch == row.dispatch && rows[end].part != 0)); ++end) {
      work.us += rows[end].medianUs;
      ++work.launches;
    }
    if (row.kind == KernelReport::Kind::Dispatch && row.device == report.device)
      dispatches.push_back({.first = first, .end = end, .work = std::move(work)});
  }
  return dispatches;
}

void setLimits(RunReport &report) {
  if (!report.peaks)
    return;
  for (const MeasuredDispatch &dispatch : measuredDispatches(report)) {
    Limit<> limit = limitOf(dispatch.work, *report.peaks, report.clocks.launchUs);
    for (size_t i = dispatch.first; i < dispatch.end; ++i)
      report.kernels[i].limit = limit;
  }
}

} // namespace fuselage

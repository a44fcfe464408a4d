// The roofline chart of a run: what is on it and where, free of Qt and MLIR, for the window and for exported files.
#pragma once
#include "core/pictures/RunCsv.h"
#include <algorithm>
#include <cmath>

namespace fuselage::message {

struct RooflinePeak {
  PeakKind kind = PeakKind::Bandwidth;
  std::string name;
  double rate = 0; ///< GB/s or GFLOP/s
  std::string how;
};

/// A dispatch: all of its kernels together.
struct RooflinePoint {
  int row = -1; ///< its first one among the report's kernels
  std::string name, loc;
  std::vector<std::string> parts{};
  double flops = 0, bytes = 0, us = 0;
  double intensity = 0;   ///< operations a byte
  double gflops = 0;      ///< measured
  double attainable = -1; ///< GFLOP/s by its limit; negative: unknown
  LimitKind limit = LimitKind::Unknown;
  std::string peak{};
  double limitUs = -1, share = -1;
  ShareBound bound = ShareBound::Exact;
  bool bytesAtMost = false;
  /// It has no operations: it stands at the left edge, as far under the memory's peak as its bandwidth is.
  bool movesOnly = false;
  bool isWrong = false;
};

/// From a dispatch of the run before to the one that has its ops now; indices into `before` and `now`.
struct RooflineArrow {
  int from = -1, to = -1;
};

struct RooflineChart {
  std::string device, beforeName;
  std::vector<RooflinePeak> peaks;
  std::vector<RooflinePoint> now, before;
  std::vector<RooflineArrow> arrows;
  int leftOut = 0; ///< dispatches of now whose operations or bytes are not known
  /// Powers of ten at the ends of the axes: operations a byte, and GFLOP/s.
  int xLow = -1, xHigh = 2, yLow = 0, yHigh = 3;
  bool isEmpty() const { return now.empty() && peaks.empty(); }

  const RooflinePeak *best(PeakKind kind) const {
    const RooflinePeak *found = nullptr;
    for (const RooflinePeak &peak : peaks)
      if (peak.kind == kind && (!found || peak.rate > found->rate))
        found = &peak;
    return found;
  }
};

namespace roofline {

/// Points of a run, in the order of its dispatches.
template <class Types, class TextOf>
std::vector<RooflinePoint> pointsOf(const RunReport<Types> &report, const TextOf &textOf, int *leftOut = nullptr) {
  std::vector<RooflinePoint> points;
  int size = int(report.kernels.size());
  for (int row = 0; row < size;) {
    const Kernel<Types> &kernel = report.kernels[row];
    double us = 0;
    int end = row;
    // A dispatch's kernels follow each other.
    do
      us += std::max(0.0, report.kernels[end++].medianUs);
    while (end < size && report.kernels[end].dispatch == kernel.dispatch && report.kernels[end].name != kernel.name &&
           !kernel.onHost);
    bool isKnown = us > 0 && kernel.flops >= 0 && kernel.bytes > 0;
    if (!kernel.onHost && isKnown) {
      RooflinePoint point{.row = row, .name = textOf(kernel.dispatch), .loc = textOf(kernel.loc)};
      for (const auto &part : kernel.parts)
        point.parts.push_back(textOf(part));
      point.flops = kernel.flops;
      point.bytes = kernel.bytes;
      point.us = us;
      point.movesOnly = kernel.flops == 0;
      point.intensity = kernel.flops / kernel.bytes;
      point.gflops = kernel.flops / us * 1e-3;
      point.bytesAtMost = kernel.gbpsAtMost;
      point.isWrong = kernel.verdict == RunVerdict::Wrong;
      if (kernel.limit.isKnown()) {
        point.limit = kernel.limit.kind;
        point.peak = textOf(kernel.limit.peak);
        point.limitUs = kernel.limit.us;
        point.share = kernel.limit.share;
        point.bound = kernel.limit.bound;
        point.attainable = kernel.limit.us > 0 ? kernel.flops / kernel.limit.us * 1e-3 : -1;
      }
      points.push_back(std::move(point));
    } else if (!kernel.onHost && leftOut)
      ++*leftOut;
    row = end;
  }
  return points;
}

/// Each dispatch of before, to the first of now that has its root op.
inline std::vector<RooflineArrow> arrowsOf(const std::vector<RooflinePoint> &before,
                                           const std::vector<RooflinePoint> &now) {
  std::vector<RooflineArrow> arrows;
  for (int from = 0; from < int(before.size()); ++from)
    for (int to = 0; to < int(now.size()); ++to) {
      const std::vector<std::string> &parts = now[to].parts;
      bool holds =
          !before[from].loc.empty() &&
          (now[to].loc == before[from].loc || std::find(parts.begin(), parts.end(), before[from].loc) != parts.end());
      if (holds) {
        arrows.push_back({from, to});
        break;
      }
    }
  return arrows;
}

/// Grows the axes so that all is on them; then places what only moves data.
inline void fitAxes(RooflineChart &chart) {
  double xs[2] = {0.1, 10}, ys[2] = {1e300, 0};
  auto seeX = [&](double x) { xs[0] = std::min(xs[0], x), xs[1] = std::max(xs[1], x); };
  auto seeY = [&](double y) {
    if (y > 0)
      ys[0] = std::min(ys[0], y), ys[1] = std::max(ys[1], y);
  };
  const RooflinePeak *memory = chart.best(PeakKind::Bandwidth), *compute = chart.best(PeakKind::Compute);
  for (const RooflinePeak &peak : chart.peaks)
    if (peak.kind == PeakKind::Compute)
      seeY(peak.rate);
  for (const RooflinePeak &peak : chart.peaks)
    if (peak.kind == PeakKind::Bandwidth && compute)
      seeX(4 * compute->rate / peak.rate);
  for (const auto *points : {&chart.now, &chart.before})
    for (const RooflinePoint &point : *points)
      if (!point.movesOnly) {
        seeX(point.intensity);
        seeY(point.gflops);
        seeY(point.attainable);
      }
  constexpr double tiny = 1e-9, huge = 1e12;
  auto power = [&](double value, bool up) {
    double exponent = std::log10(std::clamp(value, tiny, huge));
    return int(up ? std::ceil(exponent) : std::floor(exponent));
  };
  chart.xLow = power(xs[0], false), chart.xHigh = power(xs[1], true);
  double edge = std::pow(10.0, chart.xLow);
  if (memory)
    seeY(memory->rate * edge);
  for (auto *points : {&chart.now, &chart.before})
    for (RooflinePoint &point : *points)
      if (point.movesOnly) {
        double perMicrosecond = point.bytes * 1e-3 * edge;
        point.intensity = edge;
        point.gflops = perMicrosecond / point.us;
        point.attainable = point.limitUs > 0 ? perMicrosecond / point.limitUs : -1;
        seeY(point.gflops);
        seeY(point.attainable);
      }
  if (ys[1] <= 0)
    ys[0] = 1, ys[1] = 1000;
  // A peak that touches the frame cannot be seen.
  chart.yLow = power(ys[0], false), chart.yHigh = power(ys[1] * 1.5, true);
}

} // namespace roofline

/// The chart of a run, with what it is compared with; `before` may be null.
template <class Types, class TextOf>
RooflineChart rooflineOf(const RunReport<Types> &report, const RunReport<Types> *before, std::string beforeName,
                         const TextOf &textOf) {
  RooflineChart chart;
  chart.device = textOf(report.device);
  if (report.peaks)
    for (const Peak<Types> &peak : report.peaks->peaks)
      if (peak.rate > 0)
        chart.peaks.push_back({peak.kind, textOf(peak.name), peak.rate, textOf(peak.how)});
  chart.now = roofline::pointsOf(report, textOf, &chart.leftOut);
  if (before) {
    chart.beforeName = std::move(beforeName);
    chart.before = roofline::pointsOf(*before, textOf);
    chart.arrows = roofline::arrowsOf(chart.before, chart.now);
  }
  roofline::fitAxes(chart);
  return chart;
}

/// "78 % of the memory peak", "at least 12 % of the f32 peak", "90 % of a launch that does nothing"; empty: unknown.
inline std::string shareText(LimitKind limit, const std::string &peak, double share, ShareBound bound) {
  if (limit == LimitKind::Unknown || share < 0)
    return "";
  char percent[40];
  std::snprintf(percent, sizeof percent, share < 0.0995 ? "%.1f %%" : "%.0f %%", share * 100);
  std::string text = bound == ShareBound::AtLeast ? "at least " : bound == ShareBound::AtMost ? "at most " : "";
  text += percent;
  return text + (limit == LimitKind::Launch ? " is the launch" : " of the " + peak + " peak");
}

/// A line a peak and a dispatch.
inline std::string rooflineCsv(const RooflineChart &chart) {
  std::string csv = "kind,name,loc,gbps,gflops,flops_per_byte,us,limit,roof,limit_us,share,share_bound\n";
  for (const RooflinePeak &peak : chart.peaks) {
    bool isMemory = peak.kind == PeakKind::Bandwidth;
    csv += "roof," + csvCell(peak.name) + ",," + csvNumber(peak.rate, isMemory) + "," +
           csvNumber(peak.rate, !isMemory) + ",,,,,,,\n";
  }
  auto add = [&](const char *kind, const std::vector<RooflinePoint> &points) {
    for (const RooflinePoint &point : points) {
      bool hasLimit = point.limit != LimitKind::Unknown;
      csv += std::string(kind) + "," + csvCell(point.name) + "," + csvCell(point.loc) + "," +
             csvNumber(point.bytes / point.us * 1e-3, true) + "," + csvNumber(point.flops / point.us * 1e-3, true) +
             "," + csvNumber(point.flops / point.bytes, true) + "," + csvNumber(point.us, true) + "," +
             (hasLimit ? limitKindNames[int(point.limit)] : "") + "," + csvCell(point.peak) + "," +
             csvNumber(point.limitUs, hasLimit) + "," + csvNumber(point.share, hasLimit) + "," +
             (hasLimit ? shareBoundNames[int(point.bound)] : "") + "\n";
    }
  };
  add("before", chart.before);
  add("dispatch", chart.now);
  return csv;
}

} // namespace fuselage::message

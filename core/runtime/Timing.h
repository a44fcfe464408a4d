// Figures over repeated launches.
#pragma once
#include "core/analysis/Costs.h"
#include "core/runtime/Run.h"

namespace fuselage {

/// Sets min, median and p95 (nearest rank) of the samples, in microseconds, and their number.
void setTimes(KernelReport &report, std::vector<double> samples);

/// Sets gflops and gbps of all reports of one dispatch, by the sum of their medians.
void setRates(std::vector<KernelReport> &reports, const OpCost &cost);

/// Decides how often to launch: warm-ups first, then timed repeats, until the counts are reached or
/// the time is spent; one timed repeat always.
class RepeatPlan {
public:
  explicit RepeatPlan(const RunOptions &options) : options_(options) {}
  /// True while another launch is due; call `ran` after each.
  bool more() const;
  bool timed() const { return warmupsDone_ >= options_.warmup || spent_ > budgetForWarmup(); }
  void ran(double seconds, bool wasTimed);

private:
  double budgetForWarmup() const { return options_.secondsPerDispatch / 4; }
  const RunOptions &options_;
  unsigned warmupsDone_ = 0, repeatsDone_ = 0;
  double spent_ = 0;
};

} // namespace fuselage

// How often to launch what is timed.
#pragma once

namespace fuselage {

/// How often at the most.
struct RepeatCounts {
  unsigned repeat = 20; ///< timed launches
  unsigned warmup = 3;  ///< launches before, which nobody times
  double seconds = 5;   ///< for all of them; one launch is always timed
};

/// Decides how often to launch: warm-ups first, then timed repeats, until the counts are reached or
/// the time is spent; one timed repeat always.
class RepeatPlan {
public:
  explicit RepeatPlan(const RepeatCounts &counts) : counts_(counts) {}
  /// True while another launch is due; call `ran` after each.
  bool more() const;
  bool timed() const { return warmupsDone_ >= counts_.warmup || spent_ > budgetForWarmup(); }
  void ran(double seconds, bool wasTimed);

private:
  double budgetForWarmup() const { return counts_.seconds / 4; }
  RepeatCounts counts_;
  unsigned warmupsDone_ = 0, repeatsDone_ = 0;
  double spent_ = 0;
};

} // namespace fuselage

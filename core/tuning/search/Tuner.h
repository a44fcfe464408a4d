// Measures points of a space until the budget is spent, and says which one is best.
#pragma once
#include "core/support/Error.h"
#include "core/tuning/journal/Trial.h"
#include "core/tuning/search/Strategy.h"
#include <atomic>
#include <chrono>
#include <deque>

namespace fuselage::tune {

/// What measuring a point gave; as Trial has it.
struct Measurement {
  TrialStatus status = TrialStatus::Failed;
  std::string why{}, kernel{};
  std::vector<double> microseconds{}, baseline{};
  double seconds = 0;      ///< of wall time that it took in all; where somebody knows
  std::string worker{};    ///< who made it, as in Trial
  std::string oneThread{}; ///< the same
};

/// What whoever measures should know.
struct MeasurePlan {
  /// Fingerprints of kernels that were measured: one of these need not run again, TrialStatus::Duplicate is enough of
  /// an answer.
  const std::map<std::string, Measurement> &known;
  /// A candidate whose first repeats all cost more (see costOf) may be ended there, as TrialStatus::CutShort; infinity:
  /// none.
  double cutAbove;
  /// A candidate that costs less is measured as long once more before it counts: of many, the luckiest looks best. 0:
  /// none.
  double confirmBelow = 0;
};

/// Failure: nothing can be measured any more, as the device is gone or it was cancelled; what fails at one point is a
/// Measurement.
using Measure = std::function<llvm::Expected<Measurement>(const Point &point, const MeasurePlan &plan)>;

enum class Objective { Median, Min };

struct TunerOptions {
  StrategyOptions strategy{};
  Objective objective = Objective::Median;
  size_t trials = 200;        ///< at most
  double seconds = 0;         ///< at most, of wall time; 0: no limit
  bool countsKnown = false;   ///< known trials, and what they took, are part of the budget
  double cutFactor = 2;       ///< slower than the best one by this is cut short
  std::vector<Point> first{}; ///< to measure before all others: the default, the best known
  const std::atomic<bool> *cancelled = nullptr;
  std::function<void()> between{}; ///< called before each trial; it may wait, which counts as no time
  std::function<void(size_t done, const Point &point, const Measurement &measured, bool isBest)> progress{};
};

/// Trials that are known before the first one, as from a journal.
using KnownTrials = std::vector<std::pair<Point, Measurement>>;

struct Tuned {
  std::optional<Point> best{};                         ///< nullopt: nothing could be run
  Measurement measured{};                              ///< of the best
  std::vector<std::pair<Point, Measurement>> trials{}; ///< that were measured here, in their order
  size_t reused = 0;                                   ///< known ones that counted
  double seconds = 0, reusedSeconds = 0;               ///< that the trials took, and the known ones
  std::vector<bool> isDone{};                          ///< by a point's number: it was measured, here or by others
  bool isExhausted = false;                            ///< all points were
  /// The last failure that ended it early; empty: none.
  std::string stopped{};
};

/// What a measurement counts as: its time by that of the baseline beside it, so that a machine that is busier now than
/// before is no difference; microseconds where nothing was beside it. `usual` is what the baseline takes as a rule:
/// where it took far longer this time, that is no merit of the candidate, whose least time by the usual one is the
/// least that it can count as; 0: not known. nullopt: it ran not, or wrongly.
Cost costOf(const Measurement &measured, Objective objective, double usual = 0);

/// Says which points to measure until the budget is spent, and learns from what came of them, in any order: several may
/// be measured at once. Only points of `points` are, each once. The best one is never one that is wrong, was cut short
/// or did not run.
class PointTuner {
public:
  /// Both outlive it.
  PointTuner(const PointSet &points, const TunerOptions &options);

  /// Learns trials that others made; at any time.
  void know(const KnownTrials &known);
  /// A point to measure, of which told() is expected; nullopt: there is none, at least until what is being measured is
  /// known.
  std::optional<size_t> next();
  /// What whoever measures now should know.
  MeasurePlan plan() const;
  /// Gives a duplicate the times of its twin.
  void complete(Measurement &measured) const;
  /// What came of a point of next().
  void told(size_t number, Measurement measured);
  /// A point of next() was measured by somebody else; know() tells, if it may be compared.
  void leave(size_t number);
  /// A point of next() is not measured yet: next() gives it again, before any other.
  void giveBack(size_t number);
  /// A point of next() is measured by somebody else, who may be gone: where know() does not tell, next() gives it again
  /// once it has no other, those that were put off first before the later ones.
  void putOff(size_t number);
  /// Whether there are such points.
  bool hasPutOff() const;
  /// Nothing can be measured any more.
  void stop(std::string why) { tuned_.stopped = std::move(why); }
  /// Whether that, the end of the budget, or a cancel is near enough that next() has nothing more to give.
  bool isOver() const;
  const Tuned &tuned() const { return tuned_; }

private:
  void pause();
  std::optional<size_t> takePutOff();
  double usualBaseline(const Measurement &measured);
  bool learn(size_t number, Measurement seen);

  const PointSet &points_;
  const TunerOptions &options_;
  std::unique_ptr<Strategy> strategy_;
  std::vector<bool> isAsked_;
  std::vector<size_t> first_; ///< still to be asked for, the last one first
  std::deque<size_t> putOff_; ///< in their order; some may be known by now
  size_t underWay_ = 0;
  std::map<std::string, std::vector<double>> baselines_; ///< medians by worker, the latest last
  std::map<std::string, Measurement> kernels_;
  std::optional<double> best_;
  Tuned tuned_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// Measures one after the other.
Tuned tunePoints(const PointSet &points, const TunerOptions &options, const Measure &measure,
                 const KnownTrials &known = {});

/// The speedup over the baseline that was measured in turns with it: the median of the ratios of neighbours, and the
/// interval that holds the true median in 95 of 100 cases (by the sign test's order statistics). It is no difference
/// where the interval reaches to within 2 % of 1: so much is between a kernel and itself, by where its buffers happen
/// to lie.
struct Speedup {
  double ratio = 1, low = 1, high = 1;
  size_t pairs = 0;
  static constexpr double kLeast = 0.02;
  bool isKnown() const { return pairs > 5 && (low > 1 + kLeast || high < 1 - kLeast); }
};
Speedup speedupOf(llvm::ArrayRef<double> microseconds, llvm::ArrayRef<double> baseline);

} // namespace fuselage::tune

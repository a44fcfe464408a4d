// Measures points of a space until the budget is spent, and finds the best one.
#pragma once
#include "core/support/Error.h"
#include "core/tuning/journal/Trial.h"
#include "core/tuning/search/Strategy.h"
#include <atomic>
#include <chrono>
#include <deque>

namespace fuselage::tune {

/// The result of measuring a point; the fields are those of Trial.
struct Measurement {
  TrialStatus status = TrialStatus::Failed;
  std::string why{}, kernel{};
  std::vector<double> microseconds{}, baseline{};
  double seconds = 0;      ///< wall time of the whole trial; 0: not known
  std::string worker{};    ///< as in Trial
  std::string oneThread{}; ///< as in Trial
};

/// What a measurement needs to know of earlier ones.
struct MeasurePlan {
  /// Measured kernels by fingerprint. A candidate that compiles to one of them need not run: TrialStatus::Duplicate.
  const std::map<std::string, Measurement> &known;
  /// A candidate whose first repeats all cost more (see costOf) may be stopped: TrialStatus::CutShort. Infinity: none.
  double cutAbove;
  /// A candidate that costs less is measured a second time before it counts, because the best of many noisy times looks
  /// better than it is. 0: none.
  double confirmBelow = 0;
};

/// Measures a point. Fails only if nothing can be measured any more, because the device is gone or the run was
/// cancelled; a failure of one point is a Measurement.
using Measure = std::function<llvm::Expected<Measurement>(const Point &point, const MeasurePlan &plan)>;

enum class Objective { Median, Min };

struct TunerOptions {
  StrategyOptions strategy{};
  Objective objective = Objective::Median;
  size_t trials = 200;        ///< largest number of trials
  double seconds = 0;         ///< largest wall time; 0: no limit
  bool countsKnown = false;   ///< known trials and their time count as part of the budget
  double cutFactor = 2;       ///< a candidate that is slower than the best one by this factor is cut short
  std::vector<Point> first{}; ///< measured before all others: the default, the best known points
  const std::atomic<bool> *cancelled = nullptr;
  std::function<void()> between{}; ///< called before each trial; time that it waits does not count
  std::function<void(size_t done, const Point &point, const Measurement &measured, bool isBest)> progress{};
};

/// Trials that were made earlier, for example those of a journal.
using KnownTrials = std::vector<std::pair<Point, Measurement>>;

struct Tuned {
  std::optional<Point> best{};                         ///< nullopt: no point ran with correct results
  Measurement measured{};                              ///< the measurement of the best point
  std::vector<std::pair<Point, Measurement>> trials{}; ///< trials of this run, in their order
  size_t reused = 0;                                   ///< number of known trials that were used
  double seconds = 0, reusedSeconds = 0;               ///< time of the trials, and of the known ones
  std::vector<bool> isDone{};                          ///< by number of a point: it was measured, here or elsewhere
  bool isExhausted = false;                            ///< all points were measured
  /// Why the run ended early; empty: it did not.
  std::string stopped{};
};

/// The cost of a measurement: its time divided by the time of the baseline that was measured in turns with it, so that
/// load on the machine cancels out; microseconds if there was no baseline. `usual` is the usual time of the baseline;
/// 0: not known. If the baseline took much longer than that this time, the cost is at least the candidate's shortest
/// time divided by `usual`. Returns nullopt if the point did not run or its results are wrong.
Cost costOf(const Measurement &measured, Objective objective, double usual = 0);

/// Proposes points of a set, each once, until the budget is spent, and learns from the results, which may come in any
/// order: several points may be measured at once. The best point is never one with wrong results, one that was cut
/// short, or one that did not run.
class PointTuner {
public:
  /// Both arguments must outlive the tuner.
  PointTuner(const PointSet &points, const TunerOptions &options);

  /// Takes trials that others made. May be called at any time.
  void know(const KnownTrials &known);
  /// The next point to measure; told(), leave(), giveBack() or putOff() must follow. Returns nullopt if there is none,
  /// at least until the result of a running measurement is known.
  std::optional<size_t> next();
  /// What a measurement that starts now needs to know.
  MeasurePlan plan() const;
  /// Copies the times of the equal kernel into a duplicate.
  void complete(Measurement &measured) const;
  /// Takes the result of a point of next().
  void told(size_t number, Measurement measured);
  /// Another process has measured a point of next(); know() delivers its result, if that is comparable.
  void leave(size_t number);
  /// A point of next() was not measured: next() returns it again, before any other.
  void giveBack(size_t number);
  /// Another process measures a point of next(), and may fail to finish. If know() does not deliver its result, next()
  /// returns it again when no other point is left, in the order in which points were put off.
  void putOff(size_t number);
  /// Returns true if points were put off and are not known yet.
  bool hasPutOff() const;
  /// Nothing can be measured any more.
  void stop(std::string why) { tuned_.stopped = std::move(why); }
  /// Returns true if next() has no more points: the tuner was stopped or cancelled, or the budget is spent.
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

/// Measures points one after the other.
Tuned tunePoints(const PointSet &points, const TunerOptions &options, const Measure &measure,
                 const KnownTrials &known = {});

/// The speedup over the baseline that was measured in turns with a candidate: the median of the ratios of neighbouring
/// times, and its 95 % confidence interval (by the sign test's order statistics). A difference is known only if the
/// interval stays 2 % away from 1: a kernel differs from itself by that much, depending on where its buffers lie.
struct Speedup {
  double ratio = 1, low = 1, high = 1;
  size_t pairs = 0;
  static constexpr double kLeast = 0.02;
  bool isKnown() const { return pairs > 5 && (low > 1 + kLeast || high < 1 - kLeast); }
};
Speedup speedupOf(llvm::ArrayRef<double> microseconds, llvm::ArrayRef<double> baseline);

} // namespace fuselage::tune

#include "core/tuning/search/Tuner.h"
#include "llvm/ADT/STLExtras.h"
#include <chrono>
#include <cmath>
#include <limits>

namespace fuselage::tune {
namespace {

double medianOf(std::vector<double> numbers) {
  Trial trial;
  trial.microseconds = std::move(numbers);
  return trial.medianUs().value_or(0);
}

class Tuner {
public:
  Tuner(const PointSet &points, const TunerOptions &options, const Measure &measure)
      : points_(points), options_(options), measure_(measure), strategy_(makeStrategy(points, strategyOptions(options))),
        isDone_(points.size(), false) {}

  Tuned run(const KnownTrials &known) {
    for (const auto &[point, measured] : known)
      if (auto number = points_.find(point); number && !isDone_[*number]) {
        ++tuned_.reused;
        learn(*number, measured);
      }
    for (const Point &point : options_.first)
      if (auto number = points_.find(point); number && !isDone_[*number] && !isOver())
        measure(*number);
    while (!isOver()) {
      std::optional<size_t> number = strategy_->next();
      if (!number) {
        tuned_.isExhausted = points_.isComplete();
        break;
      }
      measure(*number);
    }
    return std::move(tuned_);
  }

private:
  static StrategyOptions strategyOptions(const TunerOptions &options) {
    StrategyOptions strategy = options.strategy;
    strategy.budget = options.seconds > 0 ? 0 : options.trials;
    return strategy;
  }

  bool isOver() const {
    std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start_;
    return !tuned_.stopped.empty() || tuned_.trials.size() >= options_.trials ||
           (options_.seconds > 0 && spent.count() >= options_.seconds) || (options_.cancelled && options_.cancelled->load());
  }

  void pause() {
    auto before = std::chrono::steady_clock::now();
    if (options_.between)
      options_.between();
    start_ += std::chrono::steady_clock::now() - before;
  }

  void measure(size_t number) {
    pause();
    double cut = best_ ? *best_ * options_.cutFactor : std::numeric_limits<double>::infinity();
    auto measured = measure_(points_[number], {.known = kernels_, .cutAbove = cut, .confirmBelow = best_.value_or(0)});
    if (!measured) {
      tuned_.stopped = takeFailure(measured.takeError()).message;
      return;
    }
    if (measured->status == TrialStatus::Duplicate)
      if (auto same = kernels_.find(measured->kernel); same != kernels_.end()) {
        measured->microseconds = same->second.microseconds;
        measured->baseline = same->second.baseline;
        measured->why = same->second.why;
        isDuplicateOf_ = same->second.status;
      }
    bool isBest = learn(number, *measured);
    tuned_.trials.push_back({points_[number], *measured});
    if (options_.progress)
      options_.progress(tuned_.trials.size(), points_[number], *measured, isBest);
  }

  /// Whether it is the best one so far.
  bool learn(size_t number, const Measurement &measured) {
    isDone_[number] = true;
    Measurement seen = measured;
    if (seen.status == TrialStatus::Duplicate)
      seen.status = isDuplicateOf_.value_or(TrialStatus::Failed);
    isDuplicateOf_.reset();
    if (!seen.kernel.empty())
      kernels_.try_emplace(seen.kernel, seen);
    // One that was cut short is as slow as it looked, for the strategy's sake, and never the best.
    Cost cost = costOf(seen, options_.objective, usualBaseline(seen));
    strategy_->told(number, cost);
    if (!cost || seen.status != TrialStatus::Ok || (best_ && *cost >= *best_))
      return false;
    best_ = cost;
    tuned_.best = points_[number];
    tuned_.measured = seen;
    return true;
  }

  /// The median of what the baseline took beside the last trials, this one among them.
  double usualBaseline(const Measurement &measured) {
    constexpr size_t many = 15;
    if (!measured.baseline.empty() && measured.status != TrialStatus::Duplicate)
      baselines_.push_back(medianOf(measured.baseline));
    if (baselines_.size() > many)
      baselines_.erase(baselines_.begin());
    return baselines_.empty() ? 0 : medianOf(baselines_);
  }

  const PointSet &points_;
  const TunerOptions &options_;
  const Measure &measure_;
  std::vector<double> baselines_; ///< medians, the latest last
  std::unique_ptr<Strategy> strategy_;
  std::vector<bool> isDone_;
  std::map<std::string, Measurement> kernels_;
  std::optional<TrialStatus> isDuplicateOf_;
  std::optional<double> best_;
  Tuned tuned_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

} // namespace

Cost costOf(const Measurement &measured, Objective objective, double usual) {
  if (measured.microseconds.empty() || (measured.status != TrialStatus::Ok && measured.status != TrialStatus::CutShort))
    return std::nullopt;
  bool isRelative = measured.baseline.size() == measured.microseconds.size();
  double least = *llvm::min_element(measured.microseconds);
  if (!isRelative)
    return objective == Objective::Min ? least : medianOf(measured.microseconds);
  double fromUsual = usual > 0 ? least / usual : 0;
  if (objective == Objective::Min)
    return std::max(fromUsual, least / std::max(1e-9, *llvm::min_element(measured.baseline)));
  std::vector<double> ratios = measured.microseconds;
  for (auto [ratio, beside] : llvm::zip_equal(ratios, measured.baseline))
    ratio /= std::max(1e-9, beside);
  return std::max(fromUsual, medianOf(std::move(ratios)));
}

Tuned tunePoints(const PointSet &points, const TunerOptions &options, const Measure &measure, const KnownTrials &known) {
  return Tuner(points, options, measure).run(known);
}

Speedup speedupOf(llvm::ArrayRef<double> microseconds, llvm::ArrayRef<double> baseline) {
  std::vector<double> ratios;
  for (auto [ours, theirs] : llvm::zip(microseconds, baseline))
    if (ours > 0 && theirs > 0)
      ratios.push_back(theirs / ours);
  if (ratios.empty())
    return {};
  llvm::sort(ratios);
  size_t many = ratios.size();
  // The largest k with P(Binomial(n, 1/2) < k) <= 0.025: the k-th from either end bounds the median.
  size_t k = 0;
  double below = 0, term = std::exp2(-static_cast<double>(many));
  while (k < many / 2 && below + term <= 0.025) {
    below += term;
    term = term * static_cast<double>(many - k) / static_cast<double>(k + 1);
    ++k;
  }
  double median = many % 2 ? ratios[many / 2] : (ratios[many / 2 - 1] + ratios[many / 2]) / 2;
  return {.ratio = median,
          .low = k == 0 ? 0 : ratios[k - 1],
          .high = k == 0 ? std::numeric_limits<double>::infinity() : ratios[many - k],
          .pairs = many};
}

} // namespace fuselage::tune

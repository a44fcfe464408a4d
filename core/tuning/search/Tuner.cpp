#include "core/tuning/search/Tuner.h"
#include "core/trace/TraceLog.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>
#include <limits>

namespace fuselage::tune {

static double medianOf(std::vector<double> numbers) {
  Trial trial;
  trial.microseconds = std::move(numbers);
  return trial.medianUs().value_or(0);
}

static StrategyOptions strategyOptions(const TunerOptions &options) {
  StrategyOptions strategy = options.strategy;
  strategy.budget = options.seconds > 0 ? 0 : options.trials;
  return strategy;
}

PointTuner::PointTuner(const PointSet &points, const TunerOptions &options)
    : points_(points), options_(options), strategy_(makeStrategy(points, strategyOptions(options))),
      isAsked_(points.size(), false) {
  tuned_.isDone.resize(points.size(), false);
  for (const Point &point : llvm::reverse(options.first))
    if (auto number = points.find(point))
      first_.push_back(*number);
}

void PointTuner::know(const KnownTrials &known) {
  for (const auto &[point, measured] : known)
    if (auto number = points_.find(point); number && !tuned_.isDone[*number]) {
      isAsked_[*number] = true;
      ++tuned_.reused;
      tuned_.reusedSeconds += measured.seconds;
      learn(*number, measured);
    }
}

bool PointTuner::isOver() const {
  std::chrono::duration<double> wall = std::chrono::steady_clock::now() - start_;
  size_t trials = tuned_.trials.size() + underWay_ + (options_.countsKnown ? tuned_.reused : 0);
  double seconds = options_.countsKnown ? tuned_.reusedSeconds + tuned_.seconds : wall.count();
  return !tuned_.stopped.empty() || trials >= options_.trials ||
         (options_.seconds > 0 && seconds >= options_.seconds) || (options_.cancelled && options_.cancelled->load());
}

void PointTuner::pause() {
  auto before = std::chrono::steady_clock::now();
  if (options_.between)
    options_.between();
  start_ += std::chrono::steady_clock::now() - before;
}

std::optional<size_t> PointTuner::next() {
  pause();
  std::optional<size_t> number;
  while (!number && !isOver()) {
    if (first_.empty()) {
      number = strategy_->next();
      if (!number && (number = takePutOff()))
        break;
      if (!number) {
        tuned_.isExhausted = points_.isComplete() && llvm::all_of(tuned_.isDone, [](bool isDone) { return isDone; });
        return std::nullopt;
      }
    } else {
      number = first_.back();
      first_.pop_back();
    }
    if (isAsked_[*number])
      number.reset();
  }
  if (number) {
    isAsked_[*number] = true;
    ++underWay_;
  }
  return number;
}

MeasurePlan PointTuner::plan() const {
  return {.known = kernels_,
          .cutAbove = best_ ? *best_ * options_.cutFactor : std::numeric_limits<double>::infinity(),
          .confirmBelow = best_.value_or(0)};
}

void PointTuner::leave(size_t) { --underWay_; }

void PointTuner::giveBack(size_t number) {
  --underWay_;
  isAsked_[number] = false;
  first_.push_back(number);
}

void PointTuner::putOff(size_t number) {
  --underWay_;
  putOff_.push_back(number);
}

bool PointTuner::hasPutOff() const {
  return llvm::any_of(putOff_, [&](size_t number) { return !tuned_.isDone[number]; });
}

std::optional<size_t> PointTuner::takePutOff() {
  std::optional<size_t> number;
  while (!number && !putOff_.empty()) {
    if (!tuned_.isDone[putOff_.front()])
      number = putOff_.front();
    putOff_.pop_front();
  }
  return number;
}

void PointTuner::complete(Measurement &measured) const {
  auto same = measured.status == TrialStatus::Duplicate ? kernels_.find(measured.kernel) : kernels_.end();
  if (same == kernels_.end())
    return;
  measured.microseconds = same->second.microseconds;
  measured.baseline = same->second.baseline;
  measured.why = same->second.why;
  measured.oneThread = same->second.oneThread;
}

/// What a trace gets to know of a trial that is over, in a row for whoever made it.
static void traceTrial(const Point &point, const Measurement &measured) {
  TraceLog *log = traceLog();
  if (!log)
    return;
  const double duration = std::min(measured.seconds * 1e6, log->now());
  TraceEvent event{.category = "trial",
                   .name = "trial: " + nameOf(measured.status).str(),
                   .start = log->now() - duration,
                   .duration = duration,
                   .thread = log->track(measured.worker.empty() ? "trials" : "trials of " + measured.worker)};
  event.args = llvm::json::Object{{"point", llvm::json::Array(point)}, {"why", llvm::json::fixUTF8(measured.why)}};
  if (!measured.microseconds.empty())
    event.args["median us"] = medianOf(measured.microseconds);
  log->add(std::move(event));
}

void PointTuner::told(size_t number, Measurement measured) {
  --underWay_;
  traceTrial(points_[number], measured);
  tuned_.seconds += measured.seconds;
  complete(measured);
  bool isBest = learn(number, measured);
  tuned_.trials.push_back({points_[number], measured});
  if (options_.progress)
    options_.progress(tuned_.trials.size(), points_[number], measured, isBest);
}

/// The median of what the baseline took beside the last trials of whoever made this one, this one among them.
double PointTuner::usualBaseline(const Measurement &measured) {
  constexpr size_t many = 15;
  std::vector<double> &medians = baselines_[measured.worker];
  if (!measured.baseline.empty() && measured.status != TrialStatus::Duplicate)
    medians.push_back(medianOf(measured.baseline));
  if (medians.size() > many)
    medians.erase(medians.begin());
  return medianOf(medians);
}

/// Whether it is the best one so far.
bool PointTuner::learn(size_t number, Measurement seen) {
  tuned_.isDone[number] = true;
  double usual = usualBaseline(seen);
  if (seen.status == TrialStatus::Duplicate) {
    auto same = kernels_.find(seen.kernel);
    seen.status = same == kernels_.end() ? TrialStatus::Failed : same->second.status;
  }
  if (!seen.kernel.empty())
    kernels_.try_emplace(seen.kernel, seen);
  // One that was cut short is as slow as it looked, for the strategy's sake, and never the best.
  Cost cost = costOf(seen, options_.objective, usual);
  strategy_->told(number, cost);
  if (!cost || seen.status != TrialStatus::Ok || (best_ && *cost >= *best_))
    return false;
  best_ = cost;
  tuned_.best = points_[number];
  tuned_.measured = std::move(seen);
  return true;
}

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

Tuned tunePoints(const PointSet &points, const TunerOptions &options, const Measure &measure,
                 const KnownTrials &known) {
  PointTuner tuner(points, options);
  tuner.know(known);
  while (std::optional<size_t> number = tuner.next()) {
    auto measured = measure(points[*number], tuner.plan());
    if (measured)
      tuner.told(*number, std::move(*measured));
    else
      tuner.stop(takeFailure(measured.takeError()).message);
  }
  return tuner.tuned();
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

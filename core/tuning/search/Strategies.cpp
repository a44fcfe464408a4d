#include "core/tuning/search/CostModel.h"
#include "core/tuning/search/Strategy.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cmath>
#include <deque>
#include <numeric>
#include <random>

namespace fuselage::tune {
namespace {

/// What all strategies know: who was asked for, and what came of it.
class Memory : public Strategy {
public:
  Memory(const PointSet &points, const StrategyOptions &options)
      : points_(points), options_(options), random_(options.seed), isAsked_(points.size(), false),
        costs_(points.size()), order_(points.size()) {
    std::iota(order_.begin(), order_.end(), size_t(0));
    if (options.kind != StrategyKind::Exhaustive)
      std::shuffle(order_.begin(), order_.end(), random_);
  }

  std::optional<size_t> next() final {
    std::optional<size_t> number = polish();
    if (!number)
      number = propose();
    if (number) {
      isAsked_[*number] = true;
      ++asked_;
    }
    return number;
  }

  void told(size_t number, Cost cost) override {
    if (!isAsked_[number])
      ++asked_;
    isAsked_[number] = true;
    costs_[number] = cost;
    results_.push_back(number);
    if (cost && (!best_ || *cost < *costs_[*best_]))
      best_ = number;
  }

protected:
  virtual std::optional<size_t> propose() = 0;

  /// The next one of a random order that nobody has asked for.
  std::optional<size_t> any() {
    while (inOrder_ < order_.size() && isAsked_[order_[inOrder_]])
      ++inOrder_;
    return inOrder_ < order_.size() ? std::optional(order_[inOrder_]) : std::nullopt;
  }

  std::vector<size_t> freshNeighbours(size_t number) {
    std::vector<size_t> fresh = points_.neighbours(number);
    llvm::erase_if(fresh, [&](size_t other) { return isAsked_[other]; });
    std::shuffle(fresh.begin(), fresh.end(), random_);
    return fresh;
  }

  /// How a strategy orders neighbours: the most promising one first.
  virtual void rank(std::vector<size_t> &) {}

  const PointSet &points_;
  const StrategyOptions options_;
  std::mt19937_64 random_;
  std::vector<bool> isAsked_;
  std::vector<Cost> costs_;
  std::vector<size_t> results_; ///< that are known, in their order
  std::optional<size_t> best_;
  size_t asked_ = 0;

private:
  /// Neighbours of the best point, where there is time for little else.
  std::optional<size_t> polish() {
    bool searches = options_.kind == StrategyKind::Local || options_.kind == StrategyKind::Model;
    size_t left = options_.budget > asked_ ? options_.budget - asked_ : 0;
    if (!searches || !best_ || left == 0 || left > std::max<size_t>(options_.budget / 4, 1))
      return std::nullopt;
    std::vector<size_t> fresh = freshNeighbours(*best_);
    if (fresh.empty() || fresh.size() < left)
      return std::nullopt;
    rank(fresh);
    return fresh.front();
  }

  std::vector<size_t> order_;
  size_t inOrder_ = 0;
};

class InOrder final : public Memory {
public:
  using Memory::Memory;

private:
  std::optional<size_t> propose() override { return any(); }
};

class LocalSearch final : public Memory {
public:
  using Memory::Memory;

private:
  std::optional<size_t> propose() override {
    // A better point that somebody found is where to go on; a new start, too, once its own cost is known.
    if (!at_ || (started_ && costs_[*started_])) {
      at_ = started_ ? started_ : best_;
      started_.reset();
    }
    for (size_t number : results_)
      if (at_ && costs_[number] && costs_[*at_] && *costs_[number] < *costs_[*at_] &&
          llvm::is_contained(around_, number))
        at_ = number;
    around_ = at_ ? points_.neighbours(*at_) : std::vector<size_t>();
    if (at_)
      if (std::vector<size_t> fresh = freshNeighbours(*at_); !fresh.empty())
        return fresh.front();
    at_.reset();
    started_ = any();
    return started_;
  }

  std::optional<size_t> at_, started_;
  std::vector<size_t> around_;
};

class ModelSearch final : public Memory {
public:
  ModelSearch(const PointSet &points, const StrategyOptions &options) : Memory(points, options) {
    for (size_t i = 0; i < points.size(); ++i)
      rows_.push_back(rowOf(points[i]));
    scores_.resize(points.size());
    isStart_ = std::clamp<size_t>(points.size() / 100, 6, 12);
  }

private:
  /// Logarithms of the knobs, of products of two of them, by which power of two each is divisible, as vectors want it,
  /// and what else is known of the point.
  std::vector<double> rowOf(const Point &point) {
    std::vector<double> row;
    for (auto [knob, value] : llvm::zip_equal(points_.space().knobs, point))
      row.push_back(knob.labels.empty() && !knob.isRegion && value > 0 ? std::log2(static_cast<double>(value))
                                                                       : static_cast<double>(value));
    size_t knobs = row.size();
    constexpr size_t mostPaired = 8;
    for (size_t a = 0; a < std::min(knobs, mostPaired); ++a)
      for (size_t b = a + 1; b < std::min(knobs, mostPaired); ++b)
        row.insert(row.end(), {row[a] + row[b], row[a] - row[b]});
    constexpr int widest = 4; // of vectors: 16 elements
    for (auto [knob, value] : llvm::zip_equal(points_.space().knobs, point))
      if (knob.labels.empty() && !knob.isRegion)
        row.push_back(value > 0 ? std::min(llvm::countr_zero(static_cast<uint64_t>(value)), widest) : widest);
    if (options_.features)
      llvm::append_range(row, options_.features(point));
    return row;
  }

  /// The next point to a random corner: tiles are often best where they are whole, or one line.
  std::optional<size_t> corner() {
    size_t knobs = points_.space().knobs.size();
    std::vector<double> wanted(knobs), least(knobs, INFINITY), most(knobs, -INFINITY);
    for (size_t i = 0; i < points_.size(); ++i)
      for (size_t knob = 0; knob < knobs; ++knob) {
        least[knob] = std::min(least[knob], rows_[i][knob]);
        most[knob] = std::max(most[knob], rows_[i][knob]);
      }
    for (size_t knob = 0; knob < knobs; ++knob)
      wanted[knob] = random_() % 2 ? least[knob] : most[knob];
    std::optional<size_t> nearest;
    double shortest = INFINITY;
    for (size_t i = 0; i < points_.size(); ++i) {
      double distance = 0;
      for (size_t knob = 0; knob < knobs; ++knob)
        distance += std::abs(rows_[i][knob] - wanted[knob]) / std::max(most[knob] - least[knob], 1e-9);
      if (!isAsked_[i] && distance < shortest) {
        shortest = distance;
        nearest = i;
      }
    }
    return nearest;
  }

  void learn() {
    size_t due = std::max<size_t>(1, learnt_ / 8);
    if (results_.size() < learnt_ + due)
      return;
    learnt_ = results_.size();
    double worst = 0;
    for (size_t number : results_)
      worst = std::max(worst, costs_[number].value_or(0));
    std::vector<std::vector<double>> rows;
    std::vector<double> costs;
    for (size_t number : results_) {
      rows.push_back(rows_[number]);
      costs.push_back(costs_[number].value_or(worst > 0 ? 2 * worst : 1)); // what fails is no good neighbourhood
    }
    model_.fit(rows, costs, options_.seed + learnt_);
    constexpr double curiosity = 0.7; // spreads that a guess is taken to be too high by
    for (size_t i = 0; i < scores_.size(); ++i) {
      CostModel::Guess guess = model_.predict(rows_[i]);
      scores_[i] = guess.mean - curiosity * guess.spread;
    }
  }

  void rank(std::vector<size_t> &numbers) override {
    learn();
    std::stable_sort(numbers.begin(), numbers.end(), [&](size_t a, size_t b) { return scores_[a] < scores_[b]; });
  }

  std::optional<size_t> propose() override {
    if (results_.size() < isStart_)
      return asked_ % 2 == 0 ? any() : corner();
    learn();
    if (asked_ % 3 == 0 && best_)
      if (std::vector<size_t> fresh = freshNeighbours(*best_); !fresh.empty()) {
        rank(fresh);
        return fresh.front();
      }
    std::optional<size_t> most;
    for (size_t i = 0; i < scores_.size(); ++i)
      if (!isAsked_[i] && (!most || scores_[i] < scores_[*most]))
        most = i;
    return most;
  }

  std::vector<std::vector<double>> rows_;
  std::vector<double> scores_;
  CostModel model_;
  size_t learnt_ = 0, isStart_ = 0;
};

/// Leaves points that break a bound of the space to the end.
class WithinBoundsFirst final : public Strategy {
public:
  WithinBoundsFirst(const PointSet &points, std::unique_ptr<Strategy> inner)
      : points_(points), inner_(std::move(inner)) {}

  std::optional<size_t> next() override {
    while (std::optional<size_t> number = inner_->next()) {
      if (points_.space().over(points_[*number]).empty())
        return number;
      over_.push_back(*number);
    }
    if (over_.empty())
      return std::nullopt;
    size_t number = over_.front();
    over_.pop_front();
    return number;
  }
  void told(size_t number, Cost cost) override { inner_->told(number, cost); }

private:
  const PointSet &points_;
  std::unique_ptr<Strategy> inner_;
  std::deque<size_t> over_;
};

std::unique_ptr<Strategy> makePlain(const PointSet &points, const StrategyOptions &options) {
  if (options.kind == StrategyKind::Local)
    return std::make_unique<LocalSearch>(points, options);
  if (options.kind == StrategyKind::Model)
    return std::make_unique<ModelSearch>(points, options);
  return std::make_unique<InOrder>(points, options);
}

} // namespace

llvm::StringRef nameOf(StrategyKind kind) {
  switch (kind) {
  case StrategyKind::Exhaustive:
    return "exhaustive";
  case StrategyKind::Random:
    return "random";
  case StrategyKind::Local:
    return "local";
  case StrategyKind::Model:
    return "model";
  }
  return "";
}

std::unique_ptr<Strategy> makeStrategy(const PointSet &points, const StrategyOptions &options) {
  std::unique_ptr<Strategy> strategy = makePlain(points, options);
  if (points.space().bounds.empty())
    return strategy;
  return std::make_unique<WithinBoundsFirst>(points, std::move(strategy));
}

} // namespace fuselage::tune

// Chooses the point to measure next.
#pragma once
#include "core/tuning/search/PointSet.h"
#include <functional>
#include <memory>

namespace fuselage::tune {

/// The cost of a point; nullopt if it cannot be run or its results are wrong.
using Cost = std::optional<double>;

/// Proposes points, each at most once, and learns from their costs.
class Strategy {
public:
  virtual ~Strategy() = default;
  /// The number of the next point; nullopt if no point is left.
  virtual std::optional<size_t> next() = 0;
  /// Takes the cost of point `number` of the set, also of points that it did not propose.
  virtual void told(size_t number, Cost cost) = 0;
};

enum class StrategyKind { Exhaustive, Random, Local, Model };
llvm::StringRef nameOf(StrategyKind kind);

/// Numbers computed from a point that help to predict its cost, such as the bytes of a tile.
using Features = std::function<std::vector<double>(const Point &point)>;

struct StrategyOptions {
  StrategyKind kind = StrategyKind::Model;
  uint64_t seed = 1;
  Features features{}; ///< in addition to the values of the knobs; used by Model
  size_t budget = 0;   ///< number of points that will be measured; 0: not known
};

/// Makes a strategy over `points`, which must outlive it:
///  - Exhaustive: all points in their order. Random: all points in a random order.
///  - Local: starts at the best known point, or at a random one, and moves to a better neighbour while there is one;
///    then restarts at a random point.
///  - Model: a few random points, then alternates between the best points predicted by a CostModel and neighbours of
///    the best measured point.
/// All of them try points that break a bound of the space (Space::bounds) last. If the budget is known, Local and Model
/// spend its last trials on untried neighbours of the best point.
std::unique_ptr<Strategy> makeStrategy(const PointSet &points, const StrategyOptions &options);

} // namespace fuselage::tune

// Which point to measure next.
#pragma once
#include "core/tuning/search/PointSet.h"
#include <functional>
#include <memory>

namespace fuselage::tune {

/// What a point costs; nullopt: it cannot be run, or what it computes is wrong.
using Cost = std::optional<double>;

/// Proposes points, each at most once, and learns from what comes of them.
class Strategy {
public:
  virtual ~Strategy() = default;
  /// nullopt: there is nothing left that it would try.
  virtual std::optional<size_t> next() = 0;
  /// What measuring point `number` of the set gave; also of points that others asked for.
  virtual void told(size_t number, Cost cost) = 0;
};

enum class StrategyKind { Exhaustive, Random, Local, Model };
llvm::StringRef nameOf(StrategyKind kind);

/// Numbers computed from a point that tell something of its cost, such as bytes of a tile; for the model.
using Features = std::function<std::vector<double>(const Point &point)>;

struct StrategyOptions {
  StrategyKind kind = StrategyKind::Model;
  uint64_t seed = 1;
  Features features{}; ///< beside the knobs' own values
  size_t budget = 0;   ///< how many points there is time for; 0: not known
};

/// `points` outlives it.
///  - Exhaustive: all, in their order. Random: all, in a random one.
///  - Local: from the best point that is known, or a random one, to a better neighbour as long as there is one; then
///  again from a random one.
///  - Model: a few random points, then what a model of the costs expects most of, in turns with neighbours of the best
///  one.
/// All leave points over a bound of the space (Space::bounds) to the end. Where the budget is known, the last two end
/// with neighbours of the best point that nobody has tried.
std::unique_ptr<Strategy> makeStrategy(const PointSet &points, const StrategyOptions &options);

} // namespace fuselage::tune

// Predicts the cost of a point from measured points.
#pragma once
#include <cstddef>
#include <vector>

namespace fuselage::tune {

/// A forest of regression trees (bagging with random features: Breiman, "Random Forests", 2001) on the logarithm of the
/// cost. Trees fit what a smooth function cannot: steps where a tile no longer divides its loop, plateaus, cliffs. The
/// spread of their predictions is the uncertainty.
class CostModel {
public:
  struct Guess {
    double mean = 0, spread = 0; ///< of the logarithm of the cost
  };
  /// Fits the model to features `rows[i]` with the positive cost `costs[i]`, in any unit. Deterministic for a `seed`.
  void fit(const std::vector<std::vector<double>> &rows, const std::vector<double> &costs, unsigned long long seed);
  /// Returns zeros if nothing was fitted.
  Guess predict(const std::vector<double> &row) const;

private:
  struct Node {
    int feature = -1; ///< -1: a leaf
    double bound = 0, value = 0;
    int below = -1, above = -1;
  };
  std::vector<std::vector<Node>> trees_;
};

} // namespace fuselage::tune

// What a point is likely to cost, from what others did.
#pragma once
#include <cstddef>
#include <vector>

namespace fuselage::tune {

/// A forest of regression trees (bagging with random features: Breiman, "Random Forests", 2001) on the logarithm of the
/// cost. Trees take what a smooth function does not: steps where a tile no longer divides, plateaus, cliffs. How far
/// they disagree says how little is known.
class CostModel {
public:
  struct Guess {
    double mean = 0, spread = 0; ///< of the logarithm of the cost
  };
  /// `rows[i]` costs `costs[i]`, which is positive.
  void fit(const std::vector<std::vector<double>> &rows, const std::vector<double> &costs, unsigned long long seed);
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

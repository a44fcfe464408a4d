#include "core/tuning/search/CostModel.h"
#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace fuselage::tune {
namespace {

constexpr unsigned kTrees = 24, kLeastInLeaf = 2;

struct Split {
  int feature = -1;
  double bound = 0, loss = std::numeric_limits<double>::infinity();
};

/// The sum of squares around the means on both sides, for each bound between two values.
void trySplits(const std::vector<std::vector<double>> &rows, const std::vector<double> &values,
               const std::vector<size_t> &samples, int feature, Split &best) {
  std::vector<std::pair<double, double>> sorted; // the feature and the value of each
  double total = 0, below = 0;
  for (size_t sample : samples) {
    sorted.push_back({rows[sample][feature], values[sample]});
    total += values[sample];
  }
  std::sort(sorted.begin(), sorted.end());
  for (size_t i = 1; i < samples.size(); ++i) {
    below += sorted[i - 1].second;
    double left = sorted[i - 1].first, right = sorted[i].first;
    if (!(left < right) || i < kLeastInLeaf || samples.size() - i < kLeastInLeaf)
      continue;
    // The squares of the values themselves are the same for all splits.
    double loss = -(below * below / static_cast<double>(i) +
                    (total - below) * (total - below) / static_cast<double>(samples.size() - i));
    // Between neighbouring numbers there is none, and a bound that leaves a side without samples would be tried for
    // ever.
    double middle = left + (right - left) / 2;
    if (loss < best.loss)
      best = {.feature = feature, .bound = middle > left ? middle : right, .loss = loss};
  }
}

} // namespace

void CostModel::fit(const std::vector<std::vector<double>> &rows, const std::vector<double> &costs,
                    unsigned long long seed) {
  trees_.clear();
  if (rows.empty() || rows.front().empty())
    return;
  std::vector<double> values(costs.size());
  std::transform(costs.begin(), costs.end(), values.begin(),
                 [](double cost) { return std::log(std::max(cost, 1e-9)); });
  std::mt19937_64 random(seed);
  int features = static_cast<int>(rows.front().size());
  int tried = std::max(1, (features + 1) / 3);
  auto grow = [&](auto &self, std::vector<Node> &tree, std::vector<size_t> samples) -> int {
    int index = static_cast<int>(tree.size());
    tree.emplace_back();
    double sum = 0;
    for (size_t sample : samples)
      sum += values[sample];
    tree[index].value = sum / static_cast<double>(samples.size());
    Split best;
    std::vector<int> order(features);
    for (int i = 0; i < features; ++i)
      order[i] = i;
    std::shuffle(order.begin(), order.end(), random);
    for (int i = 0; i < features && (i < tried || best.feature < 0) && samples.size() >= 2 * kLeastInLeaf; ++i)
      trySplits(rows, values, samples, order[i], best);
    if (best.feature < 0)
      return index;
    std::vector<size_t> below, above;
    for (size_t sample : samples)
      (rows[sample][best.feature] < best.bound ? below : above).push_back(sample);
    tree[index].feature = best.feature;
    tree[index].bound = best.bound;
    int left = self(self, tree, std::move(below)), right = self(self, tree, std::move(above));
    tree[index].below = left;
    tree[index].above = right;
    return index;
  };
  for (unsigned i = 0; i < kTrees; ++i) {
    std::vector<size_t> samples(rows.size());
    for (size_t &sample : samples)
      sample = random() % rows.size();
    grow(grow, trees_.emplace_back(), std::move(samples));
  }
}

CostModel::Guess CostModel::predict(const std::vector<double> &row) const {
  double sum = 0, squares = 0;
  for (const std::vector<Node> &tree : trees_) {
    int at = 0;
    while (tree[at].feature >= 0)
      at = row[tree[at].feature] < tree[at].bound ? tree[at].below : tree[at].above;
    sum += tree[at].value;
    squares += tree[at].value * tree[at].value;
  }
  auto many = static_cast<double>(trees_.size());
  if (trees_.empty())
    return {};
  double mean = sum / many;
  return {.mean = mean, .spread = std::sqrt(std::max(0.0, squares / many - mean * mean))};
}

} // namespace fuselage::tune

// Layered layout, second phase: the order inside each layer.
#include "core/graph/layout/LayerGraph.h"
#include <algorithm>
#include <numeric>

namespace fuselage {

void LayerLayout::renumber() {
  for (int layer = 0; layer < layerCount_; ++layer)
    for (int i = layers_.start[layer]; i < layers_.start[layer + 1]; ++i)
      pos_[layers_.data[i]] = i - layers_.start[layer];
}

/// Depth first from the sources, so that what belongs together starts together.
void LayerLayout::initialOrder() {
  std::vector<char> seen(totalCount_, 0);
  sequence_.clear();
  queue_.clear();
  for (int item = itemCount_; item-- > 0;)
    if (up_.size(item) == 0)
      queue_.push_back(item);
  while (!queue_.empty()) {
    int item = queue_.back();
    queue_.pop_back();
    if (seen[item])
      continue;
    seen[item] = 1;
    sequence_.push_back(item);
    for (Half *half = down_.end(item); half != down_.begin(item);)
      if (!seen[(--half)->other])
        queue_.push_back(half->other);
  }
  layers_.start.assign(layerCount_ + 1, 0);
  layers_.data.resize(totalCount_);
  for (int rank : rank_)
    ++layers_.start[rank + 1];
  std::partial_sum(layers_.start.begin(), layers_.start.end(), layers_.start.begin());
  count_.assign(layers_.start.begin(), layers_.start.end() - 1);
  for (int item : sequence_)
    layers_.data[count_[rank_[item]]++] = item;
  pos_.resize(totalCount_);
  if (hasHints_)
    for (int layer = 0; layer < layerCount_; ++layer)
      keepHintedOrder(layer);
  renumber();
}

/// Puts the items of a layer that have a hint in the hints' order, on the places they hold.
void LayerLayout::keepHintedOrder(int layer) {
  keys_.clear();
  auto hinted = [&](int item) { return !isDummy(item) && !std::isnan(graph_->items[item].hint); };
  for (int *item = layers_.begin(layer); item != layers_.end(layer); ++item)
    if (hinted(*item))
      keys_.emplace_back(static_cast<float>(graph_->items[*item].hint), *item);
  std::sort(keys_.begin(), keys_.end());
  size_t next = 0;
  for (int *item = layers_.begin(layer); item != layers_.end(layer); ++item)
    if (hinted(*item))
      *item = keys_[next++].second;
}

/// Sorts a layer by the mean place of its neighbours in the layer above or below.
void LayerLayout::sortLayer(int layer, Rows<Half> &neighbours) {
  int *first = layers_.begin(layer), *last = layers_.end(layer);
  if (last - first < 2)
    return;
  keys_.clear();
  for (int *item = first; item != last; ++item) {
    float sum = 0;
    for (Half *half = neighbours.begin(*item); half != neighbours.end(*item); ++half) {
      sum += pos_[half->other];
      sum += half->shift;
    }
    int degree = neighbours.size(*item);
    keys_.emplace_back(degree ? sum / degree : pos_[*item], *item);
  }
  std::stable_sort(keys_.begin(), keys_.end(), [](const auto &a, const auto &b) { return a.first < b.first; });
  for (const auto &[key, item] : keys_)
    *first++ = item;
  if (hasHints_)
    keepHintedOrder(layer);
  first = layers_.begin(layer);
  for (int *item = first; item != last; ++item)
    pos_[*item] = item - first;
}

/// Crossings between neighbouring layers, by a Fenwick tree (Barth, Juenger, Mutzel 2002).
int64_t LayerLayout::countCrossings() {
  int64_t crossings = 0;
  std::vector<int> &ends = queue_;
  for (int layer = 0; layer + 1 < layerCount_; ++layer) {
    ends.clear();
    for (int *item = layers_.begin(layer); item != layers_.end(layer); ++item) {
      size_t first = ends.size();
      for (Half *half = down_.begin(*item); half != down_.end(*item); ++half)
        ends.push_back(pos_[half->other]);
      if (ends.size() - first > 1)
        std::sort(ends.begin() + first, ends.end());
    }
    int size = layers_.size(layer + 1);
    if (size < 2)
      continue;
    tree_.assign(size + 1, 0);
    for (size_t i = 0; i < ends.size(); ++i) {
      int notRight = 0;
      for (int k = ends[i] + 1; k > 0; k -= k & -k)
        notRight += tree_[k];
      crossings += static_cast<int64_t>(i) - notRight;
      for (int k = ends[i] + 1; k <= size; k += k & -k)
        ++tree_[k];
    }
  }
  return crossings;
}

/// Swaps neighbours in a layer where that saves crossings; true if any did.
bool LayerLayout::swapNeighbours() {
  auto gain = [&](Rows<Half> &neighbours, int left, int right) -> int {
    if (neighbours.size(left) > 32 || neighbours.size(right) > 32)
      return 0;
    int saved = 0;
    for (Half *l = neighbours.begin(left); l != neighbours.end(left); ++l)
      for (Half *r = neighbours.begin(right); r != neighbours.end(right); ++r)
        saved += (pos_[l->other] > pos_[r->other]) - (pos_[l->other] < pos_[r->other]);
    return saved;
  };
  bool any = false;
  for (int layer = 0; layer < layerCount_; ++layer)
    for (int *item = layers_.begin(layer); item + 1 < layers_.end(layer); ++item)
      if (gain(up_, item[0], item[1]) + gain(down_, item[0], item[1]) > 0) {
        std::swap(item[0], item[1]);
        std::swap(pos_[item[0]], pos_[item[1]]);
        any = true;
      }
  return any;
}

bool LayerLayout::reduceCrossings() {
  int64_t fewest = countCrossings();
  if (fewest == 0)
    return true;
  best_ = layers_.data;
  int sweeps = totalCount_ > 40000 ? 4 : 8, idle = 0;
  for (int sweep = 0; sweep < sweeps && fewest > 0 && idle < 4; ++sweep) {
    if (stop())
      return false;
    if (sweep % 2 == 0)
      for (int layer = 1; layer < layerCount_; ++layer)
        sortLayer(layer, up_);
    else
      for (int layer = layerCount_ - 1; layer-- > 0;)
        sortLayer(layer, down_);
    // Many equal pictures: let two neighbours swap while that helps. Hints stand above crossings.
    if (!hasHints_ && totalCount_ <= 5000)
      for (int round = 0; round < 4 && swapNeighbours(); ++round)
        ;
    int64_t crossings = countCrossings();
    ++idle;
    if (crossings < fewest) {
      fewest = crossings;
      best_ = layers_.data;
      idle = 0;
    }
  }
  layers_.data = best_;
  renumber();
  return true;
}

} // namespace fuselage

#include "core/graph/scene/PlaceMemory.h"
#include "llvm/ADT/DenseMap.h"
#include <algorithm>

namespace fuselage {

static LayoutPoint middle(const LayoutRect &rect) { return {.x = rect.x + rect.w / 2, .y = rect.y + rect.h / 2}; }

void PlaceMemory::note(const Scene &scene) {
  constexpr size_t mostNodes = 20000; // of more nobody knows the order
  if (scene.nodes.size() <= mostNodes)
    for (const SceneNode &node : scene.nodes)
      middles_[node.id] = middle(node.rect);
}

std::map<OpId, LayoutPoint> PlaceMemory::hintsAfter(const Scene &shown) const {
  std::map<OpId, LayoutPoint> places;
  llvm::DenseMap<OpId, double> widths;
  for (const SceneNode &node : shown.nodes) {
    places[node.id] = middle(node.rect);
    if (node.collapsedCluster)
      widths[node.id] = node.rect.w;
  }
  for (const SceneCluster &cluster : shown.clusters) // a box becomes a node
    places.try_emplace(cluster.id, middle(cluster.rect));
  llvm::DenseMap<OpId, std::pair<double, double>> ranges; // of the x that the ops in a node had
  for (auto [op, node] : shown.hiddenOps)
    if (auto was = middles_.find(op); was != middles_.end()) {
      double x = was->second.x;
      auto range = ranges.try_emplace(node, x, x).first;
      range->second = {std::min(range->second.first, x), std::max(range->second.second, x)};
    }
  for (auto [op, node] : shown.hiddenOps) {
    auto was = middles_.find(op);
    auto box = places.find(node);
    if (was == middles_.end() || box == places.end())
      continue;
    auto [left, right] = ranges.lookup(node);
    double along = right > left ? (was->second.x - left) / (right - left) - 0.5 : 0;
    places.try_emplace(op, LayoutPoint{.x = box->second.x + along * widths.lookup(node), .y = box->second.y});
  }
  return places;
}

} // namespace fuselage

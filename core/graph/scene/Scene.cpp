#include "core/graph/scene/Scene.h"
#include <algorithm>
#include <set>

namespace fuselage {

/// One value that could be fused makes a line worth looking at.
static int weight(EdgeLook look) {
  switch (look) {
  case EdgeLook::Plain:
    return 0;
  case EdgeLook::Fused:
    return 1;
  case EdgeLook::Impossible:
    return 2;
  case EdgeLook::Tried:
    return 3;
  case EdgeLook::NotTried:
    return 4;
  case EdgeLook::Possible:
    return 5;
  }
  return 0;
}

/// Fused values that a line shows or a box hides. Nobody would find the others, such as empty tensors.
static size_t countFused(const Scene &scene, const EdgeVerdicts &verdicts) {
  std::set<std::tuple<OpId, OpId, unsigned>> shown;
  for (const SceneEdge &edge : scene.edges)
    for (const SceneUse &use : edge.uses)
      shown.insert({use.from, use.to, use.operand});
  const std::map<OpId, OpId> boxes(scene.hiddenOps.begin(), scene.hiddenOps.end());
  const auto isInside = [&boxes](OpId from, OpId to) {
    const auto a = boxes.find(from), b = boxes.find(to);
    return a != boxes.end() && b != boxes.end() && a->second == b->second;
  };
  size_t count = 0;
  for (const auto &[use, look] : verdicts.looks)
    count += look == EdgeLook::Fused && (shown.count(use) || isInside(std::get<0>(use), std::get<1>(use)));
  return count;
}

void applyVerdicts(Scene &scene, const EdgeVerdicts &verdicts) {
  if (verdicts.looks.empty())
    return;
  for (SceneEdge &edge : scene.edges) {
    EdgeLook look = EdgeLook::Plain;
    edge.missed = 0;
    for (const SceneUse &use : edge.uses) {
      auto known = verdicts.looks.find({use.from, use.to, use.operand});
      if (known == verdicts.looks.end())
        continue;
      edge.missed += known->second != EdgeLook::Fused;
      look = std::max(look, known->second, [](EdgeLook a, EdgeLook b) { return weight(a) < weight(b); });
    }
    edge.look = look;
  }
  scene.legend = verdicts.counts;
  (*scene.legend)[static_cast<size_t>(EdgeLook::Fused)] = countFused(scene, verdicts);
}

} // namespace fuselage

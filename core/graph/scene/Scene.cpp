#include "core/graph/scene/Scene.h"
#include <algorithm>

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
}

} // namespace fuselage

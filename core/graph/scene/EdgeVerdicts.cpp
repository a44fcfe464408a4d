#include "core/graph/scene/EdgeVerdicts.h"
#include "core/graph/scene/Scene.h"
#include <algorithm>

namespace fuselage {

EdgeVerdicts edgeVerdicts(const message::FusionReport<> &report) {
  EdgeVerdicts verdicts;
  for (const message::FusionEdge<> &edge : report.edges) {
    bool isSeparate = edge.verdict == message::FusionVerdict::Separate;
    if (isSeparate && !edge.missed)
      continue; // what moves nothing is no loss
    EdgeLook look = !isSeparate ? EdgeLook::Fused : edge.legal ? EdgeLook::Possible : EdgeLook::Impossible;
    verdicts.looks[{edge.from, edge.to, static_cast<unsigned>(edge.operand)}] = look;
    ++(look == EdgeLook::Fused      ? verdicts.counts.fused
       : look == EdgeLook::Possible ? verdicts.counts.possible
                                    : verdicts.counts.impossible);
  }
  return verdicts;
}

std::array<LegendRow, 3> legendRows(const VerdictCounts &counts) {
  return {{{EdgeLook::Fused, "fused", counts.fused},
           {EdgeLook::Possible, "not fused, could be", counts.possible},
           {EdgeLook::Impossible, "not as the ops stand", counts.impossible}}};
}

/// One value that could be fused makes a line worth looking at.
static int weight(EdgeLook look) {
  return look == EdgeLook::Possible ? 3 : look == EdgeLook::Impossible ? 2 : look == EdgeLook::Fused ? 1 : 0;
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

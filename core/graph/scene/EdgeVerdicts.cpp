#include "core/graph/scene/EdgeVerdicts.h"
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

} // namespace fuselage

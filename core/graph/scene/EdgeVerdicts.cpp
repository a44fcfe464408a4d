#include "core/graph/scene/EdgeVerdicts.h"

namespace fuselage {

EdgeVerdicts edgeVerdicts(const message::FusionReport<> &report) {
  EdgeVerdicts verdicts;
  for (const message::FusionEdge<> &edge : report.edges) {
    ++verdicts.counts[static_cast<size_t>(edge.state)];
    if (edge.state != message::FusionState::None) // what moves nothing is no loss
      verdicts.looks[{edge.from, edge.to, static_cast<unsigned>(edge.operand)}] = static_cast<EdgeLook>(edge.state);
  }
  return verdicts;
}

std::vector<LegendRow> legendRows(const VerdictCounts &counts) {
  std::vector<LegendRow> rows;
  for (EdgeLook look :
       {EdgeLook::Fused, EdgeLook::Possible, EdgeLook::Tried, EdgeLook::NotTried, EdgeLook::Impossible}) {
    auto state = static_cast<size_t>(look);
    if (look != EdgeLook::NotTried || counts[state] > 0)
      rows.push_back({look, message::fusionStateWords[state], counts[state]});
  }
  return rows;
}

} // namespace fuselage

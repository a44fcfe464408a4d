// Verdicts of fusion as a picture shows them: one look a line, and a legend.
#pragma once
#include "core/graph/model/Graph.h"
#include "core/protocol/Fusion.h"
#include <array>
#include <map>
#include <tuple>
#include <vector>

namespace fuselage {

/// What a line of the picture says of the values that it stands for.
enum class EdgeLook : char {
  Plain,      ///< nothing was said of them
  Fused,      ///< all stay in a dispatch
  Possible,   ///< some do not, and a transform fuses one of them
  Tried,      ///< .. or transforms were tried on one, and do not
  NotTried,   ///< .. or none was tried
  Impossible, ///< some do not, and cannot
};
static_assert(static_cast<int>(EdgeLook::Impossible) == static_cast<int>(message::FusionState::Impossible));

/// How many values have which verdict, over the whole module; in a legend, of fused ones those that its picture shows.
using VerdictCounts = std::array<size_t, message::fusionStateCount>;

/// The words and numbers of a legend.
struct LegendRow {
  EdgeLook look;
  const char *text;
  size_t count;
};
/// A row for each of the four states that an edge may be in; where some were not tried, one for those.
std::vector<LegendRow> legendRows(const VerdictCounts &counts);

/// By from, to and operand, as graph edges are known.
struct EdgeVerdicts {
  std::map<std::tuple<OpId, OpId, unsigned>, EdgeLook> looks;
  VerdictCounts counts{};
};

EdgeVerdicts edgeVerdicts(const message::FusionReport<> &report);

} // namespace fuselage

// Verdicts of fusion as a picture shows them: one look a line, and a legend.
#pragma once
#include "core/graph/model/Graph.h"
#include "core/protocol/Fusion.h"
#include <array>
#include <map>
#include <tuple>

namespace fuselage {

/// What a line of the picture says of the values that it stands for.
enum class EdgeLook : char {
  Plain,      ///< nothing was said of them
  Fused,      ///< all stay in a dispatch
  Possible,   ///< some do not, and could
  Impossible, ///< some do not, and cannot as the ops stand
};

/// How many values have which verdict, over the whole module.
struct VerdictCounts {
  size_t fused = 0, possible = 0, impossible = 0;
};

/// The words and numbers of a legend.
struct LegendRow {
  EdgeLook look;
  const char *text;
  size_t count;
};
std::array<LegendRow, 3> legendRows(const VerdictCounts &counts);

/// By from, to and operand, as graph edges are known.
struct EdgeVerdicts {
  std::map<std::tuple<OpId, OpId, unsigned>, EdgeLook> looks;
  VerdictCounts counts;
};

EdgeVerdicts edgeVerdicts(const message::FusionReport<> &report);

} // namespace fuselage

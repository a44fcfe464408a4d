// Graphs for google-ai-edge/model-explorer, in the format of its version 0.1.34.
#pragma once
#include "core/graph/model/Graph.h"
#include "core/graph/scene/EdgeVerdicts.h"
#include "core/pictures/RunDifferences.h"
#include <string>

namespace fuselage {

/// The version of Model Explorer whose format is written.
inline constexpr const char *modelExplorerVersion = "0.1.34";

/// Where a path ends so, the format is Model Explorer's.
inline constexpr llvm::StringLiteral modelExplorerEnding = ".model-explorer.json";

struct ModelExplorerOptions {
  std::string label; ///< of the collection
  const EdgeVerdicts *verdicts = nullptr;
};

/// A GraphCollection with a graph for each function, the entry first. Namespaces are the layers and other parts of the
/// model, regions, and dispatches; a dispatch lies in the layer of its root op. Edge overlays are verdicts, one overlay
/// for each. Calls of outlined dispatches lead to the graph of what they call.
std::string toModelExplorer(llvm::ArrayRef<const FunctionGraph *> functions, const ModelExplorerOptions &options);

/// What a run measured as node data for these graphs: the time of a dispatch, in microseconds, at its root op, so that
/// sums over groups are right.
struct ModelExplorerTimes {
  std::string json;
  size_t matched = 0, unmatched = 0; ///< dispatches of the run
};
ModelExplorerTimes modelExplorerTimes(llvm::ArrayRef<const FunctionGraph *> functions, const TimedRun &run);

} // namespace fuselage

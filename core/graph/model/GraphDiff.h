// What a step did to the graph, op by op.
#pragma once
#include "core/graph/model/Graph.h"
#include "core/protocol/Steps.h"
#include "mlir/IR/BuiltinOps.h"

namespace fuselage {

/// `origins`: ids in the before-snapshot whose locations an after-op carries (FusedLoc, NameLoc and
/// CallSiteLoc taken apart; only ops with the same file:line:col count).
struct GraphDiff {
  enum class Change { Same, Added, Changed };
  /// How ops are recognised: by where they come from, or (in texts that do not tell it) by name, result
  /// types and function, in order.
  enum class By { Place, Shape };
  struct After {
    OpId id = 0;
    Change change = Change::Same;
    std::vector<OpId> origins;
  };
  std::vector<After> after;  ///< one an op of the after-snapshot that is a graph node
  std::vector<OpId> removed; ///< ids in the before-snapshot with no successor
};
GraphDiff diffGraphs(mlir::ModuleOp before, mlir::ModuleOp after, GraphDiff::By by = GraphDiff::By::Place);
message::GraphDiff<> messageOf(const GraphDiff &diff);

} // namespace fuselage

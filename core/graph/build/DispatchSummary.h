// What there is to say about a dispatch, wherever its body stands. Internal to core/graph.
#pragma once
#include "core/analysis/costs/Costs.h"
#include "core/dialects/decoders/DispatchPrograms.h"
#include "core/graph/model/Graph.h"
#include "core/transforms/dispatch/DispatchFormation.h"
#include <optional>

namespace fuselage {

/// What the graph calls a dispatch: its name, and of a kernel of XLA in parentheses what XLA calls such ones.
std::string dispatchLabel(mlir::Operation *op, const GraphDispatch &dispatch);

/// Summarises the dispatches of a module that does not change meanwhile.
class DispatchSummaries {
public:
  /// Whether ofOp() knows a dispatch for it.
  bool runsDispatch(mlir::Operation *op);
  /// The dispatch that `op` runs: a region with its body, a call of an outlined function, the entry
  /// point of an executable. nullopt for all other ops. Ids and nodes are left open.
  std::optional<GraphDispatch> ofOp(mlir::Operation *op, const DecodedOp &decoded);

  /// Whether a function is one dispatch: outlined by us, or a kernel of a foreign program.
  static bool isDispatchFunction(mlir::Operation *function);
  /// The dispatch that such a function is.
  const GraphDispatch &ofFunction(mlir::Operation *function);

  /// A dispatch that would be formed of these ops.
  static GraphDispatch ofGroup(const DispatchGroup &group);

private:
  mlir::Operation *outlinedCallee(mlir::Operation *op);

  mlir::SymbolTableCollection symbols_;
  KernelFinder kernels_;
  llvm::DenseMap<mlir::Operation *, GraphDispatch> functions_;
};

/// The name that a function has in a graph: its symbol, in an executable "executable::symbol".
std::string functionName(mlir::Operation *function);

} // namespace fuselage

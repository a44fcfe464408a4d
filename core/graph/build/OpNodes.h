// Nodes of ops, as far as an op says by itself what its node is. Internal to core/graph.
#pragma once
#include "core/dialects/decoders/Decoders.h"
#include "core/graph/model/Graph.h"
#include "core/graph/model/GraphNames.h"
#include "core/ir/ops/NodeForms.h"
#include "core/ir/ops/NodeShapes.h"

namespace fuselage {

class OpNodes {
public:
  /// `names`: of the module's values and types.
  explicit OpNodes(GraphNames &names) : names_(names) {}
  /// The node of an op. Costs, dispatch, cluster and scope are left open, and what the text says of the op. Ops have to
  /// come in their order.
  GraphNode of(mlir::Operation *op, OpId id, const DecodedOp &decoded);

private:
  SharedText labelOf(mlir::Operation *op, const DecodedOp &decoded, int shape);

  GraphNames &names_;
  NodeShapes shapes_;
  NodeForms forms_;
  SharedTexts texts_;
  llvm::DenseMap<int, SharedText> labels_; ///< of linalg ops that their names describe, by shape
};

} // namespace fuselage

#include "core/graph/build/OpNodes.h"
#include "core/dialects/tolerant/TolerantOp.h"
#include "core/graph/build/OpKind.h"
#include "core/graph/build/OpLabel.h"
#include "core/graph/build/ScopeHints.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;

namespace fuselage {

/// The labels of linalg ops take time, and most of them are those of all ops that look alike.
SharedText OpNodes::labelOf(Operation *op, const DecodedOp &decoded, int shape) {
  auto label = [&] { return texts_.of(asUtf8(opLabel(op, decoded))); };
  bool isNamed = isa<linalg::LinalgOp>(op) && !isa<linalg::GenericOp, linalg::MapOp, linalg::ReduceOp>(op);
  if (!isNamed)
    return label();
  auto [entry, isNew] = labels_.try_emplace(shape);
  if (isNew)
    entry->second = label();
  return entry->second;
}

GraphNode OpNodes::of(Operation *op, OpId id, const DecodedOp &decoded) {
  GraphNode node;
  node.id = id;
  node.op = texts_.of(asUtf8(displayName(op)));
  node.kind = nodeKindOf(op, decoded);
  node.shape = shapes_.of(op);
  node.form = forms_.of(op, node.shape);
  node.label = labelOf(op, decoded, node.shape);
  node.parameter = parameterOf(op, decoded);
  for (Type type : op->getResultTypes())
    node.types.push_back(names_.nameOf(type));
  return node;
}

} // namespace fuselage

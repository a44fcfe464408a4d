#include "core/graph/build/RepeatedCosts.h"
#include "core/ir/ops/Payload.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;

namespace fuselage {

static bool isOnTensors(Operation *op) {
  return isa<linalg::LinalgOp>(op) && llvm::none_of(op->getOperandTypes(), llvm::IsaPred<BaseMemRefType>);
}

/// The shape, and of each operand the first that is the same value, and whether its data is read.
static std::vector<int> keyOf(Operation *op, int shape) {
  std::vector<int> key{shape};
  key.reserve(1 + op->getNumOperands());
  for (OpOperand &operand : op->getOpOperands()) {
    int first = llvm::find(op->getOperands(), operand.get()) - op->operand_begin();
    key.push_back(2 * first + readsData(operand));
  }
  return key;
}

OpCost RepeatedCosts::of(Operation *op, int shape) {
  if (!isOnTensors(op))
    return costOf(op);
  std::vector<int> key = keyOf(op, shape);
  if (auto known = costs_.find(key); known != costs_.end())
    return known->second;
  OpCost cost = costOf(op);
  // A payload reads tensors of others, which the shape does not tell.
  if (!hasPayloadRegion(op) || payloadAccesses(op).empty())
    costs_.emplace(std::move(key), cost);
  return cost;
}

Bytes RepeatedCosts::accessOf(OpOperand &use, int shape) {
  if (!isa<linalg::LinalgOp>(use.getOwner()))
    return accessTo(use).bytes;
  auto [known, isNew] = accesses_.try_emplace({shape, use.getOperandNumber()});
  if (isNew)
    known->second = accessTo(use).bytes;
  return known->second;
}

} // namespace fuselage

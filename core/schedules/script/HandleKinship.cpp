#include "core/schedules/script/HandleKinship.h"
#include "mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.h"
#include "mlir/Dialect/Transform/IR/TransformOps.h"

namespace fuselage {

static bool holdsOps(mlir::Value value) {
  return mlir::isa<mlir::transform::TransformHandleTypeInterface>(value.getType());
}

/// Ops and values; a parameter lives for ever.
static bool isHandle(mlir::Value value) {
  return !mlir::isa<mlir::transform::TransformParamTypeInterface>(value.getType());
}

void HandleKinship::addPart(mlir::Value part, mlir::Value whole) {
  kin_[whole].parts.insert(part);
  kin_[part].wholes.insert(whole);
}

void HandleKinship::addInside(mlir::Value inner, mlir::Value outer) {
  kin_[outer].inner.insert(inner);
  kin_[inner].outer.insert(outer);
}

/// Two equal matches in the same op hold the same.
void HandleKinship::linkEqualMatch(mlir::Operation *match) {
  auto [found, isFirst] = matches_.try_emplace({match->getOperand(0), match->getAttrDictionary()}, match->getResult(0));
  if (isFirst)
    return;
  addPart(match->getResult(0), found->second);
  addPart(found->second, match->getResult(0));
  found->second = match->getResult(0);
}

void HandleKinship::define(mlir::Operation *op) {
  using namespace mlir::transform;
  auto isPart = mlir::isa<CastOp, SplitHandleOp, SelectOp, ReplicateOp>(op);
  auto isWhole = mlir::isa<MergeHandlesOp, ReplicateOp>(op);
  for (mlir::Value result : llvm::make_filter_range(op->getResults(), isHandle)) {
    for (mlir::Value operand : llvm::make_filter_range(op->getOperands(), isHandle)) {
      if (isPart)
        addPart(result, operand);
      if (isWhole)
        addPart(operand, result);
      if (mlir::isa<MatchOp, GetResultOp>(op))
        addInside(result, operand);
      else if (mlir::isa<GetParentOp, GetDefiningOp>(op))
        addInside(operand, result);
      constexpr size_t most = 8;
      llvm::SmallVector<mlir::Value> around(kin_[operand].outer.begin(), kin_[operand].outer.end());
      if (!mlir::isa<GetParentOp, MatchOp>(op) && holdsOps(result)) // what comes of an op stands where that stood
        for (mlir::Value outer : llvm::ArrayRef(around).take_front(most))
          addInside(result, outer);
    }
  }
  if (mlir::isa<MatchOp>(op) && op->getNumOperands() == 1)
    linkEqualMatch(op);
}

void HandleKinship::follow(llvm::SetVector<mlir::Value> &reached,
                           llvm::ArrayRef<llvm::SmallSetVector<mlir::Value, 2> Kin::*> ways) const {
  for (size_t i = 0; i < reached.size(); ++i)
    if (auto found = kin_.find(reached[i]); found != kin_.end())
      for (auto way : ways)
        reached.insert((found->second.*way).begin(), (found->second.*way).end());
}

llvm::SmallVector<mlir::Value> HandleKinship::inside(mlir::Value handle) const {
  llvm::SetVector<mlir::Value> reached;
  reached.insert(handle);
  follow(reached, {&Kin::parts, &Kin::inner});
  follow(reached, {&Kin::wholes}); // what holds one of them besides others, but not what is inside of the others
  return llvm::SmallVector<mlir::Value>(llvm::ArrayRef(reached.getArrayRef()).drop_front());
}

} // namespace fuselage

#include "core/run/values/Positions.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace fuselage {

Operation *angleOf(Value value) {
  llvm::SmallPtrSet<Value, 16> seen{value};
  SmallVector<Value> pending{value};
  auto follow = [&](Value next) {
    if (seen.insert(next).second)
      pending.push_back(next);
  };
  constexpr size_t most = 200; // beyond that it is anything
  while (!pending.empty() && seen.size() < most)
    for (OpOperand &use : pending.pop_back_val().getUses()) {
      Operation *op = use.getOwner();
      if (llvm::isa<math::SinOp, math::CosOp, math::TanOp, math::SincosOp>(op))
        return op;
      if (auto structured = llvm::dyn_cast<linalg::LinalgOp>(op))
        follow(structured.getMatchingBlockArgument(&use));
      else if (llvm::isa<linalg::YieldOp>(op) && use.getOperandNumber() < op->getParentOp()->getNumResults())
        follow(op->getParentOp()->getResult(use.getOperandNumber()));
      else if (llvm::isa<arith::MulFOp, arith::AddFOp, arith::DivFOp, arith::ExtFOp, arith::TruncFOp>(op) ||
               (llvm::isa_and_nonnull<tensor::TensorDialect>(op->getDialect()) && op->getNumResults() == 1))
        follow(op->getResult(0));
    }
  return nullptr;
}

bool isIota(Value value, unsigned depth) {
  DenseIntElementsAttr elements;
  if (matchPattern(value, m_Constant(&elements)) && llvm::isa<ShapedType>(value.getType()) && !elements.isSplat() &&
      elements.getNumElements() > 1) {
    auto numbers = elements.getValues<APInt>();
    return numbers[1] == numbers[0] + 1 &&
           numbers[elements.getNumElements() - 1] == numbers[0] + (elements.getNumElements() - 1);
  }
  if (depth == 0)
    return false;
  auto argument = llvm::dyn_cast<BlockArgument>(value);
  if (argument) {
    auto owner = llvm::dyn_cast<linalg::LinalgOp>(argument.getOwner()->getParentOp());
    return owner && argument.getArgNumber() < unsigned(owner.getNumDpsInputs()) &&
           isIota(owner->getOperand(argument.getArgNumber()), depth - 1);
  }
  Operation *op = value.getDefiningOp();
  if (llvm::isa<linalg::IndexOp>(op))
    return true;
  if (auto structured = llvm::dyn_cast<linalg::LinalgOp>(op))
    return isIota(structured.getBlock()->getTerminator()->getOperand(llvm::cast<OpResult>(value).getResultNumber()),
                  depth - 1);
  bool moves = llvm::isa<arith::IndexCastOp, arith::IndexCastUIOp, arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp,
                         arith::SIToFPOp, arith::FPToSIOp, tensor::CastOp, tensor::ExpandShapeOp,
                         tensor::CollapseShapeOp, tensor::ExtractSliceOp>(op);
  APInt constant;
  bool isMoved =
      llvm::isa<arith::AddIOp, arith::SubIOp>(op) && matchPattern(op->getOperand(1), m_ConstantInt(&constant));
  return (moves || isMoved) && isIota(op->getOperand(0), depth - 1);
}

} // namespace fuselage

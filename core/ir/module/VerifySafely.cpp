#include "core/ir/module/VerifySafely.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Verifier.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace fuselage {

/// Whether there is an operand for each `?` of the list. A list that is missing is the verifier's
/// to report.
static bool isComplete(DenseI64ArrayAttr list, size_t operands) {
  return !list || size_t(llvm::count(list.asArrayRef(), ShapedType::kDynamic)) == operands;
}

static bool hasItsOperands(Operation *op) {
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case<linalg::PackOp, linalg::UnPackOp>([](auto op) {
        return isComplete(op.getStaticInnerTilesAttr(), op.getInnerTiles().size());
      })
      .Case<affine::AffineDelinearizeIndexOp, affine::AffineLinearizeIndexOp>(
          [](auto op) { return isComplete(op.getStaticBasisAttr(), op.getDynamicBasis().size()); })
      .Case<vector::ExtractOp, vector::InsertOp>([](auto op) {
        return isComplete(op.getStaticPositionAttr(), op.getDynamicPosition().size());
      })
      .Case<tensor::ExpandShapeOp, memref::ExpandShapeOp>([](auto op) {
        return isComplete(op.getStaticOutputShapeAttr(), op.getOutputShape().size());
      })
      .Case([](tensor::PadOp op) {
        return isComplete(op.getStaticLowAttr(), op.getLow().size()) &&
               isComplete(op.getStaticHighAttr(), op.getHigh().size());
      })
      .Case([](scf::ForallOp op) {
        return isComplete(op.getStaticLowerBoundAttr(), op.getDynamicLowerBound().size()) &&
               isComplete(op.getStaticUpperBoundAttr(), op.getDynamicUpperBound().size()) &&
               isComplete(op.getStaticStepAttr(), op.getDynamicStep().size());
      })
      .Case<tensor::ExtractSliceOp, tensor::InsertSliceOp, tensor::ParallelInsertSliceOp,
            memref::SubViewOp, memref::ReinterpretCastOp>([](auto op) {
        return isComplete(op.getStaticOffsetsAttr(), op.getOffsets().size()) &&
               isComplete(op.getStaticSizesAttr(), op.getSizes().size()) &&
               isComplete(op.getStaticStridesAttr(), op.getStrides().size());
      })
      .Default(true);
}

static LogicalResult refuseIncomplete(Operation *op) {
  return hasItsOperands(op)
             ? success()
             : op->emitOpError("has not as many operands as its lists have dynamic places");
}

LogicalResult verifySafely(Operation *op, bool recursively) {
  bool isFine = true;
  if (recursively)
    op->walk([&](Operation *nested) { isFine &= succeeded(refuseIncomplete(nested)); });
  else
    isFine = succeeded(refuseIncomplete(op));
  return isFine ? verify(op, recursively) : failure();
}

} // namespace fuselage

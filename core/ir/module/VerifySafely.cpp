#include "core/ir/module/VerifySafely.h"
#include "core/ir/module/VerifyParts.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.h"
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
      .Case<linalg::PackOp, linalg::UnPackOp>(
          [](auto op) { return isComplete(op.getStaticInnerTilesAttr(), op.getInnerTiles().size()); })
      .Case<affine::AffineDelinearizeIndexOp, affine::AffineLinearizeIndexOp>(
          [](auto op) { return isComplete(op.getStaticBasisAttr(), op.getDynamicBasis().size()); })
      .Case<vector::ExtractOp, vector::InsertOp>(
          [](auto op) { return isComplete(op.getStaticPositionAttr(), op.getDynamicPosition().size()); })
      .Case<tensor::ExpandShapeOp, memref::ExpandShapeOp>(
          [](auto op) { return isComplete(op.getStaticOutputShapeAttr(), op.getOutputShape().size()); })
      .Case([](tensor::PadOp op) {
        return isComplete(op.getStaticLowAttr(), op.getLow().size()) &&
               isComplete(op.getStaticHighAttr(), op.getHigh().size());
      })
      .Case([](scf::ForallOp op) {
        return isComplete(op.getStaticLowerBoundAttr(), op.getDynamicLowerBound().size()) &&
               isComplete(op.getStaticUpperBoundAttr(), op.getDynamicUpperBound().size()) &&
               isComplete(op.getStaticStepAttr(), op.getDynamicStep().size());
      })
      .Case<tensor::ExtractSliceOp, tensor::InsertSliceOp, tensor::ParallelInsertSliceOp, memref::SubViewOp,
            memref::ReinterpretCastOp>([](auto op) {
        return isComplete(op.getStaticOffsetsAttr(), op.getOffsets().size()) &&
               isComplete(op.getStaticSizesAttr(), op.getSizes().size()) &&
               isComplete(op.getStaticStridesAttr(), op.getStrides().size());
      })
      .Case(
          [](transform::TileUsingForOp op) { return isComplete(op.getStaticSizesAttr(), op.getDynamicSizes().size()); })
      .Case([](transform::TileUsingForallOp op) {
        return isComplete(op.getStaticNumThreadsAttr(), op.getNumThreads().size()) &&
               isComplete(op.getStaticTileSizesAttr(), op.getTileSizes().size());
      })
      .Case([](transform::FuseOp op) {
        return isComplete(op.getStaticTileSizesAttr(), op.getTileSizes().size()) &&
               isComplete(op.getStaticTileInterchangeAttr(), op.getTileInterchange().size());
      })
      .Case([](transform::VectorizeOp op) {
        return isComplete(op.getStaticVectorSizesAttr(), op.getVectorSizes().size());
      })
      .Case([](transform::PadOp op) {
        return isComplete(op.getStaticPadToMultipleOfAttr(), op.getPadToMultipleOf().size());
      })
      .Case([](transform::PadTilingInterfaceOp op) {
        return isComplete(op.getStaticPaddingSizesAttr(), op.getPaddingSizes().size());
      })
      .Case([](transform::PackOp op) { return isComplete(op.getStaticPackedSizesAttr(), op.getPackedSizes().size()); })
      .Case([](transform::PackGreedilyOp op) {
        return isComplete(op.getStaticMatmulPackedSizesAttr(), op.getMatmulPackedSizes().size());
      })
      .Default(true);
}

/// Whether the groups of a reshape cut the dimensions of the larger shape in order, none of them empty.
static bool hasItsGroups(Operation *op) {
  bool isExpand = isa<tensor::ExpandShapeOp, memref::ExpandShapeOp>(op);
  if (!isExpand && !isa<tensor::CollapseShapeOp, memref::CollapseShapeOp>(op))
    return true;
  auto groups = op->getAttrOfType<ArrayAttr>("reassociation");
  Type type = isExpand ? op->getResult(0).getType() : op->getNumOperands() ? op->getOperand(0).getType() : Type();
  auto expanded = dyn_cast_if_present<ShapedType>(type);
  if (!groups || groups.empty() || !expanded || !expanded.hasRank())
    return true; // the verifier's to report
  int64_t next = 0;
  for (Attribute attribute : groups) {
    auto group = dyn_cast<ArrayAttr>(attribute);
    if (!group || group.empty())
      return false;
    for (Attribute dim : group)
      if (auto number = dyn_cast<IntegerAttr>(dim); !number || number.getValue().getSExtValue() != next++)
        return false;
  }
  return next == expanded.getRank();
}

static LogicalResult refuseIncomplete(Operation *op) {
  if (!hasItsGroups(op))
    return op->emitOpError("has groups of dimensions that do not cut those of the larger shape in order");
  return hasItsOperands(op) ? success() : op->emitOpError("has not as many operands as its lists have dynamic places");
}

LogicalResult verifyQuickly(Operation *op) {
  auto isSafe = [](Operation *nested) { return hasItsGroups(nested) && hasItsOperands(nested); };
  return verifyParts(op, isSafe) ? success() : verifySafely(op);
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

#include "core/transforms/foreign/PortableConcats.h"
#include "core/dialects/flow/Flow.h"
#include "core/transforms/foreign/ForeignOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;

namespace fuselage {

static Value transposed(OpBuilder &builder, Location loc, Value value, ArrayRef<int64_t> permutation) {
  if (auto transpose = value.getDefiningOp<linalg::TransposeOp>();
      transpose && transpose.getPermutation() == ArrayRef<int64_t>(invertPermutationVector(permutation)))
    return transpose.getInput();
  SmallVector<OpFoldResult> sizes =
      applyPermutation(ArrayRef<OpFoldResult>(tensor::getMixedSizes(builder, loc, value)), permutation);
  Value init = tensor::EmptyOp::create(builder, loc, sizes, getElementTypeOrSelf(value));
  return linalg::TransposeOp::create(builder, loc, value, init, permutation)->getResult(0);
}

/// Lets a dispatch write a result transposed. False: somebody else reads it as it is.
static bool transposeResult(OpBuilder &builder, OpResult result, ArrayRef<int64_t> permutation) {
  auto region = dyn_cast<flow::DispatchRegionOp>(result.getOwner());
  if (!region || !result.hasOneUse())
    return false;
  Operation *terminator = region.getBody().front().getTerminator();
  OpOperand &returned = terminator->getOpOperand(result.getResultNumber());
  builder.setInsertionPoint(terminator);
  auto op = returned.get().getDefiningOp<linalg::GenericOp>();
  bool isElementwise =
      op && op->getParentOp() == region && op.getNumReductionLoops() == 0 && returned.get().hasOneUse();
  if (!isElementwise) {
    returned.set(transposed(builder, op ? op.getLoc() : region.getLoc(), returned.get(), permutation));
  } else { // it stores each element elsewhere
    auto number = cast<OpResult>(returned.get()).getResultNumber();
    OpOperand &init = op.getDpsInitsMutable()[number];
    if (op.payloadUsesValueFromOperand(&init))
      return false;
    builder.setInsertionPoint(op);
    SmallVector<OpFoldResult> sizes =
        applyPermutation(ArrayRef<OpFoldResult>(tensor::getMixedSizes(builder, op.getLoc(), init.get())), permutation);
    init.set(tensor::EmptyOp::create(builder, op.getLoc(), sizes, getElementTypeOrSelf(init.get())));
    SmallVector<AffineMap> maps = op.getIndexingMapsArray();
    AffineMap &map = maps[init.getOperandNumber()];
    map = AffineMap::get(map.getNumDims(), 0, applyPermutation(map.getResults(), permutation), map.getContext());
    op.setIndexingMapsAttr(builder.getAffineMapArrayAttr(maps));
    op->getResult(number).setType(cast<RankedTensorType>(init.get().getType()));
  }
  result.setType(returned.get().getType());
  return true;
}

static void joinAlongOutermost(OpBuilder &builder, tensor::ConcatOp concat) {
  int64_t dim = concat.getDim(), rank = concat.getResultType().getRank();
  SmallVector<int64_t> permutation = {dim};
  for (int64_t other = 0; other < rank; ++other)
    if (other != dim)
      permutation.push_back(other);
  SmallVector<Value> parts;
  for (OpOperand &operand : concat->getOpOperands()) {
    auto result = dyn_cast<OpResult>(operand.get());
    if (result && transposeResult(builder, result, permutation)) {
      parts.push_back(result);
      continue;
    }
    builder.setInsertionPoint(concat);
    parts.push_back(transposed(builder, concat.getLoc(), operand.get(), permutation));
  }
  builder.setInsertionPoint(concat);
  Value joined = tensor::ConcatOp::create(builder, concat.getLoc(), 0, parts);
  concat.replaceAllUsesWith(transposed(builder, concat.getLoc(), joined, invertPermutationVector(permutation)));
  concat->erase();
}

void joinAlongOutermost(ModuleOp module) {
  auto isInner = [](Operation *op) {
    auto concat = dyn_cast<tensor::ConcatOp>(op);
    auto isStatic = [](Type type) { return cast<RankedTensorType>(type).hasStaticShape(); };
    if (!concat || concat->getParentOfType<flow::DispatchRegionOp>() || !isStatic(concat.getType()) ||
        !llvm::all_of(concat->getOperandTypes(), isStatic))
      return false;
    ArrayRef<int64_t> shape = concat.getResultType().getShape();
    return llvm::any_of(shape.take_front(concat.getDim()), [](int64_t size) { return size != 1; });
  };
  OpBuilder builder(module.getContext());
  for (Operation *op : collectOps(module, isInner))
    joinAlongOutermost(builder, cast<tensor::ConcatOp>(op));
}

} // namespace fuselage

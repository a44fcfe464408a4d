#include "core/transforms/unlock/ElementReader.h"
#include "core/transforms/unlock/ElementwiseFusion.h"
#include "core/transforms/unlock/ReshapePropagation.h"

using namespace mlir;

namespace fuselage {

bool ElementReader::isReadHere(linalg::LinalgOp op) {
  return isElementwiseOp(op) && isOutsideDispatch(op) && op->hasOneUse() && isCheapToRepeat(op) &&
         op.getIndexingMapsArray().back().isPermutation() &&
         llvm::all_of(op.getIndexingMapsArray(), [](AffineMap map) { return isProjectedPermutationWithZeros(map); }) &&
         !op.payloadUsesValueFromOperand(op.getDpsInitOperand(0));
}

/// A pad by known numbers of one scalar, of a source that has elements to read where it is padded.
static bool isPlainPad(tensor::PadOp pad) {
  auto isKnown = [](auto dim) {
    auto [low, high, size] = dim;
    return (low == 0 && high == 0 && size != 0) || size > 0; // dynamic sizes are negative
  };
  return isScalarPad(pad) && pad.getLow().empty() && pad.getHigh().empty() &&
         llvm::all_of(llvm::zip_equal(pad.getStaticLow(), pad.getStaticHigh(), pad.getSourceType().getShape()),
                      isKnown);
}

Value ElementReader::read(Value value, ArrayRef<Value> indices) {
  if (auto slice = value.getDefiningOp<tensor::ExtractSliceOp>())
    return read(slice.getSource(), indicesOfSource(slice, indices));
  if (auto pad = value.getDefiningOp<tensor::PadOp>(); pad && isPlainPad(pad))
    return readPad(pad, indices);
  Operation *op = value.getDefiningOp();
  if (op && isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op) && isUnitReshape(op))
    return read(op->getOperand(0), indicesThroughUnits(op, indices));
  if (auto inner = dyn_cast_if_present<linalg::LinalgOp>(op); inner && isReadHere(inner))
    return compute(inner, indices);
  return tensor::ExtractOp::create(builder_, loc_, value, indices);
}

Value ElementReader::constant(int64_t value) { return arith::ConstantIndexOp::create(builder_, loc_, value); }

ElementReader::Indices ElementReader::indicesOfSource(tensor::ExtractSliceOp slice, ArrayRef<Value> indices) {
  llvm::SmallBitVector dropped = slice.getDroppedDims();
  Indices result;
  size_t next = 0;
  for (auto [dim, offset, stride] : llvm::enumerate(slice.getMixedOffsets(), slice.getMixedStrides())) {
    Value position = getValueOrCreateConstantIndexOp(builder_, loc_, offset);
    if (!dropped.test(dim)) {
      Value step = getValueOrCreateConstantIndexOp(builder_, loc_, stride);
      Value index = builder_.createOrFold<arith::MulIOp>(loc_, indices[next++], step);
      position = builder_.createOrFold<arith::AddIOp>(loc_, index, position);
    }
    result.push_back(position);
  }
  return result;
}

/// The dimensions of other sizes than 1 keep their order.
ElementReader::Indices ElementReader::indicesThroughUnits(Operation *reshape, ArrayRef<Value> indices) {
  auto source = cast<RankedTensorType>(reshape->getOperand(0).getType());
  auto result = cast<RankedTensorType>(reshape->getResult(0).getType());
  Indices wide, own;
  for (auto [dim, size] : llvm::enumerate(result.getShape()))
    if (size != 1)
      wide.push_back(indices[dim]);
  size_t next = 0;
  for (int64_t size : source.getShape())
    own.push_back(size == 1 ? constant(0) : wide[next++]);
  return own;
}

/// Outside of the source its nearest element is read, and not used.
Value ElementReader::readPad(tensor::PadOp pad, ArrayRef<Value> indices) {
  Indices nearest;
  Value isInside;
  auto require = [&](Value condition) {
    isInside = isInside ? arith::AndIOp::create(builder_, loc_, isInside, condition).getResult() : condition;
  };
  for (auto [index, low, high, size] :
       llvm::zip_equal(indices, pad.getStaticLow(), pad.getStaticHigh(), pad.getSourceType().getShape())) {
    Value position = index;
    if (low != 0) {
      position = arith::SubIOp::create(builder_, loc_, index, constant(low));
      require(arith::CmpIOp::create(builder_, loc_, arith::CmpIPredicate::sge, position, constant(0)));
    }
    if (low != 0 || high != 0) {
      require(arith::CmpIOp::create(builder_, loc_, arith::CmpIPredicate::slt, position, constant(size)));
      position = arith::MinSIOp::create(builder_, loc_, position, constant(size - 1));
    }
    if (low != 0)
      position = arith::MaxSIOp::create(builder_, loc_, position, constant(0));
    nearest.push_back(position);
  }
  Value element = read(pad.getSource(), nearest);
  if (!isInside)
    return element;
  return arith::SelectOp::create(builder_, loc_, isInside, element, pad.getConstantPaddingValue());
}

Value ElementReader::compute(linalg::LinalgOp op, ArrayRef<Value> indices) {
  AffineMap toLoops = inversePermutation(op.getIndexingMapsArray().back());
  Indices loops;
  for (AffineExpr expr : toLoops.getResults())
    loops.push_back(indices[cast<AffineDimExpr>(expr).getPosition()]);
  IRMapping mapping;
  for (OpOperand *input : op.getDpsInputOperands()) {
    if (!isa<RankedTensorType>(input->get().getType())) {
      mapping.map(op.getMatchingBlockArgument(input), input->get());
      continue;
    }
    Indices own;
    for (AffineExpr expr : op.getMatchingIndexingMap(input).getResults())
      own.push_back(isa<AffineDimExpr>(expr) ? loops[cast<AffineDimExpr>(expr).getPosition()] : constant(0));
    mapping.map(op.getMatchingBlockArgument(input), read(input->get(), own));
  }
  for (Operation &payload : op.getBlock()->without_terminator()) {
    if (auto index = dyn_cast<linalg::IndexOp>(payload))
      mapping.map(index.getResult(), loops[index.getDim()]);
    else
      builder_.clone(payload, mapping);
  }
  return mapping.lookupOrDefault(op.getBlock()->getTerminator()->getOperand(0));
}

} // namespace fuselage

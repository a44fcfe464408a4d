#include "core/transforms/workgroups/DispatchNormalization.h"
#include "core/transforms/composites/UpstreamComposites.h"
#include "core/transforms/dispatch/DispatchBody.h"
#include "core/transforms/workgroups/BroadcastFolding.h"
#include "core/transforms/workgroups/reductions/WidenAccumulators.h"
#include "core/transforms/workgroups/sizes/TilingConfig.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/TilingInterface.h"

using namespace mlir;

namespace fuselage {

Value paddedElement(OpBuilder &builder, Location loc, tensor::PadOp pad, ArrayRef<Value> indices) {
  SmallVector<Value> inside;
  Value isInside;
  auto shape = pad.getSourceType().getShape();
  auto constant = [&](int64_t value) -> Value { return arith::ConstantIndexOp::create(builder, loc, value); };
  SmallVector<OpFoldResult> low = pad.getMixedLowPad(), high = pad.getMixedHighPad();
  for (auto [dim, size] : llvm::enumerate(shape)) {
    Value index = indices[dim];
    if (isConstantIntValue(low[dim], 0) && isConstantIntValue(high[dim], 0)) {
      inside.push_back(index);
      continue;
    }
    Value before = getValueOrCreateConstantIndexOp(builder, loc, low[dim]);
    Value shifted = arith::SubIOp::create(builder, loc, index, before);
    // Unsigned: an index before the source wraps around and is beyond its end.
    Value fits = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, shifted, constant(size));
    isInside = isInside ? arith::AndIOp::create(builder, loc, isInside, fits) : fits;
    inside.push_back(arith::SelectOp::create(builder, loc, fits, shifted, constant(0)));
  }
  Value element = tensor::ExtractOp::create(builder, loc, pad.getSource(), inside);
  if (!isInside)
    return element;
  IRMapping mapping;
  Block &body = pad.getRegion().front();
  mapping.map(body.getArguments(), indices);
  for (Operation &op : body.without_terminator())
    builder.clone(op, mapping);
  Value padding = mapping.lookupOrDefault(cast<tensor::YieldOp>(body.getTerminator()).getValue());
  return arith::SelectOp::create(builder, loc, isInside, element, padding);
}

bool canReadPadded(tensor::PadOp pad) {
  RankedTensorType type = pad.getResultType();
  RankedTensorType source = pad.getSourceType();
  bool isStatic = source.hasStaticShape() && type.hasStaticShape();
  if (!isStatic || source.getNumElements() == 0 || type.getNumElements() == 0)
    return false;
  // A negative padding crops, which the comparison above does not cover.
  for (SmallVector<OpFoldResult> sides : {pad.getMixedLowPad(), pad.getMixedHighPad()})
    for (OpFoldResult side : sides)
      if (std::optional<int64_t> value = getConstantIntValue(side); value && *value < 0)
        return false;
  return true;
}

/// tensor.pad as a linalg.generic without inputs.
static void generalizePad(RewriterBase &rewriter, tensor::PadOp pad) {
  if (!canReadPadded(pad))
    return;
  RankedTensorType type = pad.getResultType();
  rewriter.setInsertionPoint(pad);
  Value init = tensor::EmptyOp::create(rewriter, pad.getLoc(), type.getShape(), type.getElementType());
  SmallVector<AffineMap> maps{rewriter.getMultiDimIdentityMap(type.getRank())};
  SmallVector<utils::IteratorType> iterators(type.getRank(), utils::IteratorType::parallel);
  auto generic =
      linalg::GenericOp::create(rewriter, pad.getLoc(), TypeRange{type}, ValueRange{}, ValueRange{init}, maps,
                                iterators, [&](OpBuilder &builder, Location loc, ValueRange) {
                                  SmallVector<Value> indices;
                                  for (int64_t dim = 0; dim < type.getRank(); ++dim)
                                    indices.push_back(linalg::IndexOp::create(builder, loc, dim));
                                  linalg::YieldOp::create(builder, loc, paddedElement(builder, loc, pad, indices));
                                });
  rewriter.replaceOp(pad, generic.getResults());
}

/// `value` as what an op of its own copies: elements that are only moved have a kernel, too.
static Value copied(RewriterBase &rewriter, Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  if (!type.hasStaticShape() || type.getNumElements() == 0)
    return value;
  Value empty = tensor::EmptyOp::create(rewriter, value.getLoc(), type.getShape(), type.getElementType());
  return linalg::CopyOp::create(rewriter, value.getLoc(), value, empty)->getResult(0);
}

/// Whether an op of the block makes the value for one reader: it can write to where that wants it.
static bool isMadeFor(Value value, Block &body) {
  Operation *producer = value.getDefiningOp();
  return producer && producer->getBlock() == &body && value.hasOneUse() &&
         (asTileable(producer) || isa<tensor::EmptyOp, tensor::InsertSliceOp>(producer));
}

/// Joins are written part by part, by the ops that make these or by copies.
static void separateParts(RewriterBase &rewriter, Block &body) {
  for (tensor::ConcatOp concat : llvm::make_early_inc_range(body.getOps<tensor::ConcatOp>())) {
    rewriter.setInsertionPoint(concat);
    FailureOr<SmallVector<Value>> joined = concat.decomposeOperation(rewriter);
    if (succeeded(joined))
      rewriter.replaceOp(concat, *joined);
  }
  for (tensor::InsertSliceOp insertion : llvm::make_early_inc_range(body.getOps<tensor::InsertSliceOp>())) {
    rewriter.setInsertionPoint(insertion);
    for (OpOperand *part : {&insertion.getSourceMutable(), &insertion.getDestMutable()})
      if (!isMadeFor(part->get(), body))
        part->set(copied(rewriter, part->get()));
    // What it writes to is the whole as the parts before left it, which has to be there.
    if (Value part = insertion.getSource(); isMadeFor(part, body) && part.getDefiningOp()->getNumResults() == 1)
      rewriter.moveOpBefore(part.getDefiningOp(), insertion);
  }
  Operation *end = body.getTerminator();
  rewriter.setInsertionPoint(end);
  for (OpOperand &result : end->getOpOperands())
    if (result.get().getDefiningOp<tensor::ExtractSliceOp>())
      result.set(copied(rewriter, result.get()));
}

/// True if a result dimension of one element is indexed by a constant.
static bool hasConstantResultIndex(linalg::GenericOp op) {
  for (OpOperand &init : op.getDpsInitsMutable())
    for (AffineExpr expr : op.getMatchingIndexingMap(&init).getResults())
      if (isa<AffineConstantExpr>(expr))
        return true;
  return false;
}

/// Gives every constant index of a result dimension of one element a parallel loop.
static void addUnitLoops(RewriterBase &rewriter, linalg::GenericOp op) {
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
  unsigned loops = iterators.size();
  unsigned firstInit = op.getNumDpsInputs();
  for (auto [number, init] : llvm::enumerate(op.getDpsInits())) {
    ArrayRef<int64_t> shape = cast<RankedTensorType>(init.getType()).getShape();
    SmallVector<AffineExpr> exprs(maps[firstInit + number].getResults());
    for (auto [dim, expr] : llvm::enumerate(exprs)) {
      auto index = dyn_cast<AffineConstantExpr>(expr);
      if (!index || index.getValue() != 0 || shape[dim] != 1)
        continue;
      expr = rewriter.getAffineDimExpr(loops++);
      iterators.push_back(utils::IteratorType::parallel);
    }
    maps[firstInit + number] = AffineMap::get(loops, 0, exprs, rewriter.getContext());
  }
  if (loops == op.getNumLoops())
    return;
  for (AffineMap &map : maps)
    map = AffineMap::get(loops, 0, map.getResults(), rewriter.getContext());
  rewriter.modifyOpInPlace(op, [&] {
    op.setIndexingMapsAttr(rewriter.getAffineMapArrayAttr(maps));
    SmallVector<Attribute> types;
    for (utils::IteratorType type : iterators)
      types.push_back(linalg::IteratorTypeAttr::get(rewriter.getContext(), type));
    op.setIteratorTypesAttr(rewriter.getArrayAttr(types));
  });
  // Requested sizes are for the same number of loops.
  TilingConfig config = readTilingConfig(op);
  for (SmallVector<int64_t> *sizes : {&config.workgroup, &config.reduction, &config.split})
    if (!sizes->empty())
      sizes->resize(loops, 0);
  writeTilingConfig(op, config);
}

/// Whether the loops of `op` have their bounds without `input`.
static bool hasBoundsWithout(linalg::GenericOp op, OpOperand &input) {
  llvm::SmallBitVector bounded(op.getNumLoops());
  for (OpOperand &operand : op->getOpOperands())
    if (&operand != &input)
      for (AffineExpr expr : op.getMatchingIndexingMap(&operand).getResults())
        if (auto dim = dyn_cast<AffineDimExpr>(expr))
          bounded.set(dim.getPosition());
  return bounded.all();
}

/// Elements that lie in another order than that of the loops, as in `(d0) -> (7 - d0)`, are gathered
/// one by one: no slice of the tensor is what a tile reads.
static void pickElements(RewriterBase &rewriter, linalg::GenericOp op) {
  for (unsigned number = op.getNumDpsInputs(); number-- > 0;) {
    OpOperand &input = op->getOpOperand(number);
    AffineMap map = op.getMatchingIndexingMap(&input);
    if (isMonotone(map) || !isa<RankedTensorType>(input.get().getType()) || !hasBoundsWithout(op, input))
      continue;
    Location loc = op.getLoc();
    Block &body = *op.getBody();
    rewriter.setInsertionPointToStart(&body);
    SmallVector<OpFoldResult> loops;
    for (unsigned loop = 0; loop < op.getNumLoops(); ++loop)
      loops.push_back(linalg::IndexOp::create(rewriter, loc, loop).getResult());
    SmallVector<Value> indices;
    for (OpFoldResult index : affine::makeComposedFoldedMultiResultAffineApply(rewriter, loc, map, loops))
      indices.push_back(getValueOrCreateConstantIndexOp(rewriter, loc, index));
    Value element = tensor::ExtractOp::create(rewriter, loc, input.get(), indices);
    rewriter.replaceAllUsesWith(body.getArgument(number), element);
    SmallVector<AffineMap> maps = op.getIndexingMapsArray();
    maps.erase(maps.begin() + number);
    rewriter.modifyOpInPlace(op, [&] {
      body.eraseArgument(number);
      op.getInputsMutable().erase(number);
      op.setIndexingMapsAttr(rewriter.getAffineMapArrayAttr(maps));
    });
  }
}

void addUnitLoops(RewriterBase &rewriter, Block &body) {
  for (linalg::GenericOp op : llvm::make_early_inc_range(body.getOps<linalg::GenericOp>()))
    if (op.hasPureTensorSemantics() && hasConstantResultIndex(op))
      addUnitLoops(rewriter, op);
}

static void decomposeComposite(RewriterBase &rewriter, linalg::AggregatedOpInterface op) {
  if (FailureOr<SmallVector<Value>> parts = decompose(rewriter, op); succeeded(parts))
    rewriter.replaceOp(op, *parts);
}

void normalizeDispatch(RewriterBase &rewriter, Block &body) {
  OpBuilder::InsertionGuard guard(rewriter);
  for (Operation &op : llvm::make_early_inc_range(body)) {
    bool onTensors = llvm::all_of(op.getResultTypes(), llvm::IsaPred<RankedTensorType>);
    if (!onTensors || op.getNumResults() == 0)
      continue;
    if (auto composite = dyn_cast<linalg::AggregatedOpInterface>(op))
      decomposeComposite(rewriter, composite);
    else if (auto pad = dyn_cast<tensor::PadOp>(op))
      generalizePad(rewriter, pad);
  }
  for (linalg::LinalgOp op : llvm::to_vector(body.getOps<linalg::LinalgOp>()))
    widenAccumulators(rewriter, op);
  for (linalg::GenericOp op : llvm::make_early_inc_range(body.getOps<linalg::GenericOp>()))
    if (op.hasPureTensorSemantics())
      pickElements(rewriter, op);
  separateParts(rewriter, body);
  addUnitLoops(rewriter, body);
  foldBroadcasts(rewriter, body);
}

} // namespace fuselage

#include "core/transforms/workgroups/UnevenSteps.h"
#include "core/transforms/workgroups/sizes/IterationSpace.h"
#include "core/transforms/workgroups/sizes/TilingConfig.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace fuselage {

std::optional<unsigned> unevenLoop(linalg::LinalgOp op, ArrayRef<int64_t> steps) {
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  auto tileable = dyn_cast<TilingInterface>(op.getOperation());
  if (!tileable || ShapedType::isDynamicShape(ranges) || workKindOf(tileable) != WorkKind::Contraction)
    return std::nullopt;
  std::optional<unsigned> uneven;
  for (auto [loop, step] : llvm::enumerate(steps)) {
    if (step == 0)
      continue;
    if (uneven || step > ranges[loop] || ranges[loop] % step == 0)
      return std::nullopt;
    uneven = loop;
  }
  return uneven;
}

/// Returns `tile` with zeros before index `first` of dimension `dim`.
static Value zeroBefore(RewriterBase &rewriter, Location loc, Value tile, unsigned dim, Value first) {
  auto type = cast<RankedTensorType>(tile.getType());
  Value zero = arith::ConstantOp::create(rewriter, loc, rewriter.getZeroAttr(type.getElementType()));
  Value empty = tensor::EmptyOp::create(rewriter, loc, type.getShape(), type.getElementType());
  AffineMap identity = rewriter.getMultiDimIdentityMap(type.getRank());
  SmallVector<utils::IteratorType> iterators(type.getRank(), utils::IteratorType::parallel);
  return linalg::GenericOp::create(rewriter, loc, type, tile, empty, ArrayRef<AffineMap>{identity, identity}, iterators,
                                   [&](OpBuilder &builder, Location inner, ValueRange arguments) {
                                     Value index = linalg::IndexOp::create(builder, inner, dim);
                                     Value isNew =
                                         arith::CmpIOp::create(builder, inner, arith::CmpIPredicate::uge, index, first);
                                     Value value =
                                         arith::SelectOp::create(builder, inner, isNew, arguments.front(), zero);
                                     linalg::YieldOp::create(builder, inner, value);
                                   })
      .getResult(0);
}

void tileUnevenly(RewriterBase &rewriter, linalg::LinalgOp op, unsigned loop, ArrayRef<int64_t> steps) {
  Location loc = op.getLoc();
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  int64_t range = ranges[loop], step = steps[loop];
  rewriter.setInsertionPoint(op);
  auto constant = [&](int64_t value) -> Value { return arith::ConstantIndexOp::create(rewriter, loc, value); };
  SmallVector<Value> inits(op.getDpsInits());
  auto serial = scf::ForOp::create(rewriter, loc, constant(0), constant(range), constant(step), inits);
  rewriter.setInsertionPointToStart(serial.getBody());
  AffineExpr at = rewriter.getAffineDimExpr(0), last = rewriter.getAffineConstantExpr(range - step);
  auto map = [&](AffineExpr first, AffineExpr second) {
    return AffineMap::get(1, 0, {first, second}, rewriter.getContext());
  };
  Value start = affine::AffineMinOp::create(rewriter, loc, map(at, last), serial.getInductionVar());
  Value repeated = affine::AffineMaxOp::create(rewriter, loc, map(rewriter.getAffineConstantExpr(0), at - last),
                                               serial.getInductionVar());
  SmallVector<OpFoldResult> offsets(ranges.size(), rewriter.getIndexAttr(0)), sizes;
  for (int64_t size : ranges)
    sizes.push_back(rewriter.getIndexAttr(size));
  offsets[loop] = start;
  sizes[loop] = rewriter.getIndexAttr(step);
  FailureOr<TilingResult> tiled =
      cast<TilingInterface>(op.getOperation()).getTiledImplementation(rewriter, offsets, sizes);
  auto tile = succeeded(tiled) && tiled->tiledOps.size() == 1 ? dyn_cast<linalg::LinalgOp>(tiled->tiledOps.front())
                                                              : linalg::LinalgOp();
  if (!tile) {
    rewriter.eraseOp(serial);
    op->emitRemark("its reduction stays whole: the op cannot be tiled along it");
    return;
  }
  rewriter.setInsertionPoint(tile);
  for (OpOperand *input : tile.getDpsInputOperands())
    for (auto [dim, expr] : llvm::enumerate(tile.getMatchingIndexingMap(input).getResults()))
      if (expr == rewriter.getAffineDimExpr(loop))
        input->set(zeroBefore(rewriter, loc, input->get(), dim, repeated));
  for (auto [init, accumulator] : llvm::zip_equal(tile.getDpsInitsMutable(), serial.getRegionIterArgs()))
    init.set(accumulator);
  writeTilingConfig(tile,
                    {.workgroup = readTilingConfig(op).workgroup, .reduction = SmallVector<int64_t>(steps.size(), 0)});
  rewriter.setInsertionPointToEnd(serial.getBody());
  scf::YieldOp::create(rewriter, loc, tile->getResults());
  rewriter.replaceOp(op, serial.getResults());
}

} // namespace fuselage

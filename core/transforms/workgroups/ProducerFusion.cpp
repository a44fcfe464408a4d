#include "core/transforms/workgroups/ProducerFusion.h"
#include "core/transforms/tile_and_fuse/TileCleanup.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/SCF/Transforms/TileUsingInterface.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;

namespace fuselage {

/// The value from outside of `forall` that `value` stands for: itself, or a shared output's initial
/// value.
static Value outsideValue(scf::ForallOp forall, Value value) {
  for (auto [argument, output] : llvm::zip_equal(forall.getRegionIterArgs(), forall.getOutputs()))
    if (value == argument)
      return output;
  return value;
}

/// Puts a slice of everything in front of ops in `forall` that use all of `producer`, so that one
/// mechanism fuses all.
static void sliceWholeUses(RewriterBase &rewriter, Operation *producer, scf::ForallOp forall) {
  SmallVector<OpOperand *> uses;
  forall.getBody()->walk([&](Operation *op) {
    if (isa<tensor::ExtractSliceOp, tensor::ParallelInsertSliceOp, tensor::DimOp>(op) ||
        !isa<DestinationStyleOpInterface>(op))
      return;
    for (OpOperand &operand : op->getOpOperands())
      if (outsideValue(forall, operand.get()).getDefiningOp() == producer &&
          isa<RankedTensorType>(operand.get().getType()))
        uses.push_back(&operand);
  });
  for (OpOperand *use : uses) {
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPoint(use->getOwner());
    Location loc = use->getOwner()->getLoc();
    SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(rewriter, loc, use->get());
    SmallVector<OpFoldResult> offsets(sizes.size(), rewriter.getIndexAttr(0));
    SmallVector<OpFoldResult> strides(sizes.size(), rewriter.getIndexAttr(1));
    Value slice =
        tensor::ExtractSliceOp::create(rewriter, loc, cast<RankedTensorType>(use->get().getType()),
                                       use->get(), offsets, sizes, strides);
    rewriter.modifyOpInPlace(use->getOwner(), [&] { use->set(slice); });
  }
}

/// The slices of `producer` in the body of `forall`, in order.
static SmallVector<tensor::ExtractSliceOp> slicesOf(Operation *producer, scf::ForallOp forall) {
  SmallVector<tensor::ExtractSliceOp> slices;
  for (auto slice : forall.getBody()->getOps<tensor::ExtractSliceOp>())
    if (outsideValue(forall, slice.getSource()).getDefiningOp() == producer)
      slices.push_back(slice);
  return slices;
}

/// The multiple of one induction variable that `offset` is, as (loop, factor).
static std::optional<std::pair<unsigned, int64_t>> multipleOfLoop(scf::ForallOp forall,
                                                                  Value offset) {
  AffineMap map = AffineMap::getMultiDimIdentityMap(1, forall.getContext());
  SmallVector<Value> operands{offset};
  affine::fullyComposeAffineMapAndOperands(&map, &operands);
  affine::canonicalizeMapAndOperands(&map, &operands);
  if (operands.size() != 1 || map.getNumResults() != 1)
    return std::nullopt;
  auto iv = dyn_cast<BlockArgument>(operands.front());
  if (!iv || iv.getOwner() != forall.getBody() || iv.getArgNumber() >= forall.getRank())
    return std::nullopt;
  AffineExpr expr = map.getResult(0);
  if (isa<AffineDimExpr, AffineSymbolExpr>(expr))
    return std::pair(iv.getArgNumber(), int64_t(1));
  auto product = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!product || product.getKind() != AffineExprKind::Mul)
    return std::nullopt;
  auto factor = dyn_cast<AffineConstantExpr>(product.getRHS());
  if (!factor || !isa<AffineDimExpr, AffineSymbolExpr>(product.getLHS()))
    return std::nullopt;
  return std::pair(iv.getArgNumber(), factor.getValue());
}

/// True if the tiles that the workgroups compute are disjoint and make up the whole value. Static
/// shapes and equal tiles only: then it can be read off the slice.
static bool isPartition(tensor::ExtractSliceOp slice, scf::ForallOp forall) {
  auto type = cast<RankedTensorType>(slice.getSourceType());
  if (!forall.isNormalized() || !type.hasStaticShape() ||
      slice.getType().getRank() != type.getRank())
    return false;
  llvm::SmallBitVector moves(forall.getRank());
  SmallVector<OpFoldResult> counts = forall.getMixedUpperBound();
  for (auto [dim, offset, size, stride] : llvm::enumerate(
           slice.getMixedOffsets(), slice.getMixedSizes(), slice.getMixedStrides())) {
    std::optional<int64_t> length = getConstantIntValue(size);
    if (!length || !isConstantIntValue(stride, 1))
      return false;
    auto value = dyn_cast<Value>(offset);
    if (!value) {
      if (!isConstantIntValue(offset, 0) || *length != type.getDimSize(dim))
        return false;
      continue;
    }
    auto multiple = multipleOfLoop(forall, value);
    if (!multiple || multiple->second != *length || moves.test(multiple->first))
      return false;
    std::optional<int64_t> count = getConstantIntValue(counts[multiple->first]);
    if (!count || *count * *length != type.getDimSize(dim))
      return false;
    moves.set(multiple->first);
  }
  for (unsigned loop = 0; loop < forall.getRank(); ++loop)
    if (!moves.test(loop) && !isConstantIntValue(counts[loop], 1))
      return false;
  return true;
}

/// True if every use of `producer` outside of `forall` can read a result of the loop instead.
static bool usesFollow(Operation *producer, scf::ForallOp forall) {
  bool any = false;
  for (OpOperand &use : producer->getUses()) {
    Operation *user = producer->getBlock()->findAncestorOpInBlock(*use.getOwner());
    if (user == forall.getOperation() && use.getOwner() != forall.getOperation())
      continue; // a slice that was fused, or the size of one
    if (isa<tensor::DimOp>(use.getOwner()))
      continue;
    if (!user || user == forall.getOperation() || !forall->isBeforeInBlock(user))
      return false;
    any = true;
  }
  return any;
}

/// Returns `producer`'s value from the loop as well and lets the uses behind it read that.
static void yieldFromForall(RewriterBase &rewriter, Operation *producer,
                            tensor::ExtractSliceOp slice,
                            const scf::SCFFuseProducerOfSliceResult &fused,
                            scf::ForallOp &forall) {
  unsigned before = forall->getNumResults();
  LoopLikeOpInterface loops[] = {cast<LoopLikeOpInterface>(forall.getOperation())};
  SmallVector<unsigned> number{fused.origProducer.getResultNumber()};
  if (failed(scf::yieldReplacementForFusedProducer(rewriter, slice, fused, loops, number)))
    return;
  forall = cast<scf::ForallOp>(loops[0].getOperation());
  if (forall->getNumResults() != before + 1)
    return;
  Operation *loop = forall;
  rewriter.replaceUsesWithIf(fused.origProducer, forall->getResult(before), [&](OpOperand &use) {
    Operation *user = producer->getBlock()->findAncestorOpInBlock(*use.getOwner());
    return user && user != loop && loop->isBeforeInBlock(user);
  });
}

void fuseIntoForall(RewriterBase &rewriter, Operation *producer, scf::ForallOp &forall) {
  OpBuilder::InsertionGuard guard(rewriter);
  sliceWholeUses(rewriter, producer, forall);
  if (slicesOf(producer, forall).size() > 1)
    mergeEqualSlices(rewriter, forall);
  for (tensor::ExtractSliceOp slice : slicesOf(producer, forall)) {
    if (slice->use_empty()) {
      rewriter.eraseOp(slice);
      continue;
    }
    bool isInput = slice.getSource().getDefiningOp() == producer;
    LoopLikeOpInterface loops[] = {cast<LoopLikeOpInterface>(forall.getOperation())};
    rewriter.setInsertionPoint(slice);
    std::optional<scf::SCFFuseProducerOfSliceResult> fused =
        scf::tileAndFuseProducerOfSlice(rewriter, slice, loops);
    if (!fused)
      continue;
    if (isInput && isPartition(slice, forall) && usesFollow(producer, forall))
      yieldFromForall(rewriter, producer, slice, *fused, forall);
    if (slice->use_empty())
      rewriter.eraseOp(slice);
  }
  if (producer->getNumResults() > 1)
    mergeEqualSlices(rewriter, forall);
}

} // namespace fuselage

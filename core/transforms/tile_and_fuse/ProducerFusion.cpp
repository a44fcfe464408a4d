#include "core/transforms/tile_and_fuse/ProducerFusion.h"
#include "core/transforms/tile_and_fuse/TileCleanup.h"
#include "core/transforms/tile_and_fuse/TileNest.h"
#include "mlir/Dialect/SCF/Transforms/TileUsingInterface.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"

using namespace mlir;

namespace fuselage {

/// The op that computes what `value` is before the loops: itself, or a shared output's initial value.
static Operation *producerOf(const TileNest &nest, Value value) {
  OpOperand *init = nullptr;
  return nest.outside(value, init).getDefiningOp();
}

/// Puts a slice of everything before ops in the loops that use all of `producer`, so that one
/// mechanism fuses all.
static void sliceWholeUses(RewriterBase &rewriter, Operation *producer, const TileNest &nest) {
  SmallVector<OpOperand *> uses;
  nest.body()->walk([&](Operation *op) {
    if (isa<tensor::ExtractSliceOp, tensor::ParallelInsertSliceOp, tensor::DimOp>(op) ||
        !isa<DestinationStyleOpInterface>(op))
      return;
    for (OpOperand &operand : op->getOpOperands())
      if (producerOf(nest, operand.get()) == producer && isa<RankedTensorType>(operand.get().getType()))
        uses.push_back(&operand);
  });
  for (OpOperand *use : uses) {
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPoint(use->getOwner());
    Location loc = use->getOwner()->getLoc();
    SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(rewriter, loc, use->get());
    SmallVector<OpFoldResult> offsets(sizes.size(), rewriter.getIndexAttr(0));
    SmallVector<OpFoldResult> strides(sizes.size(), rewriter.getIndexAttr(1));
    Value slice = tensor::ExtractSliceOp::create(rewriter, loc, cast<RankedTensorType>(use->get().getType()),
                                                 use->get(), offsets, sizes, strides);
    rewriter.modifyOpInPlace(use->getOwner(), [&] { use->set(slice); });
  }
}

/// The slices of `producer` in an iteration, in order.
static SmallVector<tensor::ExtractSliceOp> slicesOf(Operation *producer, const TileNest &nest) {
  SmallVector<tensor::ExtractSliceOp> slices;
  for (auto slice : nest.body()->getOps<tensor::ExtractSliceOp>())
    if (producerOf(nest, slice.getSource()) == producer)
      slices.push_back(slice);
  return slices;
}

/// True if the loops can return the tiles of `producer` that `slice` stands for as its value, and others read it.
static bool canYield(Operation *producer, tensor::ExtractSliceOp slice, const TileNest &nest) {
  auto type = cast<RankedTensorType>(slice.getSourceType());
  auto readsOutside = [&](Operation *user) { return !nest.contains(user) && !isa<tensor::DimOp>(user); };
  return slice.getSource().getDefiningOp() == producer && type.hasStaticShape() && slice.hasUnitStride() &&
         slice.getType().getRank() == type.getRank() &&
         nest.isPartition(slice.getMixedOffsets(), slice.getMixedSizes(), type.getShape()) &&
         llvm::any_of(producer->getUsers(), readsOutside) && nest.readersFollow(producer);
}

/// Returns `producer`'s value from the loop as well and lets the uses after it read that.
static void yieldFromForall(RewriterBase &rewriter, Operation *producer, tensor::ExtractSliceOp slice,
                            const scf::SCFFuseProducerOfSliceResult &fused, scf::ForallOp &forall) {
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
  auto nest = [&] { return TileNest(cast<LoopLikeOpInterface>(forall.getOperation())); }; // of today's loop
  sliceWholeUses(rewriter, producer, nest());
  if (slicesOf(producer, nest()).size() > 1)
    mergeEqualSlices(rewriter, forall);
  for (tensor::ExtractSliceOp slice : slicesOf(producer, nest())) {
    if (slice->use_empty()) {
      rewriter.eraseOp(slice);
      continue;
    }
    LoopLikeOpInterface loops[] = {cast<LoopLikeOpInterface>(forall.getOperation())};
    rewriter.setInsertionPoint(slice);
    std::optional<scf::SCFFuseProducerOfSliceResult> fused = scf::tileAndFuseProducerOfSlice(rewriter, slice, loops);
    if (!fused)
      continue;
    if (canYield(producer, slice, nest()))
      yieldFromForall(rewriter, producer, slice, *fused, forall);
    if (slice->use_empty())
      rewriter.eraseOp(slice);
  }
  if (producer->getNumResults() > 1)
    mergeEqualSlices(rewriter, forall);
}

} // namespace fuselage

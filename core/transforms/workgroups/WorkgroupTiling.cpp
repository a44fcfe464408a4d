#include "core/transforms/workgroups/WorkgroupTiling.h"
#include "core/transforms/dispatch/DispatchBody.h"
#include "core/transforms/workgroups/OverlappingTiles.h"
#include "core/transforms/workgroups/reductions/PartialResults.h"
#include "core/transforms/workgroups/sizes/TilingConfig.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/Transforms/TileUsingInterface.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include <algorithm>

using namespace mlir;

namespace fuselage {

/// The largest y and z extent of a grid on every device.
static constexpr int64_t maxOuterBlocks = 65535;

/// Workgroups along each tiled loop, outermost first; dynamic loops count as 1.
static SmallVector<int64_t> blockCounts(const KernelPlan &plan) {
  SmallVector<int64_t> counts;
  for (auto [range, tile] : llvm::zip(loopRanges(plan.root), plan.workgroup))
    if (tile > 0)
      counts.push_back(ShapedType::isDynamic(range) ? 1 : llvm::divideCeil(range, tile));
  return counts;
}

SmallVector<Attribute> blockMapping(MLIRContext *context, ArrayRef<int64_t> counts) {
  SmallVector<unsigned> ids; // 0 is x
  for (unsigned loop = 0; loop < counts.size(); ++loop)
    ids.push_back(counts.size() - 1 - loop);
  bool linear = counts.size() > 3;
  if (!linear && !counts.empty()) {
    unsigned longest = std::max_element(counts.begin(), counts.end()) - counts.begin();
    bool tooLong = false;
    for (auto [count, id] : llvm::zip_equal(counts, ids))
      tooLong |= id != 0 && count > maxOuterBlocks;
    if (tooLong)
      std::swap(ids[longest], ids.back());
    for (auto [count, id] : llvm::zip_equal(counts, ids))
      linear |= id != 0 && count > maxOuterBlocks;
  }
  unsigned base = linear ? unsigned(gpu::MappingId::LinearDim0) : unsigned(gpu::MappingId::DimX);
  SmallVector<Attribute> mapping;
  for (unsigned id : ids)
    mapping.push_back(gpu::GPUBlockMappingAttr::get(context, gpu::MappingId(base + id)));
  return mapping;
}

/// Puts an op that has no loop to tile into a forall of one iteration.
static FailureOr<scf::ForallOp> wrapInForall(RewriterBase &rewriter, Operation *root) {
  auto destination = dyn_cast<DestinationStyleOpInterface>(root);
  if (!destination || destination.getNumDpsInits() != int64_t(root->getNumResults()))
    return failure();
  Location loc = root->getLoc();
  rewriter.setInsertionPoint(root);
  auto forall =
      scf::ForallOp::create(rewriter, loc, ArrayRef<OpFoldResult>{rewriter.getIndexAttr(1)}, destination.getDpsInits(),
                            rewriter.getArrayAttr(blockMapping(rewriter.getContext(), {1})));
  rewriter.setInsertionPointToStart(forall.getBody());
  auto tiled = cast<DestinationStyleOpInterface>(rewriter.clone(*root));
  for (auto [init, output] : llvm::zip_equal(tiled.getDpsInitsMutable(), forall.getRegionIterArgs()))
    init.set(output);
  for (auto [result, output] : llvm::zip_equal(tiled->getResults(), forall.getRegionIterArgs())) {
    rewriter.setInsertionPoint(forall.getTerminator());
    SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(rewriter, loc, output);
    SmallVector<OpFoldResult> offsets(sizes.size(), rewriter.getIndexAttr(0));
    SmallVector<OpFoldResult> strides(sizes.size(), rewriter.getIndexAttr(1));
    rewriter.setInsertionPointToEnd(forall.getTerminator().getBody());
    tensor::ParallelInsertSliceOp::create(rewriter, loc, result, output, offsets, sizes, strides);
  }
  rewriter.replaceOp(root, forall.getResults());
  return forall;
}

/// The same loop with lower bounds 0 and steps 1, which is what maps to block ids. The bounds that
/// tiling makes start at 0 already.
static scf::ForallOp normalize(RewriterBase &rewriter, scf::ForallOp forall) {
  Location loc = forall.getLoc();
  rewriter.setInsertionPoint(forall);
  AffineExpr first = rewriter.getAffineDimExpr(0), second = rewriter.getAffineSymbolExpr(0);
  SmallVector<OpFoldResult> counts;
  for (auto [end, step] : llvm::zip_equal(forall.getMixedUpperBound(), forall.getMixedStep()))
    counts.push_back(affine::makeComposedFoldedAffineApply(rewriter, loc, first.ceilDiv(second), {end, step}));
  auto normalized = scf::ForallOp::create(rewriter, loc, counts, forall.getOutputs(), forall.getMapping());
  rewriter.eraseOp(normalized.getTerminator());
  rewriter.setInsertionPointToStart(normalized.getBody());
  SmallVector<Value> arguments;
  for (auto [block, step] : llvm::zip_equal(normalized.getInductionVars(), forall.getMixedStep()))
    arguments.push_back(getValueOrCreateConstantIndexOp(
        rewriter, loc,
        affine::makeComposedFoldedAffineApply(rewriter, loc, first * second, {OpFoldResult(block), step})));
  llvm::append_range(arguments, normalized.getRegionIterArgs());
  rewriter.mergeBlocks(forall.getBody(), normalized.getBody(), arguments);
  rewriter.replaceOp(forall, normalized.getResults());
  return normalized;
}

/// Tiles the root's loops.
static FailureOr<scf::ForallOp> tileRoot(RewriterBase &rewriter, const KernelPlan &plan, ArrayRef<int64_t> sizes) {
  TilingInterface root = plan.root;
  SmallVector<OpFoldResult> tileSizes = getAsIndexOpFoldResult(rewriter.getContext(), sizes);
  KernelPlan tiledLoops = plan;
  tiledLoops.workgroup.assign(sizes.begin(), sizes.end());
  scf::SCFTilingOptions options;
  options.setLoopType(scf::SCFTilingOptions::LoopType::ForallOp)
      .setTileSizes(tileSizes)
      .setMapping(blockMapping(rewriter.getContext(), blockCounts(tiledLoops)));
  rewriter.setInsertionPoint(root);
  FailureOr<scf::SCFTilingResult> tiled = scf::tileUsingSCF(rewriter, root, options);
  if (failed(tiled) || tiled->loops.size() != 1)
    return failure();
  rewriter.replaceOp(root, tiled->replacements);
  return normalize(rewriter, cast<scf::ForallOp>(tiled->loops.front()));
}

FailureOr<scf::ForallOp> tileKernel(RewriterBase &rewriter, const KernelPlan &plan) {
  OpBuilder::InsertionGuard guard(rewriter);
  TilingInterface root = plan.root;
  for (const auto &[op, steps] : plan.reductions)
    writeTilingConfig(op, {.workgroup = {}, .reduction = steps});
  TilingConfig config{.workgroup = plan.workgroup, .reduction = {}, .host = {}, .split = plan.split};
  if (auto steps = plan.reductions.find(root); steps != plan.reductions.end())
    config.reduction = steps->second;
  writeTilingConfig(root, config);

  // A forall needs a loop: where one workgroup takes everything, it is the innermost parallel one.
  SmallVector<int64_t> sizes = plan.workgroup, ranges = loopRanges(root);
  SmallVector<utils::IteratorType> iterators = root.getLoopIteratorTypes();
  bool tilesNothing = llvm::all_of(sizes, [](int64_t size) { return size == 0; });
  for (size_t loop = iterators.size(); tilesNothing && loop-- > 0;)
    if (iterators[loop] == utils::IteratorType::parallel && ranges[loop] > 0) {
      sizes[loop] = ranges[loop];
      tilesNothing = false;
    }
  Attribute shared = root->getAttr(kPartialResultsAttr);
  FailureOr<scf::ForallOp> forall = plan.overlaps || !plan.split.empty() ? tileOverlapping(rewriter, plan)
                                    : tilesNothing                       ? wrapInForall(rewriter, root)
                                                                         : tileRoot(rewriter, plan, sizes);
  if (succeeded(forall) && shared)
    (*forall)->setAttr(kSplitsAttr, shared);
  if (succeeded(forall))
    writeTilingConfig(*forall, {.workgroup = plan.workgroup, .reduction = {}, .host = {}, .split = plan.split});
  return forall;
}

} // namespace fuselage

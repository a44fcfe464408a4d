#include "core/transforms/tile_and_fuse/TileAndFuse.h"
#include "core/transforms/tile_and_fuse/TileCleanup.h"
#include "core/transforms/tile_and_fuse/TileFuser.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/Transforms/TileUsingInterface.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/Twine.h"

using namespace mlir;

namespace fuselage {

/// Sizes by loop of `root`, 0 where a loop stays whole.
static SmallVector<int64_t> tileSizesOf(TilingInterface root, const TileAndFuseOptions &options) {
  SmallVector<int64_t> sizes(root.getLoopIteratorTypes().size(), 0);
  llvm::copy(options.tileSizes, sizes.begin());
  // Upstream makes a loop of one iteration where the tile is all of a known extent.
  if (auto structured = dyn_cast<linalg::LinalgOp>(root.getOperation()))
    for (auto [size, extent] : llvm::zip_equal(sizes, structured.getStaticLoopRanges()))
      if (!ShapedType::isDynamic(extent) && size >= extent)
        size = 0;
  return sizes;
}

std::string whyNotTiled(TilingInterface root, const TileAndFuseOptions &options) {
  if (root->getNumResults() == 0 || !llvm::all_of(root->getResultTypes(), llvm::IsaPred<RankedTensorType>))
    return "it does not compute tensors: tiles are slices of tensors; run the pass before "
           "bufferization";
  // MLIR has no slices of a dimension without elements.
  SmallVector<Type> types(root->getOperandTypes());
  llvm::append_range(types, root->getResultTypes());
  for (Type each : types)
    if (auto type = dyn_cast<RankedTensorType>(each); type && llvm::is_contained(type.getShape(), 0))
      return "there is nothing to compute: a tensor of it has no elements";
  SmallVector<utils::IteratorType> iterators = root.getLoopIteratorTypes();
  if (options.tileSizes.size() > iterators.size())
    return (llvm::Twine(options.tileSizes.size()) + " tile sizes are given, but it has " +
            llvm::Twine(iterators.size()) + (iterators.size() == 1 ? " loop" : " loops"))
        .str();
  for (int64_t size : options.tileSizes)
    if (size < 0)
      return (llvm::Twine("a tile size is ") + llvm::Twine(size) + "; give a positive one, or 0 for a whole loop")
          .str();
  if (!options.interchange.empty()) {
    SmallVector<int64_t> sorted(options.interchange);
    llvm::sort(sorted);
    if (sorted.size() != iterators.size() || !llvm::equal(sorted, llvm::seq<int64_t>(0, sorted.size())))
      return (llvm::Twine("the interchange is no order of its ") + llvm::Twine(iterators.size()) + " loops").str();
  }
  auto structured = dyn_cast<linalg::LinalgOp>(root.getOperation());
  if (structured && !structured.hasPureTensorSemantics())
    return "it reads buffers as well: run the pass before bufferization";
  if (structured)
    for (OpResult result : root->getResults())
      if (!structured.getIndexingMapMatchingResult(result).isProjectedPermutation())
        return "it writes a result through a map that is no projected permutation";
  SmallVector<int64_t> sizes = tileSizesOf(root, options);
  if (llvm::all_of(sizes, [](int64_t size) { return size == 0; }))
    return "no loop is cut: give a tile size that is smaller than the loop";
  // Only a linalg op accumulates into what is there; a softmax of a part is not a part of the
  // softmax.
  for (auto [loop, size] : llvm::enumerate(sizes))
    if (size > 0 && !structured && iterators[loop] != utils::IteratorType::parallel)
      return (llvm::Twine("loop ") + llvm::Twine(loop) + " needs all of its range at once; give it the tile size 0")
          .str();
  for (auto [loop, size] : llvm::enumerate(sizes))
    if (size > 0 && options.loop == TileLoop::Forall && iterators[loop] != utils::IteratorType::parallel)
      return (llvm::Twine("loop ") + llvm::Twine(loop) +
              " is a reduction, whose iterations an scf.forall cannot "
              "run side by side; give it the tile size 0, or ask for scf.for")
          .str();
  return "";
}

FailureOr<TileAndFuseResult> tileAndFuse(RewriterBase &rewriter, TilingInterface root,
                                         const TileAndFuseOptions &options) {
  if (!whyNotTiled(root, options).empty())
    return failure();
  return TileFuser(rewriter, options).run(root);
}

FailureOr<TileAndFuseResult> TileFuser::run(TilingInterface root) {
  SmallVector<int64_t> sizes = tileSizesOf(root, options_);
  for (auto [size, iterator] : llvm::zip_equal(sizes, root.getLoopIteratorTypes()))
    isParallel_ &= size == 0 || iterator == utils::IteratorType::parallel;
  scf::SCFTilingOptions tiling;
  tiling.setTileSizes(getAsIndexOpFoldResult(rewriter_.getContext(), sizes));
  tiling.setInterchange(options_.interchange);
  tiling.setLoopType(options_.loop == TileLoop::For ? scf::SCFTilingOptions::LoopType::ForOp
                                                    : scf::SCFTilingOptions::LoopType::ForallOp);
  OpBuilder::InsertionGuard guard(rewriter_);
  rewriter_.setInsertionPoint(root);
  FailureOr<scf::SCFTilingResult> tiled = scf::tileUsingSCF(rewriter_, root, tiling);
  if (failed(tiled) || tiled->loops.empty())
    return failure();
  rewriter_.replaceOp(root, tiled->replacements);
  nest_.emplace(tiled->loops);
  if (options_.fuseConsumers)
    fuseConsumers();
  if (options_.fuseProducers)
    fuseProducers();
  if (isMultiResult_) // a tile of each result is an op of its own so far
    mergeEqualSlices(rewriter_, nest_->outermost());
  result_.loops.assign(nest_->loops().begin(), nest_->loops().end());
  return std::move(result_);
}

LogicalResult sizesOfResults(RewriterBase &rewriter, Operation *op, ReifiedRankedShapedTypeDims &sizes) {
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  auto isStatic = [](Type type) { return cast<RankedTensorType>(type).hasStaticShape(); };
  if (llvm::all_of(op->getResultTypes(), isStatic)) {
    for (Type type : op->getResultTypes())
      sizes.push_back(getAsIndexOpFoldResult(rewriter.getContext(), cast<RankedTensorType>(type).getShape()));
    return success();
  }
  if (auto cast = dyn_cast<tensor::CastOp>(op)) { // upstream has no answer for it
    sizes.push_back(tensor::getMixedSizes(rewriter, op->getLoc(), cast.getSource()));
    return success();
  }
  return reifyResultShapes(rewriter, op, sizes);
}

bool TileFuser::isDeclined(Operation *op, bool isConsumer) {
  if (!options_.control || options_.control({op, isConsumer}))
    return false;
  refuse(op, isConsumer, {FusableReason::ControlDeclined});
  return true;
}

void TileFuser::refuse(Operation *op, bool isConsumer, FusableRefusal refusal) {
  auto &known = result_.refusals; // several tiles of one op are refused for one reason
  if (!known.empty() && known.back().loc == op->getLoc() && known.back().op == op->getName().getStringRef() &&
      known.back().refusal.reason == refusal.reason)
    return;
  known.push_back({op->getLoc(), op->getName().getStringRef().str(), isConsumer, std::move(refusal)});
}

/// Erases what was added to an iteration after `mark`; null: all of it.
void TileFuser::eraseBehind(Operation *mark) {
  while (Operation *last = nest_->end()->getPrevNode()) {
    if (last == mark)
      return;
    rewriter_.eraseOp(last);
  }
}

Value TileFuser::castTo(Value value, Type type) {
  return value.getType() == type ? value : tensor::CastOp::create(rewriter_, value.getLoc(), type, value);
}

} // namespace fuselage

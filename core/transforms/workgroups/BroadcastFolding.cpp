#include "core/transforms/workgroups/BroadcastFolding.h"
#include "core/transforms/workgroups/sizes/TilingConfig.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace fuselage {

/// How a copy reads, with loops that make one round in place of the zeros that it reads dimensions of one element by.
static AffineMap withLoopsForZeros(linalg::LinalgOp copy) {
  AffineMap read = copy.getIndexingMapsArray()[0];
  SmallVector<int64_t> ranges = copy.getStaticLoopRanges();
  SmallVector<AffineExpr> exprs(read.getResults());
  for (AffineExpr &expr : exprs)
    for (unsigned loop = 0; loop < ranges.size() && isa<AffineConstantExpr>(expr); ++loop) {
      AffineExpr dim = getAffineDimExpr(loop, copy->getContext());
      if (ranges[loop] == 1 && !llvm::is_contained(exprs, dim))
        expr = dim;
    }
  return AffineMap::get(read.getNumDims(), 0, exprs, copy->getContext());
}

/// The broadcast that computes `value` in `block`, null if none does: a copy with fewer dimensions than `value`, or
/// with the same.
static linalg::LinalgOp broadcastBehind(Value value, Block *block) {
  auto op = value.getDefiningOp<linalg::LinalgOp>();
  if (!op || op->getBlock() != block || op->getNumResults() != 1 || op.getNumDpsInputs() != 1 ||
      op.getNumParallelLoops() != op.getNumLoops() || !op.hasPureTensorSemantics())
    return {};
  Block *payload = op.getBlock();
  auto source = dyn_cast<RankedTensorType>(op.getDpsInputs()[0].getType());
  AffineMap read = withLoopsForZeros(op), written = op.getIndexingMapsArray()[1];
  bool copies = payload->getTerminator()->getOperand(0) == payload->getArgument(0) &&
                payload->getArgument(0).getType() == payload->getArgument(1).getType();
  return copies && source && (source.getRank() < written.getNumResults() || read == written) &&
                 read.isProjectedPermutation() && written.isPermutation()
             ? op
             : linalg::LinalgOp();
}

/// Returns true if the body of the op multiplies its inputs, unchanged, and adds the product.
static bool isPlainContraction(linalg::LinalgOp op) {
  if (op.getNumReductionLoops() == 0 || op.getNumDpsInputs() != 2 || op.getNumDpsInits() != 1 ||
      !op.hasPureTensorSemantics() ||
      !llvm::all_of(op.getIndexingMapsArray(), [](AffineMap map) { return map.isProjectedPermutation(); }))
    return false;
  return linalg::isaContractionOpInterface(op);
}

static void foldInto(RewriterBase &rewriter, linalg::LinalgOp op) {
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  SmallVector<Value> sources;
  llvm::SmallSetVector<Operation *, 2> read;
  for (OpOperand *input : op.getDpsInputOperands()) {
    sources.push_back(input->get());
    linalg::LinalgOp broadcast = broadcastBehind(input->get(), op->getBlock());
    if (!broadcast)
      continue;
    AffineMap &map = maps[input->getOperandNumber()];
    map = withLoopsForZeros(broadcast).compose(inversePermutation(broadcast.getIndexingMapsArray()[1])).compose(map);
    sources.back() = broadcast.getDpsInputs()[0];
    read.insert(broadcast);
  }
  // Every loop still needs an operand that tells how long it is.
  AffineMap all = concatAffineMaps(maps, op->getContext());
  if (read.empty() || !inversePermutation(all))
    return;
  rewriter.setInsertionPoint(op);
  auto generic = linalg::GenericOp::create(rewriter, op->getLoc(), op->getResultTypes(), sources, op.getDpsInits(),
                                           maps, op.getIteratorTypesArray());
  rewriter.inlineRegionBefore(op->getRegion(0), generic.getRegion(), generic.getRegion().begin());
  writeTilingConfig(generic, readTilingConfig(op)); // its loops are the same
  rewriter.replaceOp(op, generic.getResults());
  for (Operation *broadcast : read)
    if (broadcast->use_empty())
      rewriter.eraseOp(broadcast);
}

void foldBroadcasts(RewriterBase &rewriter, Block &block) {
  OpBuilder::InsertionGuard guard(rewriter);
  SmallVector<linalg::LinalgOp> contractions;
  for (linalg::LinalgOp op : block.getOps<linalg::LinalgOp>())
    if (isPlainContraction(op))
      contractions.push_back(op);
  for (linalg::LinalgOp op : contractions)
    foldInto(rewriter, op);
}

} // namespace fuselage

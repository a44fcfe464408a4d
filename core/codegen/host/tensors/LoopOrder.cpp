#include "core/codegen/host/tensors/LoopOrder.h"
#include "core/transforms/workgroups/sizes/TilingConfig.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;

namespace fuselage {

/// The loop that should run innermost: the one along which most operands are contiguous.
static unsigned bestInnermostLoop(linalg::GenericOp op) {
  SmallVector<unsigned> votes(op.getNumLoops(), 0);
  for (AffineMap map : op.getIndexingMapsArray())
    if (map.getNumResults() != 0)
      if (auto dim = llvm::dyn_cast<AffineDimExpr>(map.getResults().back()))
        ++votes[dim.getPosition()];
  auto isParallel = [&](unsigned loop) { return op.getIteratorTypesArray()[loop] == utils::IteratorType::parallel; };
  unsigned best = op.getNumLoops() - 1;
  for (unsigned loop = 0; loop < votes.size(); ++loop)
    if (votes[loop] > votes[best] || (votes[loop] == votes[best] && isParallel(loop) && !isParallel(best)))
      best = loop;
  return best;
}

/// Whether a parallel loop that `map` does not have makes the op read the same elements again.
static bool isReadOften(linalg::GenericOp op, AffineMap map) {
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  for (auto [loop, iterator] : llvm::enumerate(op.getIteratorTypesArray()))
    if (iterator == utils::IteratorType::parallel && !map.isFunctionOfDim(loop) &&
        (ShapedType::isDynamic(ranges[loop]) || ranges[loop] >= 8))
      return true;
  return false;
}

/// A copy in which a dimension runs fastest; the map follows.
static Value moveLast(RewriterBase &rewriter, Location loc, Value value, unsigned position, AffineMap &map) {
  SmallVector<int64_t> order;
  for (unsigned dim = 0; dim < map.getNumResults(); ++dim)
    if (dim != position)
      order.push_back(dim);
  order.push_back(position);
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(rewriter, loc, value);
  applyPermutationToVector(sizes, order);
  Value init = tensor::EmptyOp::create(rewriter, loc, sizes, getElementTypeOrSelf(value));
  SmallVector<AffineExpr> results(map.getResults());
  applyPermutationToVector(results, order);
  map = AffineMap::get(map.getNumDims(), 0, results, rewriter.getContext());
  return linalg::TransposeOp::create(rewriter, loc, value, init, order)->getResult(0);
}

/// Copies inputs that lie along a reduction, such as the weights of `x w^T`, so that they lie along
/// the result: a sum in order cannot be vectorized, many sums side by side can.
static void layOutAlongResult(RewriterBase &rewriter, linalg::GenericOp op) {
  AffineMap written = op.getIndexingMapsArray()[op.getNumDpsInputs()];
  auto inner = written.getNumResults() == 0 ? AffineDimExpr(nullptr)
                                            : llvm::dyn_cast<AffineDimExpr>(written.getResults().back());
  if (!inner)
    return;
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  bool changed = false;
  for (OpOperand *input : op.getDpsInputOperands()) {
    AffineMap &map = maps[input->getOperandNumber()];
    std::optional<unsigned> position = map.getResultPosition(inner);
    if (!position || *position + 1 == map.getNumResults() || !map.isProjectedPermutation() || !isReadOften(op, map))
      continue;
    auto last = llvm::cast<AffineDimExpr>(map.getResults().back());
    if (op.getIteratorTypesArray()[last.getPosition()] == utils::IteratorType::parallel)
      continue;
    rewriter.setInsertionPoint(op);
    Value copy = moveLast(rewriter, op.getLoc(), input->get(), *position, map);
    rewriter.modifyOpInPlace(op, [&] { input->set(copy); });
    changed = true;
  }
  if (changed)
    rewriter.modifyOpInPlace(op, [&] { op.setIndexingMapsAttr(rewriter.getAffineMapArrayAttr(maps)); });
}

/// The one result of a map that is this dimension; nullopt if it is none, or stands in others, too.
static std::optional<unsigned> positionOf(AffineMap map, unsigned dim) {
  std::optional<unsigned> found;
  for (auto [position, result] : llvm::enumerate(map.getResults())) {
    if (!result.isFunctionOfDim(dim))
      continue;
    if (found || !llvm::isa<AffineDimExpr>(result))
      return std::nullopt;
    found = position;
  }
  return found;
}

/// Of an op that slides windows, the widest parallel loop along which every operand could lie or is not at all, such as
/// the channels of a convolution; nullopt where the result's last dimension is as good.
static std::optional<unsigned> widestPlainLoop(linalg::GenericOp op) {
  constexpr int64_t wide = 64;
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  bool slides =
      llvm::any_of(maps, [](AffineMap map) { return !map.isProjectedPermutation(/*allowZeroInResults=*/true); });
  if (!slides || op.hasIndexSemantics() || op.getNumDpsInits() != 1 || llvm::is_contained(ranges, ShapedType::kDynamic))
    return std::nullopt;
  std::optional<unsigned> best;
  for (auto [loop, iterator] : llvm::enumerate(op.getIteratorTypesArray())) {
    bool isPlain = iterator == utils::IteratorType::parallel && positionOf(maps.back(), loop) &&
                   llvm::all_of(maps, [&, loop = loop](AffineMap map) {
                     return !map.isFunctionOfDim(loop) || positionOf(map, loop);
                   });
    if (isPlain && (!best || std::min(ranges[loop], wide) > std::min(ranges[*best], wide)))
      best = loop;
  }
  if (!best || ranges[*best] < 8 || positionOf(maps.back(), *best) == maps.back().getNumResults() - 1)
    return std::nullopt;
  return best;
}

/// Whether kernels, which have vectors along rows, too, are faster along the channels: numbers that are widened first
/// are so as whole vectors of the filter there, each for many results, where less is turned for it than is computed.
static bool widensOftenAlong(linalg::GenericOp op, unsigned loop) {
  auto result = llvm::cast<ShapedType>(op.getDpsInits()[0].getType());
  int64_t turned = 0;
  bool widens = false;
  for (OpOperand *input : op.getDpsInputOperands()) {
    auto type = llvm::dyn_cast<ShapedType>(input->get().getType());
    widens |= type && type.getElementType().isIntOrFloat() && type.getElementTypeBitWidth() < 32;
    if (!type || !op.getMatchingIndexingMap(input).isFunctionOfDim(loop))
      continue;
    if (!type.hasStaticShape())
      return false;
    turned += type.getNumElements();
  }
  return widens && result.hasStaticShape() && turned <= result.getNumElements();
}

/// Gives an op that slides windows operands that lie along its widest plain loop, and its result back as it was.
static linalg::GenericOp layOutWindows(RewriterBase &rewriter, linalg::GenericOp op, bool forKernels) {
  std::optional<unsigned> loop = widestPlainLoop(op);
  if (!loop || (forKernels && !widensOftenAlong(op, *loop)))
    return op;
  Location loc = op.getLoc();
  rewriter.setInsertionPoint(op);
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  SmallVector<Value> operands(op->getOperands());
  for (auto [operand, map] : llvm::zip_equal(operands, maps))
    if (auto position = positionOf(map, *loop); position && *position + 1 != map.getNumResults())
      operand = moveLast(rewriter, loc, operand, *position, map);
  auto wide = linalg::GenericOp::create(rewriter, loc, operands.back().getType(), ArrayRef(operands).drop_back(),
                                        operands.back(), maps, op.getIteratorTypesArray());
  rewriter.cloneRegionBefore(op.getRegion(), wide.getRegion(), wide.getRegion().begin());
  unsigned position = *positionOf(op.getIndexingMapsArray().back(), *loop);
  SmallVector<int64_t> order;
  int64_t last = maps.back().getNumResults() - 1;
  for (int64_t dim = 0; dim < last; ++dim)
    order.push_back(dim);
  order.insert(order.begin() + position, last);
  Value init = tensor::EmptyOp::create(rewriter, loc, tensor::getMixedSizes(rewriter, loc, op.getDpsInits()[0]),
                                       getElementTypeOrSelf(op.getDpsInits()[0]));
  rewriter.replaceOp(op, linalg::TransposeOp::create(rewriter, loc, wide->getResult(0), init, order)->getResults());
  return wide;
}

void layOutLoops(ModuleOp module, bool forKernels) {
  SmallVector<linalg::LinalgOp> ops;
  module.walk([&](linalg::LinalgOp op) {
    if (op.getNumReductionLoops() != 0 && op.hasPureTensorSemantics())
      ops.push_back(op);
  });
  IRRewriter rewriter(module.getContext());
  for (linalg::LinalgOp op : ops) {
    rewriter.setInsertionPoint(op);
    TilingConfig asked = readTilingConfig(op); // other ops take its place, with the same loops
    FailureOr<linalg::GenericOp> generic = llvm::isa<linalg::GenericOp>(op)
                                               ? FailureOr(llvm::cast<linalg::GenericOp>(op.getOperation()))
                                               : linalg::generalizeNamedOp(rewriter, op);
    if (failed(generic))
      continue;
    generic = layOutWindows(rewriter, *generic, forKernels);
    writeTilingConfig(*generic, asked);
    if (forKernels)
      continue;
    layOutAlongResult(rewriter, *generic);
    bool readsIndex = !(*generic).getBody()->getOps<linalg::IndexOp>().empty();
    unsigned inner = bestInnermostLoop(*generic);
    if (readsIndex || inner + 1 == (*generic).getNumLoops() ||
        (*generic).getIteratorTypesArray()[inner] != utils::IteratorType::parallel)
      continue;
    SmallVector<unsigned> order;
    for (unsigned loop = 0; loop < (*generic).getNumLoops(); ++loop)
      if (loop != inner)
        order.push_back(loop);
    order.push_back(inner);
    (void)linalg::interchangeGenericOp(rewriter, *generic, order);
  }
}

} // namespace fuselage

#include "core/transforms/workgroups/sizes/IterationSpace.h"
#include "core/ir/ops/NumberBytes.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include <algorithm>

using namespace mlir;

namespace fuselage {

/// True if `map` has an index such as `d1 + d4`: the sign of a sliding window.
static bool hasWindow(AffineMap map) {
  return llvm::any_of(map.getResults(),
                      [](AffineExpr expr) { return !isa<AffineDimExpr>(expr) && !isa<AffineConstantExpr>(expr); });
}

bool indexesWith(AffineMap map, unsigned dim) {
  return llvm::any_of(map.getResults(), [&](AffineExpr expr) {
    auto plain = dyn_cast<AffineDimExpr>(expr);
    return plain && plain.getPosition() == dim;
  });
}

std::optional<linalg::ContractionDimensions> contractionDims(linalg::LinalgOp op) {
  if (op->hasAttr(kThreadReductionAttr))
    return std::nullopt;
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  bool plain = llvm::all_of(maps, [](AffineMap map) { return map.isProjectedPermutation(); }) &&
               op.getNumDpsInits() > 0 && op.getNumDpsInputs() == op.getNumDpsInits() + 1 &&
               llvm::all_equal(ArrayRef(maps).drop_front(op.getNumDpsInputs()));
  if (!plain)
    return std::nullopt;
  FailureOr<linalg::ContractionDimensions> dims = linalg::inferContractionDims({maps[0], maps[1], maps.back()});
  if (failed(dims) || dims->k.empty() || (dims->m.empty() && dims->n.empty()) ||
      dims->batch.size() + dims->m.size() + dims->n.size() + dims->k.size() != op.getNumLoops())
    return std::nullopt;
  return *dims;
}

OpOperand *windowedInput(linalg::LinalgOp op) {
  for (OpOperand *input : op.getDpsInputOperands())
    if (hasWindow(op.getMatchingIndexingMap(input)))
      return input;
  return nullptr;
}

WorkKind workKindOf(TilingInterface op) {
  auto structured = dyn_cast<linalg::LinalgOp>(op.getOperation());
  if (!structured || structured.getNumReductionLoops() == 0)
    return WorkKind::Elementwise;
  if (contractionDims(structured))
    return WorkKind::Contraction;
  return windowedInput(structured) ? WorkKind::Convolution : WorkKind::Reduction;
}

int64_t elementBytes(Type type) {
  int64_t bytes = numberBytes(type);
  return bytes > 0 ? bytes : 8;
}

bool canOverlap(TilingInterface root) {
  auto structured = dyn_cast<linalg::LinalgOp>(root.getOperation());
  if (!structured || ShapedType::isDynamicShape(structured.getStaticLoopRanges()))
    return false;
  return llvm::all_of(structured->getResults(), [&](OpResult result) {
    AffineMap map = structured.getIndexingMapMatchingResult(result);
    return map.isProjectedPermutation() && map.getNumResults() == structured.getNumParallelLoops();
  });
}

SmallVector<int64_t> loopRanges(TilingInterface op) {
  if (auto structured = dyn_cast<linalg::LinalgOp>(op.getOperation()))
    return structured.getStaticLoopRanges();
  return llvm::to_vector(cast<RankedTensorType>(op->getResult(0).getType()).getShape());
}

int64_t iterationsOf(ArrayRef<unsigned> loops, ArrayRef<int64_t> ranges) {
  int64_t product = 1;
  for (unsigned loop : loops)
    product = std::min<int64_t>(product, int64_t(1) << 32) * std::max<int64_t>(ranges[loop], 1);
  return product;
}

void shareOut(ArrayRef<unsigned> order, ArrayRef<int64_t> ranges, int64_t total, SmallVectorImpl<int64_t> &targets) {
  for (unsigned loop : order) {
    targets[loop] = std::max<int64_t>(total, 1);
    int64_t taken = ShapedType::isDynamic(ranges[loop]) ? total : std::min(ranges[loop], total);
    total /= std::max<int64_t>(taken, 1);
  }
}

std::optional<unsigned> innermostLoop(AffineMap map) {
  if (map.getNumResults() == 0)
    return std::nullopt;
  auto dim = dyn_cast<AffineDimExpr>(map.getResults().back());
  return dim ? std::optional<unsigned>(dim.getPosition()) : std::nullopt;
}

SmallVector<unsigned> outputLoopsInnermostFirst(TilingInterface op) {
  SmallVector<utils::IteratorType> iterators = op.getLoopIteratorTypes();
  SmallVector<unsigned> order;
  auto add = [&](unsigned loop) {
    if (iterators[loop] == utils::IteratorType::parallel && !llvm::is_contained(order, loop))
      order.push_back(loop);
  };
  if (auto structured = dyn_cast<linalg::LinalgOp>(op.getOperation()))
    for (AffineExpr expr :
         llvm::reverse(structured.getMatchingIndexingMap(structured.getDpsInitOperand(0)).getResults()))
      if (auto dim = dyn_cast<AffineDimExpr>(expr))
        add(dim.getPosition());
  for (unsigned loop = iterators.size(); loop-- > 0;)
    add(loop);
  return order;
}

} // namespace fuselage

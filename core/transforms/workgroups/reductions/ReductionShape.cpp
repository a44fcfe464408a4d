#include "core/transforms/workgroups/reductions/ReductionShape.h"
#include "core/transforms/workgroups/reductions/PartialResults.h"
#include "core/transforms/workgroups/sizes/TilingConfig.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace mlir;

namespace fuselage {

bool isLongReduction(linalg::LinalgOp op, int64_t mostResults, int64_t leastIterations) {
  // A loop's range is known from one operand, and others need not say it.
  bool isStatic = llvm::all_of(op->getOperandTypes(), [](Type type) {
    return !isa<ShapedType>(type) || cast<ShapedType>(type).hasStaticShape();
  });
  bool isPlain = isStatic && op.hasPureTensorSemantics() && op.getNumDpsInits() == 1 && canSplitReduction(op) &&
                 llvm::all_of(op.getIndexingMapsArray(), [](AffineMap map) { return map.isProjectedPermutation(); });
  if (!isPlain)
    return false;
  int64_t results = 1, iterations = 1;
  for (auto [range, iterator] : llvm::zip_equal(op.getStaticLoopRanges(), op.getIteratorTypesArray())) {
    int64_t &product = iterator == utils::IteratorType::parallel ? results : iterations;
    if (llvm::MulOverflow(product, range, product))
      return false;
  }
  return results > 0 && results <= mostResults && iterations >= leastIterations;
}

bool isSkinnyContraction(linalg::LinalgOp op) {
  constexpr int64_t mostRows = 8;
  std::optional<linalg::ContractionDimensions> dims = contractionDims(op);
  if (!dims || op.getNumDpsInputs() != 2 || op.getNumDpsInits() != 1 || !readTilingConfig(op).empty())
    return false;
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  if (llvm::any_of(ranges, [](int64_t range) { return ShapedType::isDynamic(range) || range <= 0; }))
    return false;
  return std::min(iterationsOf(dims->m, ranges), iterationsOf(dims->n, ranges)) <= mostRows;
}

OpOperand *mainInput(linalg::LinalgOp reduction) {
  if (auto known = reduction->getAttrOfType<IntegerAttr>(kThreadReductionAttr);
      known && known.getInt() >= 0 && known.getInt() < reduction.getNumDpsInputs())
    return &reduction->getOpOperand(known.getInt());
  SmallVector<unsigned> loops;
  reduction.getReductionDims(loops);
  OpOperand *main = nullptr;
  int64_t most = 0;
  for (OpOperand *input : reduction.getDpsInputOperands()) {
    auto type = dyn_cast<ShapedType>(input->get().getType());
    AffineMap map = reduction.getMatchingIndexingMap(input);
    bool isReduced =
        type && type.hasStaticShape() && llvm::any_of(loops, [&](unsigned loop) { return map.isFunctionOfDim(loop); });
    if (!isReduced || type.getNumElements() <= most)
      continue;
    main = input;
    most = type.getNumElements();
  }
  return main;
}

int64_t elementsPerRead(linalg::LinalgOp reduction, int64_t row) {
  OpOperand *main = mainInput(reduction);
  int64_t bytes = main ? elementBytes(getElementTypeOrSelf(main->get().getType())) : 16;
  for (int64_t count = std::max<int64_t>(16 / std::max<int64_t>(bytes, 1), 1); count > 1; count /= 2)
    if (row % count == 0)
      return count;
  return 1;
}

SmallVector<unsigned> repeatedDims(linalg::LinalgOp reduction) {
  SmallVector<unsigned> repeated;
  OpOperand *main = mainInput(reduction);
  AffineMap written = reduction.getMatchingIndexingMap(reduction.getDpsInitOperand(0));
  for (auto [dim, expr] : llvm::enumerate(written.getResults())) {
    auto loop = dyn_cast<AffineDimExpr>(expr);
    if (main && loop && !reduction.getMatchingIndexingMap(main).isFunctionOfDim(loop.getPosition()))
      repeated.push_back(dim);
  }
  return repeated;
}

} // namespace fuselage

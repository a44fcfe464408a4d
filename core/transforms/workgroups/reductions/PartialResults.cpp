#include "core/transforms/workgroups/reductions/PartialResults.h"
#include "core/transforms/workgroups/sizes/IterationSpace.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace fuselage {

/// Returns the op that result `number` accumulates by; null if that is not one op.
static Operation *combinerOf(linalg::LinalgOp op, unsigned number) {
  SmallVector<Operation *> combiners;
  Value added = matchReduction(op.getRegionOutputArgs(), number, combiners);
  return added && combiners.size() == 1 && combiners.front()->getNumOperands() == 2 ? combiners.front() : nullptr;
}

bool canSplitReduction(linalg::LinalgOp op) {
  if (op.getNumReductionLoops() == 0 || op.hasIndexSemantics() || !canOverlap(cast<TilingInterface>(op.getOperation())))
    return false;
  return llvm::all_of(llvm::seq(op->getNumResults()), [&](unsigned number) {
    Operation *combiner = combinerOf(op, number);
    return combiner && arith::getNeutralElement(combiner);
  });
}

Value fillNeutral(OpBuilder &builder, linalg::LinalgOp op, unsigned number, Value init) {
  Value neutral = arith::ConstantOp::create(builder, op.getLoc(), *arith::getNeutralElement(combinerOf(op, number)));
  return linalg::FillOp::create(builder, op.getLoc(), neutral, init).getResult(0);
}

linalg::GenericOp combinePartials(OpBuilder &builder, linalg::LinalgOp op, unsigned number, Value partials,
                                  unsigned dim, Value init) {
  unsigned rank = cast<RankedTensorType>(init.getType()).getRank();
  SmallVector<utils::IteratorType> iterators(rank, utils::IteratorType::parallel);
  iterators.push_back(utils::IteratorType::reduction);
  SmallVector<AffineExpr> numbered, result;
  for (unsigned each = 0; each < rank; ++each)
    result.push_back(builder.getAffineDimExpr(each));
  numbered = result;
  numbered.insert(numbered.begin() + dim, builder.getAffineDimExpr(rank));
  SmallVector<AffineMap> maps{AffineMap::get(rank + 1, 0, numbered, op.getContext()),
                              AffineMap::get(rank + 1, 0, result, op.getContext())};
  return linalg::GenericOp::create(builder, op.getLoc(), init.getType(), partials, init, maps, iterators,
                                   [&](OpBuilder &inner, Location loc, ValueRange elements) {
                                     Operation *combiner = combinerOf(op, number);
                                     IRMapping mapping;
                                     bool isFirst = combiner->getOperand(0) == op.getRegionOutputArgs()[number];
                                     mapping.map(combiner->getOperand(isFirst ? 0 : 1), elements[1]);
                                     mapping.map(combiner->getOperand(isFirst ? 1 : 0), elements[0]);
                                     linalg::YieldOp::create(inner, loc, inner.clone(*combiner, mapping)->getResult(0));
                                   });
}

} // namespace fuselage

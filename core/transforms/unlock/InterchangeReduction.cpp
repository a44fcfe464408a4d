#include "core/transforms/unlock/LinalgUtils.h"
#include "core/transforms/unlock/Passes.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"

namespace fuselage {
#define GEN_PASS_DEF_INTERCHANGEREDUCTIONPASS
#include "core/transforms/unlock/Passes.h.inc"
} // namespace fuselage

using namespace mlir;

namespace fuselage {
namespace {

struct InterchangeReductionPass : impl::InterchangeReductionPassBase<InterchangeReductionPass> {
  void runOnOperation() override;
};

/// Parallel loops first, in the order in which the first result is written; the others after.
SmallVector<unsigned> parallelFirst(linalg::LinalgOp op) {
  SmallVector<unsigned> order, reductions;
  SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
  for (AffineExpr expr : op.getMatchingIndexingMap(op.getDpsInitOperand(0)).getResults())
    if (auto dim = dyn_cast<AffineDimExpr>(expr); dim &&
                                                  iterators[dim.getPosition()] == utils::IteratorType::parallel &&
                                                  !llvm::is_contained(order, dim.getPosition()))
      order.push_back(dim.getPosition());
  for (auto [loop, iterator] : llvm::enumerate(iterators)) {
    if (iterator != utils::IteratorType::parallel)
      reductions.push_back(loop);
    else if (!llvm::is_contained(order, loop))
      order.push_back(loop);
  }
  llvm::append_range(order, reductions);
  return order;
}

/// Whether a reduction loop stands before a parallel one.
bool hasOuterReduction(linalg::LinalgOp op) {
  SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
  auto firstReduction = llvm::find_if(iterators, [](auto type) { return type != utils::IteratorType::parallel; });
  return std::find(firstReduction, iterators.end(), utils::IteratorType::parallel) != iterators.end();
}

void InterchangeReductionPass::runOnOperation() {
  IRRewriter rewriter(&getContext());
  for (linalg::LinalgOp op : linalgOpsOutsideDispatches(getOperation())) {
    if (!hasOuterReduction(op))
      continue;
    if (linalg::isaConvolutionOpInterface(op)) {
      op->emitRemark("keeps the order of its loops: the name of a convolution fixes it");
      continue;
    }
    FailureOr<linalg::GenericOp> generic = toGeneric(rewriter, op);
    if (failed(generic))
      continue;
    rewriter.setInsertionPoint(*generic);
    if (failed(linalg::interchangeGenericOp(rewriter, *generic, parallelFirst(*generic))))
      (*generic)->emitRemark("keeps the order of its loops: they cannot be interchanged");
  }
}

} // namespace
} // namespace fuselage

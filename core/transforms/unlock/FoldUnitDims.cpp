#include "core/transforms/unlock/LinalgUtils.h"
#include "core/transforms/unlock/Passes.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace fuselage {
#define GEN_PASS_DEF_FOLDUNITDIMSPASS
#include "core/transforms/unlock/Passes.h.inc"
} // namespace fuselage

using namespace mlir;

namespace fuselage {
namespace {

struct FoldUnitDimsPass : impl::FoldUnitDimsPassBase<FoldUnitDimsPass> {
  void runOnOperation() override;
};

/// Whether some operand has a dimension of size 1.
bool hasUnitDims(linalg::LinalgOp op) {
  return llvm::any_of(op->getOperandTypes(), [](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor && llvm::is_contained(tensor.getShape(), 1);
  });
}

/// Without its unit dimensions it would be no convolution any more.
bool keepsUnitDims(linalg::LinalgOp op) { return linalg::isaConvolutionOpInterface(op); }

/// The loops or dimensions that may go: all of an op's outside of dispatches but a convolution's,
/// none of one's in a dispatch.
SmallVector<unsigned> droppableLoops(Operation *op) {
  auto generic = dyn_cast<linalg::GenericOp>(op);
  if (!isOutsideDispatch(op) || (generic && keepsUnitDims(generic)))
    return {};
  auto pad = dyn_cast<tensor::PadOp>(op);
  unsigned count = generic ? generic.getNumLoops() : pad ? pad.getResultType().getRank() : 0;
  return llvm::to_vector(llvm::seq<unsigned>(0, count));
}

/// Ops whose operands or results lose dimensions, and what stands between them.
bool isReshaped(Operation *op) {
  return isa<linalg::LinalgOp, tensor::PadOp, tensor::ExtractSliceOp, tensor::InsertSliceOp, tensor::ExpandShapeOp,
             tensor::CollapseShapeOp, tensor::EmptyOp>(op);
}

void FoldUnitDimsPass::runOnOperation() {
  FunctionOpInterface function = getOperation();
  IRRewriter rewriter(&getContext());
  bool found = false;
  for (linalg::LinalgOp op : linalgOpsOutsideDispatches(function)) {
    if (!hasUnitDims(op) || isa<linalg::FillOp>(op.getOperation()))
      continue;
    if (keepsUnitDims(op)) {
      op->emitRemark("keeps its unit dimensions: without them it would be no convolution any more");
      continue;
    }
    found = true;
    if (!isa<linalg::GenericOp>(op.getOperation()))
      (void)toGeneric(rewriter, op);
  }
  if (!found)
    return;
  linalg::ControlDropUnitDims control;
  control.controlFn = droppableLoops;
  {
    RewritePatternSet patterns(&getContext());
    linalg::populateFoldUnitExtentDimsPatterns(patterns, control);
    linalg::populateMoveInitOperandsToInputPattern(patterns);
    applyPatternsTo(readOpsOutsideDispatches(function, isReshaped), std::move(patterns), /*alsoNew=*/false);
  }
  RewritePatternSet patterns(&getContext());
  linalg::populateFoldUnitExtentDimsCanonicalizationPatterns(patterns, control);
  linalg::GenericOp::getCanonicalizationPatterns(patterns, &getContext());
  // What was a reduction over one element is elementwise now; its accumulator is an input then.
  linalg::populateMoveInitOperandsToInputPattern(patterns);
  applyPatternsTo(readOpsOutsideDispatches(function, isReshaped), std::move(patterns));
  for (linalg::LinalgOp op : linalgOpsOutsideDispatches(function))
    if (auto generic = dyn_cast<linalg::GenericOp>(op.getOperation()); generic && isContraction(op))
      (void)toNamed(rewriter, generic);
}

} // namespace
} // namespace fuselage

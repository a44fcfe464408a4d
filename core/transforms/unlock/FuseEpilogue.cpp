#include "core/transforms/unlock/Passes.h"
#include "core/transforms/unlock/ReshapePropagation.h"

namespace fuselage {
#define GEN_PASS_DEF_FUSEEPILOGUEPASS
#include "core/transforms/unlock/Passes.h.inc"
} // namespace fuselage

using namespace mlir;

namespace fuselage {
namespace {

struct FuseEpiloguePass : impl::FuseEpiloguePassBase<FuseEpiloguePass> {
  void runOnOperation() override;
};

/// A contraction, convolution or reduction, or an elementwise op after one that nobody else reads.
bool isEpilogueOfRoot(Operation *op) {
  while (op && isComputeOp(op)) {
    if (isRootKind(kindOf(op)))
      return true;
    if (!isElementwiseOp(op))
      return false;
    Operation *previous = nullptr;
    for (Value operand : op->getOperands())
      if (Operation *producer = operand.getDefiningOp();
          producer && isComputeOp(producer) && !isCheapProducer(producer) && producer->hasOneUse())
        previous = producer;
    op = previous;
  }
  return false;
}

/// Whether an elementwise op reads the reshape.
bool feedsElementwise(Operation *reshape) {
  return llvm::any_of(reshape->getUsers(), [](Operation *user) { return isElementwiseOp(user); });
}

void FuseEpiloguePass::runOnOperation() {
  FunctionOpInterface function = getOperation();
  DeadOpEraser eraser(function);
  auto leads = [](Operation *reshape, linalg::LinalgOp producer) {
    return feedsElementwise(reshape) && isEpilogueOfRoot(producer);
  };
  auto follows = [](Operation *reshape, linalg::LinalgOp consumer) {
    return isElementwiseOp(consumer) && isEpilogueOfRoot(reshape->getOperand(0).getDefiningOp());
  };
  propagateReshapes(function, ReshapeDirection::Up, ReshapeMethod::MoreLoops, leads);
  propagateReshapes(function, ReshapeDirection::Down, ReshapeMethod::MoreLoops, follows);
  IRRewriter rewriter(&getContext());
  eraser.erase(rewriter);
}

} // namespace
} // namespace fuselage

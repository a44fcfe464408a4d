#include "core/transforms/dispatch/TensorArithmetic.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

namespace fuselage {

bool isTensorArithmetic(Operation *op) {
  auto isPlain = [](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor ? !tensor.getEncoding() : !isa<ShapedType>(type);
  };
  return op->isRegistered() && OpTrait::hasElementwiseMappableTraits(op) &&
         llvm::any_of(op->getResultTypes(), llvm::IsaPred<RankedTensorType>) &&
         llvm::any_of(op->getOperandTypes(), llvm::IsaPred<RankedTensorType>) &&
         llvm::all_of(op->getResultTypes(), isPlain) && llvm::all_of(op->getOperandTypes(), isPlain);
}

namespace {

/// The structured ops that a rewrite makes.
struct MadeOps : RewriterBase::Listener {
  void notifyOperationInserted(Operation *op, OpBuilder::InsertPoint) override {
    if (auto generic = dyn_cast<linalg::GenericOp>(op))
      ops.push_back(generic);
  }
  SmallVector<linalg::GenericOp> ops;
};

} // namespace

/// Upstream writes over an operand of the result's type: another reader of it, where there is none.
static void giveDestinations(linalg::GenericOp op) {
  OpBuilder builder(op);
  for (OpOperand &init : op.getDpsInitsMutable())
    if (!op.payloadUsesValueFromOperand(&init) && !init.get().getDefiningOp<tensor::EmptyOp>())
      init.set(tensor::EmptyOp::create(builder, op.getLoc(), tensor::getMixedSizes(builder, op.getLoc(), init.get()),
                                       getElementTypeOrSelf(init.get().getType())));
}

void writeAsStructured(ArrayRef<Operation *> ops) {
  if (ops.empty())
    return;
  MLIRContext *context = ops.front()->getContext();
  RewritePatternSet patterns(context);
  linalg::populateElementwiseToLinalgConversionPatterns(patterns);
  MadeOps made;
  GreedyRewriteConfig config;
  config.setStrictness(GreedyRewriteStrictness::ExistingOps).enableFolding(false).setListener(&made);
  (void)applyOpPatternsGreedily(ops, std::move(patterns), config);
  for (linalg::GenericOp op : made.ops)
    giveDestinations(op);
}

} // namespace fuselage

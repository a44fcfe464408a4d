// What bufferization needs to know about dispatches.
#include "core/transforms/composites/UpstreamComposites.h"
#include "core/transforms/dispatch/DispatchBody.h"
#include "core/transforms/gpu/Passes.h"
#include "core/transforms/workgroups/reductions/WidenAccumulators.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace fuselage {
#define GEN_PASS_DEF_PREPAREDISPATCHESPASS
#include "core/transforms/gpu/Passes.h.inc"
} // namespace fuselage

using namespace mlir;
using namespace fuselage;

namespace {

struct PrepareDispatches : fuselage::impl::PrepareDispatchesPassBase<PrepareDispatches> {
  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (function.isExternal())
      return;
    if (isDispatch(function))
      setInterface(function);
    if (failed(decomposeComposites(function)))
      return signalPassFailure();
    if (!isDispatch(function))
      return;
    IRRewriter rewriter(&getContext());
    for (Block &block : function.getBody()) // reductions in tiles have wide accumulators already
      for (linalg::LinalgOp op : llvm::to_vector(block.getOps<linalg::LinalgOp>()))
        widenAccumulators(rewriter, op);
    RewritePatternSet patterns(&getContext());
    linalg::populateElementwiseToLinalgConversionPatterns(patterns);
    if (failed(applyPatternsGreedily(function, std::move(patterns))))
      signalPassFailure();
  }

private:
  /// Arguments are only read, and results become output parameters as far as their sizes are known to a
  /// caller: buffer-results-to-out-params refuses the others, and leaves public functions alone.
  void setInterface(func::FuncOp dispatch) {
    for (unsigned i = 0; i < dispatch.getNumArguments(); ++i)
      if (isa<TensorType>(dispatch.getArgument(i).getType()))
        dispatch.setArgAttr(i, bufferization::BufferizationDialect::kWritableAttrName,
                            BoolAttr::get(&getContext(), false));
    separateResults(dispatch);
    if (llvm::any_of(dispatch.getResultTypes(), [](Type type) {
          auto tensor = dyn_cast<TensorType>(type);
          return tensor && !tensor.hasStaticShape();
        }))
      dispatch.setPublic();
  }

  /// A value that is returned twice needs two buffers: each result is an output parameter.
  void separateResults(func::FuncOp function) {
    function.walk([](func::ReturnOp op) {
      llvm::SmallPtrSet<Value, 4> seen;
      OpBuilder builder(op);
      for (OpOperand &operand : op->getOpOperands()) {
        auto type = dyn_cast<RankedTensorType>(operand.get().getType());
        if (seen.insert(operand.get()).second || !type || !type.hasStaticShape())
          continue;
        // Not a linalg.copy: the elimination of empty tensors would see through it.
        operand.set(bufferization::AllocTensorOp::create(builder, op.getLoc(), type, ValueRange(), operand.get()));
      }
    });
  }

  /// linalg.softmax, tensor.concat and the like know how to become structured ops.
  LogicalResult decomposeComposites(func::FuncOp function) {
    SmallVector<linalg::AggregatedOpInterface> composites;
    function.walk([&](linalg::AggregatedOpInterface op) { composites.push_back(op); });
    IRRewriter rewriter(&getContext());
    for (linalg::AggregatedOpInterface op : composites) {
      FailureOr<SmallVector<Value>> parts = decompose(rewriter, op);
      if (failed(parts)) {
        std::string why = whyNotDecomposed(op);
        return op.emitOpError() << (why.empty() ? "cannot be taken apart into structured ops" : why);
      }
      rewriter.replaceOp(op, *parts);
    }
    SmallVector<tensor::ConcatOp> joins;
    function.walk([&](tensor::ConcatOp op) { joins.push_back(op); });
    for (tensor::ConcatOp op : joins) {
      rewriter.setInsertionPoint(op);
      FailureOr<SmallVector<Value>> parts = op.decomposeOperation(rewriter);
      if (succeeded(parts))
        rewriter.replaceOp(op, *parts);
    }
    return lowerPacks(rewriter, function);
  }

  /// linalg.pack and linalg.unpack as pads, reshapes and transpositions.
  LogicalResult lowerPacks(IRRewriter &rewriter, func::FuncOp function) {
    SmallVector<linalg::PackOp> packs;
    SmallVector<linalg::UnPackOp> unpacks;
    function.walk([&](linalg::PackOp op) { packs.push_back(op); });
    function.walk([&](linalg::UnPackOp op) { unpacks.push_back(op); });
    for (linalg::PackOp op : packs) {
      rewriter.setInsertionPoint(op);
      if (failed(linalg::lowerPack(rewriter, op)))
        return op.emitOpError("cannot be lowered to pad, reshape and transpose");
    }
    for (linalg::UnPackOp op : unpacks) {
      rewriter.setInsertionPoint(op);
      if (failed(linalg::lowerUnPack(rewriter, op)))
        return op.emitOpError("cannot be lowered to transpose, reshape and slice");
    }
    return success();
  }
};

} // namespace

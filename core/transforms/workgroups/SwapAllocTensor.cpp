// fuselage-swap-alloc-tensor: what is computed only to be copied is computed where the copy goes.
#include "core/transforms/dispatch/DispatchBody.h"
#include "core/transforms/workgroups/Passes.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace fuselage {
#define GEN_PASS_DEF_SWAPALLOCTENSORPASS
#include "core/transforms/workgroups/Passes.h.inc"
} // namespace fuselage

using namespace mlir;
using bufferization::AllocTensorOp;

namespace fuselage {
namespace {

/// Why the copy of a computed value has to stay; null if it need not.
const char *reasonToCopy(AllocTensorOp alloc, linalg::LinalgOp producer, OpOperand &init) {
  if (producer->getBlock() != alloc->getBlock())
    return "its producer stands in another block, and the memory would outlive the loop";
  if (producer.payloadUsesValueFromOperand(&init))
    return "its producer reads what its destination holds";
  // Others that read it may do so from there, but it must not leave: the memory does not.
  bool stays = llvm::all_of(alloc.getCopy().getUsers(), [&](Operation *user) {
    return user == alloc ||
           isa<linalg::LinalgOp, tensor::ExtractSliceOp, tensor::ExtractOp, tensor::DimOp, AllocTensorOp>(user);
  });
  return stays ? nullptr : "other ops than computations on tiles use the value, too";
}

/// The sizes of what `producer` writes, where they are dynamic.
SmallVector<Value> dynamicSizes(OpBuilder &builder, Location loc, Value value) {
  SmallVector<Value> sizes;
  auto type = cast<RankedTensorType>(value.getType());
  for (auto [dim, size] : llvm::enumerate(type.getShape()))
    if (ShapedType::isDynamic(size))
      sizes.push_back(tensor::DimOp::create(builder, loc, value, dim));
  return sizes;
}

void swap(IRRewriter &rewriter, AllocTensorOp alloc) {
  auto producer = alloc.getCopy().getDefiningOp<linalg::LinalgOp>();
  if (!producer)
    return;
  OpOperand &init = *producer.getDpsInitOperand(cast<OpResult>(alloc.getCopy()).getResultNumber());
  if (const char *reason = reasonToCopy(alloc, producer, init)) {
    alloc->emitRemark("stays a copy: ") << reason;
    return;
  }
  rewriter.setInsertionPoint(producer);
  Operation *overwritten = init.get().getDefiningOp();
  auto destination = AllocTensorOp::create(rewriter, alloc.getLoc(), cast<RankedTensorType>(alloc.getType()),
                                           dynamicSizes(rewriter, alloc.getLoc(), init.get()), /*copy=*/Value(),
                                           alloc.getSizeHint(), alloc.getMemorySpaceAttr());
  rewriter.modifyOpInPlace(producer, [&] { init.set(destination); });
  rewriter.replaceOp(alloc, alloc.getCopy());
  if (overwritten && isOpTriviallyDead(overwritten))
    rewriter.eraseOp(overwritten);
}

struct SwapAllocTensorPass : impl::SwapAllocTensorPassBase<SwapAllocTensorPass> {
  void runOnOperation() override {
    SmallVector<AllocTensorOp> allocations;
    forEachFunction(getOperation(), [&](FunctionOpInterface function) {
      function->walk([&](AllocTensorOp alloc) {
        if (alloc.getCopy())
          allocations.push_back(alloc);
      });
    });
    IRRewriter rewriter(&getContext());
    for (AllocTensorOp alloc : allocations)
      swap(rewriter, alloc);
  }
};

} // namespace
} // namespace fuselage

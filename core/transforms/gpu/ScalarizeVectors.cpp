// Vectors of any shape and length become scalars. Stock patterns take apart what has an algorithm in it (contractions,
// reductions over several dimensions, masks around them); what is left moves or computes lane by lane.
#include "core/transforms/gpu/Passes.h"
#include "core/transforms/gpu/VectorLanes.h"
#include "mlir/Conversion/VectorToSCF/VectorToSCF.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/Transforms/LoweringPatterns.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace fuselage {
#define GEN_PASS_DEF_SCALARIZEVECTORSPASS
#include "core/transforms/gpu/Passes.h.inc"
} // namespace fuselage

using namespace mlir;
using namespace fuselage;

namespace {

/// Leaves elementwise ops, shapes, reductions of one dimension, masks that are values, and transfers.
LogicalResult lowerAlgorithms(Operation *root) {
  RewritePatternSet patterns(root->getContext());
  vector::populateVectorMaskLoweringPatternsForSideEffectingOps(patterns);
  vector::populateVectorContractLoweringPatterns(patterns, vector::VectorContractLowering::OuterProduct);
  vector::populateVectorOuterProductLoweringPatterns(patterns);
  vector::populateVectorMultiReductionLoweringPatterns(patterns, vector::VectorMultiReductionLowering::InnerParallel);
  vector::populateVectorScanLoweringPatterns(patterns);
  vector::populateVectorGatherLoweringPatterns(patterns);
  return applyPatternsGreedily(root, std::move(patterns));
}

struct ScalarizeVectors : fuselage::impl::ScalarizeVectorsPassBase<ScalarizeVectors> {
  using Base::Base;

  void runOnOperation() override {
    if (failed(lowerAlgorithms(getOperation())))
      return signalPassFailure();
    SmallVector<Operation *> ops;
    int64_t lanes = 0;
    getOperation()->walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (op == getOperation() || !VectorLanes::touches(op))
        return;
      ops.push_back(op);
      for (Type type : op->getResultTypes())
        if (auto vector = dyn_cast<VectorType>(type))
          lanes = std::min(lanes, INT64_MAX / 2) + std::min(vector.getNumElements(), INT64_MAX / 2);
    });
    if (lanes > maxLanes) {
      getOperation()->emitOpError() << "has vectors of " << lanes << " elements together, more than the "
                                    << maxLanes.getValue() << " that are written out; smaller vector sizes help";
      return signalPassFailure();
    }
    VectorLanes scalars(&getContext());
    for (Operation *op : ops)
      if (failed(scalars.rewrite(op)))
        return signalPassFailure();
    scalars.eraseRewritten();
  }
};

} // namespace

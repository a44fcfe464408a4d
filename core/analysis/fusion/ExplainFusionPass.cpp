// fuselage-explain-fusion: verdicts as remarks on the ops.
#include "core/analysis/fusion/FusionRemarks.h"
#include "core/analysis/fusion/Passes.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace fuselage {
#define GEN_PASS_DEF_EXPLAINFUSIONPASS
#include "core/analysis/fusion/Passes.h.inc"
} // namespace fuselage

using namespace fuselage;
using namespace mlir;

namespace {

struct ExplainFusionPass : fuselage::impl::ExplainFusionPassBase<ExplainFusionPass> {
  using ExplainFusionPassBase::ExplainFusionPassBase;

  /// What tryToShareLoops makes ops of.
  void getDependentDialects(DialectRegistry &registry) const override {
    ExplainFusionPassBase::getDependentDialects(registry);
    registry.insert<affine::AffineDialect, arith::ArithDialect, func::FuncDialect, linalg::LinalgDialect,
                    scf::SCFDialect, tensor::TensorDialect>();
  }

  void runOnOperation() override {
    llvm::Expected<FusionPolicy> parsed = parseFusionPolicy(policy);
    if (!parsed) {
      getOperation().emitError(llvm::toString(parsed.takeError()));
      return signalPassFailure();
    }
    if (gbps <= 0) {
      getOperation().emitError("the bandwidth has to be more than 0 GB/s");
      return signalPassFailure();
    }
    std::vector<BodyVerdicts> bodies = judgeFusion(getOperation(), *parsed);
    tryToShareLoops(bodies);
    emitFusionRemarks(bodies, {.missedOnly = missedOnly, .gbps = gbps});
    markAllAnalysesPreserved();
  }
};

} // namespace

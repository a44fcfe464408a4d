#include "core/transforms/foreign/QuantOps.h"
#include "core/ir/ops/CollectOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Quant/IR/Quant.h"
#include "mlir/Dialect/Quant/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

namespace fuselage {

bool isQuantCast(Operation *op) { return isa<quant::DequantizeCastOp, quant::QuantizeCastOp>(op); }

bool hasQuantCasts(ModuleOp module) {
  return module->walk([](Operation *op) { return isQuantCast(op) ? WalkResult::interrupt() : WalkResult::advance(); })
      .wasInterrupted();
}

void addQuantLowering(OpPassManager &passes) {
  passes.addNestedPass<func::FuncOp>(quant::createLowerQuantOps());
  passes.addPass(quant::createStripFuncQuantTypes());
}

void foldStorageCasts(ModuleOp module) {
  SmallVector<Operation *> casts = collectOps(module, llvm::IsaPred<quant::StorageCastOp>);
  GreedyRewriteConfig config;
  config.setStrictness(GreedyRewriteStrictness::ExistingOps);
  (void)applyOpPatternsGreedily(casts, RewritePatternSet(module.getContext()), config);
}

} // namespace fuselage

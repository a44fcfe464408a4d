#include "core/transforms/FusionPresets.h"
#include "core/transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

namespace fuselage {

/// The pass manager for functions: `passes` itself, or nested in it if it runs on modules.
static OpPassManager &functionPasses(OpPassManager &passes) {
  return passes.getOpAnchorName() == ModuleOp::getOperationName() ? passes.nest<func::FuncOp>()
                                                                  : passes;
}

void buildFusionCleanup(OpPassManager &passes) {
  OpPassManager &functions = functionPasses(passes);
  functions.addPass(createGeneralizePass());
  functions.addPass(createFoldUnitDimsPass());
  functions.addPass(createCSEPass());
  functions.addPass(createBubbleReshapeUpPass());
  functions.addPass(createBubbleReshapeDownPass());
  functions.addPass(createAbsorbTransposePass());
  functions.addPass(createAbsorbBroadcastPass());
  functions.addPass(createInterchangeReductionPass());
  functions.addPass(createFuseElementwisePass());
  functions.addPass(createSpecializePass());
  functions.addPass(createCanonicalizerPass());
}

void registerFusionPresets() {
  PassPipelineRegistration<>("fuselage-fusion-cleanup",
                             "Remove what keeps ops on tensors apart without need: unit dimensions, "
                             "transposes, broadcasts and reshapes between them",
                             buildFusionCleanup);
}

} // namespace fuselage

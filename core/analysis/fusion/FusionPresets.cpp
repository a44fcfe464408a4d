#include "core/analysis/fusion/FusionPresets.h"
#include "core/transforms/attention/Passes.h"
#include "core/transforms/unlock/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

namespace fuselage {

/// The pass manager for functions: `passes` itself, or nested in it if it runs on modules.
static OpPassManager &functionPasses(OpPassManager &passes) {
  return passes.getOpAnchorName() == ModuleOp::getOperationName() ? passes.nest<func::FuncOp>() : passes;
}

/// What nobody reads, unit dimensions, reshapes, transposes and broadcasts go, elementwise ops merge.
static void addCleanup(OpPassManager &functions) {
  functions.addPass(createResolveShapesPass());
  functions.addPass(createDropUnusedResultsPass());
  functions.addPass(createSplitReductionPass());
  functions.addPass(createAbsorbConcatPass());
  functions.addPass(createAbsorbPadPass());
  functions.addPass(createGeneralizePass());
  functions.addPass(createFoldUnitDimsPass());
  functions.addPass(createCSEPass());
  functions.addPass(createBubbleReshapeUpPass());
  functions.addPass(createBubbleReshapeDownPass());
  // What moved down left splits of other operands where they were.
  functions.addPass(createBubbleReshapeUpPass());
  // What moved asks for the sizes of what it passed.
  functions.addPass(createResolveShapesPass());
  // A weight may be transposed, then repeated, or the other way round.
  functions.addPass(createAbsorbBroadcastPass());
  functions.addPass(createAbsorbTransposePass());
  functions.addPass(createAbsorbBroadcastPass());
  functions.addPass(createInterchangeReductionPass());
  functions.addPass(createFuseElementwisePass());
}

/// Names for what has one, and no leftovers.
static void addTidying(OpPassManager &functions) {
  functions.addPass(createSpecializePass());
  functions.addPass(createCanonicalizerPass());
}

void buildFusionCleanup(OpPassManager &passes) {
  OpPassManager &functions = functionPasses(passes);
  addCleanup(functions);
  addTidying(functions);
}

void buildFuseAll(OpPassManager &passes) {
  OpPassManager &functions = functionPasses(passes);
  functions.addPass(createDecomposeSoftmaxPass());
  addCleanup(functions);
  functions.addPass(createFuseAttentionPass());
  functions.addPass(createFuseMultiUsePass());
  functions.addPass(createFuseHorizontalPass());
  functions.addPass(createFuseEpiloguePass());
  functions.addPass(createFuseReductionPass());
  functions.addPass(createFusePackingPass());
  functions.addPass(createFuseSiblingsPass());
  addTidying(functions);
}

void registerFusionPresets() {
  PassPipelineRegistration<>("fuselage-fusion-cleanup",
                             "Remove what keeps ops on tensors apart without need: unit dimensions, "
                             "transposes, broadcasts and reshapes between them",
                             buildFusionCleanup);
  PassPipelineRegistration<>("fuselage-fuse-all",
                             "The clean-up, then all fusions that pay: attention, sibling "
                             "contractions, reductions over the same rows",
                             buildFuseAll);
}

} // namespace fuselage

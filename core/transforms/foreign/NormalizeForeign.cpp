// fuselage-normalize-foreign: functions, boundaries, weights and ops of other dialects in upstream's words.
#include "core/transforms/foreign/NormalizeForeign.h"
#include "core/dialects/flow/Flow.h"
#include "core/ir/module/RunPipeline.h"
#include "core/ir/module/Splits.h"
#include "core/transforms/composites/DecomposeComposites.h"
#include "core/transforms/foreign/AttentionDispatches.h"
#include "core/transforms/foreign/ForeignBoundary.h"
#include "core/transforms/foreign/ForeignFunctions.h"
#include "core/transforms/foreign/ForeignGlobals.h"
#include "core/transforms/foreign/ForeignOps.h"
#include "core/transforms/foreign/ForeignTensorOps.h"
#include "core/transforms/foreign/IndexConditions.h"
#include "core/transforms/foreign/ModernizeOps.h"
#include "core/transforms/foreign/Passes.h"
#include "core/transforms/foreign/PortableDispatches.h"
#include "core/transforms/foreign/SharedOutputs.h"
#include "core/transforms/foreign/TosaOps.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"

namespace fuselage {
#define GEN_PASS_DEF_NORMALIZEFOREIGNPASS
#include "core/transforms/foreign/Passes.h.inc"
} // namespace fuselage

using namespace mlir;
using namespace fuselage;

bool fuselage::needsNormalization(ModuleOp module) {
  return hasForeignForms(module) || hasGlobals(module) || hasPrivateCalls(module) ||
         hasPayloadAssertions(module) || hasTosaOps(module) || hasSharedOutputs(module);
}

bool fuselage::hasForeignForms(ModuleOp module) {
  if (hasLegacyOps(module) || hasPortableLoops(module))
    return true;
  return module
      ->walk([](Operation *op) {
        bool isForeignForm = isForeign(op, "util.func") || isBoundary(op) || isTensorTwin(op) || isForeignComposite(op);
        return isForeignForm ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

llvm::Expected<OwningOpRef<ModuleOp>> fuselage::normalized(ModuleOp module, std::vector<Diagnostic> *said) {
  if (llvm::none_of(splitModules(module), needsNormalization))
    return OwningOpRef<ModuleOp>();
  OwningOpRef<ModuleOp> copy = module.clone();
  for (ModuleOp split : splitModules(*copy)) {
    PassManager passes(module.getContext());
    passes.addPass(createNormalizeForeignPass());
    if (llvm::Error error = runPasses(passes, split, "the module's functions cannot be normalized", said))
      return error;
  }
  return copy;
}

namespace {

struct NormalizeForeignPass : fuselage::impl::NormalizeForeignPassBase<NormalizeForeignPass> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    modernizeOps(module);
    convertFunctions(module);
    dropBarriers(module);
    dropWrappers(module);
    replaceTensorTwins(module);
    convertCalls(module);
    inlinePrivateCalls(module);
    SmallVector<func::FuncOp> entries = entriesOf(module);
    for (func::FuncOp entry : entries)
      normalizeBoundary(entry);
    convertCalls(module);
    castBoundaries(module);
    modernizeOps(module); // what read results of barriers, too
    liftGlobals(module, entries);
    lowerTosaOps(module);
    liftPayloadAssertions(module);
    reopenAttentionDispatches(module);
    decomposeForeignComposites(module);
    restoreParallelLoops(module);
    reduceSharedOutputs(module);
    eraseDeadForeignOps(module);
  }
};

} // namespace

#include "core/analysis/fusion/FusionPipelines.h"
#include "core/analysis/fusion/FusionVerdicts.h"
#include "core/dialects/flow/Flow.h"
#include "core/ir/Session.h"
#include "core/ir/module/RunPipeline.h"
#include "core/ir/module/Splits.h"
#include "core/transforms/dispatch/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/Support/xxhash.h"

using namespace mlir;

namespace fuselage {

std::string functionPipeline(llvm::StringRef passes) { return "builtin.module(func.func(" + passes.str() + "))"; }

llvm::Error runFusionPipeline(ModuleOp module, llvm::StringRef pipeline) {
  PassManager passes(module.getContext());
  if (llvm::Error error = readPipeline(pipeline, passes))
    return error;
  for (ModuleOp part : splitModules(module))
    if (llvm::Error error = runPasses(passes, part, "'" + pipeline + "' failed"))
      return error;
  return llvm::Error::success();
}

uint64_t fingerprintOf(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream os(text);
  module->print(os, OpPrintingFlags().elideLargeElementsAttrs().elideLargeResourceString().useLocalScope());
  return llvm::xxh3_64bits(text);
}

llvm::Error completeDispatches(ModuleOp module, const FusionPolicy &policy) {
  SmallVector<func::FuncOp> functions;
  module.walk([&](func::FuncOp function) {
    if (function.walk([](flow::DispatchRegionOp) { return WalkResult::interrupt(); }).wasInterrupted())
      functions.push_back(function);
  });
  PassManager passes(module.getContext(), func::FuncOp::getOperationName());
  passes.addPass(createFormDispatchesPass({.policy = policy.name}));
  for (func::FuncOp function : functions)
    if (llvm::Error error = runPasses(passes, function, "dispatches of @" + function.getName() + " cannot be formed"))
      return error;
  return llvm::Error::success();
}

llvm::Expected<unsigned> countFusedDispatches(ModuleOp module, const FusionPolicy &policy) {
  if (llvm::Error error = completeDispatches(module, policy))
    return error;
  unsigned count = 0;
  for (const BodyVerdicts &body : judgeFusion(module, policy))
    count += body.dispatches.size();
  return count;
}

} // namespace fuselage

#include "core/run/RunProgram.h"
#include "core/codegen/Codegen.h"
#include "core/dialects/flow/Flow.h"
#include "core/ir/Session.h"
#include "core/ir/module/RunPipeline.h"
#include "core/transforms/dispatch/DispatchBody.h"
#include "core/transforms/workgroups/BroadcastFolding.h"

using namespace mlir;

namespace fuselage {

/// What MLIR says beside errors becomes remarks.
static llvm::Error runStep(ModuleOp module, StringRef pipeline, std::vector<Diagnostic> &remarks) {
  return runPipeline(module, pipeline, "forming dispatches failed in '" + pipeline + "'", &remarks);
}

static unsigned countRegions(ModuleOp module) {
  unsigned count = 0;
  module.walk([&](flow::DispatchRegionOp) { ++count; });
  return count;
}

llvm::Expected<RunProgram> formRunProgram(OwningOpRef<ModuleOp> module, StringRef functionName,
                                          std::vector<Diagnostic> &remarks) {
  unsigned before = countRegions(*module);
  // Whoever formed dispatches has cleaned up already; doing so again might change them.
  StringRef cleanUp = before == 0 ? StringRef(kCleanUp) : "builtin.module(convert-elementwise-to-linalg)";
  for (StringRef pipeline : {cleanUp, StringRef(kFormDispatches)})
    if (llvm::Error error = runStep(*module, pipeline, remarks))
      return error;
  bool isFormedHere = countRegions(*module) > before;
  if (llvm::Error error = runStep(*module, "builtin.module(fuselage-outline-dispatches)", remarks))
    return error;
  RunProgram program;
  program.unfused = OwningOpRef<ModuleOp>(module->clone());
  IRRewriter rewriter(module->getContext());
  program.unfused->walk([&](func::FuncOp function) {
    for (Block &block : function.getBody())
      foldBroadcasts(rewriter, block);
  });
  if (isFormedHere)
    if (llvm::Error error = runStep(*module, kFuseWithinDispatches, remarks))
      return error;
  program.function = module->lookupSymbol<func::FuncOp>(functionName);
  if (!program.function)
    return fail("forming dispatches lost @" + functionName.str());
  module->walk([&](func::CallOp call) {
    auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(call, call.getCalleeAttr());
    if (!isDispatch(callee))
      return;
    ++program.dispatchCalls;
    program.dispatches.insert(callee);
  });
  program.module = std::move(module);
  return program;
}

func::FuncOp RunProgram::plainOf(func::FuncOp dispatch) const {
  auto plain = ModuleOp(unfused.get()).lookupSymbol<func::FuncOp>(dispatch.getName());
  return plain && plain.getFunctionType() == dispatch.getFunctionType() ? plain : dispatch;
}

} // namespace fuselage

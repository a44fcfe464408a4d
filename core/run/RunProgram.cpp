#include "core/run/RunProgram.h"
#include "core/codegen/Codegen.h"
#include "core/dialects/flow/Flow.h"
#include "core/dialects/sharding/DropShardings.h"
#include "core/ir/Session.h"
#include "core/ir/module/RunPipeline.h"
#include "core/transforms/dispatch/DispatchBody.h"
#include "core/transforms/workgroups/BroadcastFolding.h"

using namespace mlir;

namespace fuselage {

namespace {
/// While it lives, the passes of a context, and the patterns in them, are skipped once `cancelled`; unless somebody
/// else watches them.
class PassCancel {
public:
  PassCancel(MLIRContext &context, const std::atomic<bool> *cancelled)
      : context_(context), isMine_(cancelled && !context.hasActionHandler()) {
    if (isMine_)
      context.registerActionHandler([cancelled](llvm::function_ref<void()> run, const tracing::Action &) {
        if (!cancelled->load())
          run();
      });
  }
  ~PassCancel() {
    if (isMine_)
      context_.registerActionHandler(nullptr);
  }
  PassCancel(const PassCancel &) = delete;
  PassCancel &operator=(const PassCancel &) = delete;

private:
  MLIRContext &context_;
  bool isMine_;
};
} // namespace

/// What MLIR says beside errors becomes remarks.
static llvm::Error runStep(ModuleOp module, StringRef pipeline, std::vector<Diagnostic> &remarks,
                           const std::atomic<bool> *cancelled) {
  PassCancel cancel(*module.getContext(), cancelled);
  llvm::Error error = runPipeline(module, pipeline, "forming dispatches failed in '" + pipeline + "'", &remarks);
  if (!cancelled || !cancelled->load())
    return error;
  llvm::consumeError(std::move(error));
  return fail("cancelled");
}

static unsigned countRegions(ModuleOp module) {
  unsigned count = 0;
  module.walk([&](flow::DispatchRegionOp) { ++count; });
  return count;
}

llvm::Expected<RunProgram> formRunProgram(OwningOpRef<ModuleOp> module, StringRef functionName,
                                          std::vector<Diagnostic> &remarks, const std::atomic<bool> *cancelled) {
  unsigned before = countRegions(*module);
  // Whoever formed dispatches has cleaned up already; doing so again might change them.
  StringRef cleanUp = before == 0 ? StringRef(kCleanUp) : "builtin.module(convert-elementwise-to-linalg)";
  for (StringRef pipeline : {cleanUp, StringRef(kFormDispatches)})
    if (llvm::Error error = runStep(*module, pipeline, remarks, cancelled))
      return error;
  bool isFormedHere = countRegions(*module) > before;
  if (llvm::Error error = runStep(*module, "builtin.module(fuselage-outline-dispatches)", remarks, cancelled))
    return error;
  dropShardings(*module); // dispatches are those of a program with them
  RunProgram program;
  program.unfused = OwningOpRef<ModuleOp>(module->clone());
  IRRewriter rewriter(module->getContext());
  program.unfused->walk([&](func::FuncOp function) {
    for (Block &block : function.getBody())
      foldBroadcasts(rewriter, block);
  });
  if (isFormedHere)
    if (llvm::Error error = runStep(*module, kFuseWithinDispatches, remarks, cancelled))
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

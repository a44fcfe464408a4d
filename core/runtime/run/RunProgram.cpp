#include "core/runtime/run/RunProgram.h"
#include "core/codegen/Codegen.h"
#include "core/dialects/flow/Flow.h"
#include "core/ir/Session.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"

using namespace mlir;

namespace fuselage {

/// Runs a textual pipeline on the whole module; what MLIR says beside errors becomes remarks.
static llvm::Error runPipeline(ModuleOp module, StringRef text, std::vector<Diagnostic> &remarks) {
  std::string parseErrors;
  llvm::raw_string_ostream os(parseErrors);
  auto parsed = parsePassPipeline(text, os);
  if (failed(parsed))
    return fail("the pipeline '" + text.str() + "' does not parse: " + parseErrors);
  DiagnosticCapture capture(*module.getContext());
  PassManager passes(module.getContext());
  static_cast<OpPassManager &>(passes) = std::move(*parsed);
  if (failed(passes.run(module)))
    return fail("forming dispatches failed in '" + text.str() + "'", capture.take());
  for (Diagnostic &said : capture.take())
    remarks.push_back(std::move(said));
  return llvm::Error::success();
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
    if (llvm::Error error = runPipeline(*module, pipeline, remarks))
      return error;
  if (countRegions(*module) > before)
    if (llvm::Error error = runPipeline(*module, kFuseWithinDispatches, remarks))
      return error;
  if (llvm::Error error = runPipeline(*module, "builtin.module(fuselage-outline-dispatches)", remarks))
    return error;
  RunProgram program;
  program.function = module->lookupSymbol<func::FuncOp>(functionName);
  if (!program.function)
    return fail("forming dispatches lost @" + functionName.str());
  module->walk([&](func::CallOp call) {
    auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(call, call.getCalleeAttr());
    program.dispatchCalls += callee && callee->hasAttr("fuselage.dispatch");
  });
  program.module = std::move(module);
  return program;
}

} // namespace fuselage

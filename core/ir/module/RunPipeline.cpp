#include "core/ir/module/RunPipeline.h"
#include "mlir/Pass/PassRegistry.h"

using namespace mlir;

namespace fuselage {

llvm::Error readPipeline(StringRef text, PassManager &passes) {
  std::string complaint;
  llvm::raw_string_ostream os(complaint);
  FailureOr<OpPassManager> parsed = parsePassPipeline(text, os);
  if (failed(parsed))
    return fail("the pipeline '" + text.str() + "' does not parse: " + complaint);
  static_cast<OpPassManager &>(passes) = std::move(*parsed);
  return llvm::Error::success();
}

llvm::Error runPasses(PassManager &passes, Operation *op, const llvm::Twine &failure, std::vector<Diagnostic> *said) {
  DiagnosticCapture capture(*op->getContext());
  if (failed(passes.run(op)))
    return fail(failure.str(), capture.take());
  if (said)
    for (Diagnostic &diagnostic : capture.take())
      said->push_back(std::move(diagnostic));
  return llvm::Error::success();
}

llvm::Error runPipeline(ModuleOp module, StringRef text, const llvm::Twine &failure, std::vector<Diagnostic> *said) {
  PassManager passes(module.getContext());
  if (llvm::Error error = readPipeline(text, passes))
    return error;
  return runPasses(passes, module, failure, said);
}

} // namespace fuselage

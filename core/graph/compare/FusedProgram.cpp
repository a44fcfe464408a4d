#include "core/graph/compare/FusedProgram.h"
#include "core/analysis/fusion/FuseAll.h"
#include "core/analysis/fusion/FusionPipelines.h"

namespace fuselage {

llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>> fusedProgram(mlir::ModuleOp module,
                                                               const std::function<bool(llvm::StringRef)> &proceed) {
  FusionPolicy policy;
  FuseAllOptions options{.goal = FusionGoal::All};
  options.proceed = proceed;
  auto result = fuseAll(module, policy, options);
  if (!result)
    return result.takeError();
  if (llvm::Error error =
          runFusionPipeline(*result->module, functionPipeline("fuselage-form-dispatches{policy=" + policy.name + "}")))
    return error;
  return std::move(result->module);
}

} // namespace fuselage

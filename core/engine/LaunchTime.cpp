#include "core/engine/LaunchTime.h"
#include "core/analysis/fusion/FusionPipelines.h"
#include "mlir/IR/OwningOpRef.h"

namespace fuselage {

llvm::Expected<double> launchTime(Session &session, mlir::ModuleOp module, RunOptions options,
                                  const FusionPolicy &policy) {
  mlir::OwningOpRef<mlir::ModuleOp> copy(module.clone());
  if (llvm::Error error = completeDispatches(*copy, policy))
    return error;
  options.secondsPerDispatch = 1;
  llvm::Expected<RunReport> report = runModule(session, *copy, options);
  if (!report)
    return report.takeError();
  if (!report->ok())
    return fail("cannot be measured on " + options.device + ": " + report->why);
  return report->sumUs();
}

} // namespace fuselage

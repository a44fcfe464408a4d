#include "app/cli/FuseMeasure.h"
#include "core/analysis/fusion/FusionPipelines.h"
#include "core/runtime/Run.h"
#include "mlir/IR/OwningOpRef.h"

namespace fuselage::cli {

llvm::Expected<double> measureModule(Session &session, mlir::ModuleOp module, const std::string &device,
                                     const HostCheckOptions &host, const FusionPolicy &policy) {
  mlir::OwningOpRef<mlir::ModuleOp> copy(module.clone());
  if (llvm::Error error = completeDispatches(*copy, policy))
    return error;
  RunOptions options;
  options.device = device;
  options.function = host.function;
  options.sizes = host.sizes;
  options.seed = host.seed;
  options.secondsPerDispatch = 1;
  llvm::Expected<RunReport> report = runModule(session, *copy, options);
  if (!report)
    return report.takeError();
  if (!report->ok)
    return fail("cannot be measured on " + device + ": its results are wrong there; 'fuselage run' tells which");
  double total = 0;
  for (const KernelReport &kernel : report->kernels)
    total += kernel.medianUs;
  return total;
}

} // namespace fuselage::cli

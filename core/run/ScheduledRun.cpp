#include "core/run/ScheduledRun.h"
#include "core/run/FunctionBench.h"

namespace fuselage {

llvm::Expected<RunReport> runScheduled(mlir::ModuleOp before, mlir::ModuleOp after, const RunOptions &options) {
  auto progress = [&](unsigned done, llvm::StringRef what) {
    if (options.progress)
      options.progress(done, 3, what);
  };
  progress(1, "computing what it was");
  auto bench = FunctionBench::create(before, options);
  if (!bench)
    return bench.takeError();
  progress(2, "running what the schedule made");
  auto candidate = (*bench)->prepare(after);
  if (!candidate)
    return candidate.takeError();
  auto report = (*bench)->measure(**candidate, options.counts());
  progress(3, "done");
  return report;
}

} // namespace fuselage

#include "core/run/ScheduledRun.h"
#include "core/run/FunctionBench.h"
#include "core/run/progress/RunMonitor.h"

namespace fuselage {

llvm::Expected<RunReport> runScheduled(mlir::ModuleOp before, mlir::ModuleOp after, const RunOptions &options) {
  RunMonitor monitor(options.progress);
  monitor.expect(3);
  monitor.tell(1, "computing the reference");
  auto bench = FunctionBench::create(before, options);
  if (!bench)
    return bench.takeError();
  monitor.enter(message::RunPhase::Compile);
  monitor.tell(2, "running what the schedule made");
  auto candidate = (*bench)->prepare(after);
  if (!candidate)
    return candidate.takeError();
  monitor.enter(message::RunPhase::Run);
  auto report = (*bench)->measure(**candidate, options.counts());
  monitor.tell(3, "done");
  return report;
}

} // namespace fuselage

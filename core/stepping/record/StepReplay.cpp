#include "core/stepping/record/StepReplay.h"
#include "core/dialects/device/DeviceAttr.h"
#include "core/ir/module/RunPipeline.h"
#include "core/ir/module/Splits.h"
#include "core/ir/module/VerifySafely.h"
#include "core/ir/ops/ValueNames.h"
#include "mlir/Pass/Pass.h"

namespace fuselage {
namespace {

/// Remembers which pass of a step failed.
class FailureWatch : public mlir::PassInstrumentation {
public:
  explicit FailureWatch(std::string &failed) : failed_(failed) {}
  void runAfterPassFailed(mlir::Pass *pass, mlir::Operation *) override {
    // Adaptors around the culprit fail after it and have no argument.
    if (failed_.empty() && !pass->getArgument().empty())
      failed_ = pass->getArgument().str();
  }

private:
  std::string &failed_;
};

class PassReplay : public StepReplay {
public:
  PassReplay(std::shared_ptr<const Snapshot> before, StepPasses passes)
      : before_(std::move(before)), passes_(std::move(passes)) {}

  llvm::Expected<WatchedStep> run(const RewriteWatchOptions &options) const override {
    auto before = before_->parsed();
    if (!before)
      return before.takeError();
    WatchedStep step;
    mlir::OwningOpRef<mlir::ModuleOp> module(before->clone());
    DiagnosticCapture capture(*module->getContext());
    RewriteWatch watch(*module, options);
    step.ok = passes_.run(*module, &watch).ok;
    step.log = watch.take();
    step.captured = watch.takeCaptured();
    if (step.captured)
      leaveNamesToValues(*step.captured);
    if (!step.ok)
      return step;
    leaveNamesToValues(*module);
    step.end = std::move(module);
    return step;
  }

private:
  std::shared_ptr<const Snapshot> before_;
  StepPasses passes_;
};

} // namespace

PassesRun StepPasses::run(mlir::ModuleOp module, RewriteWatch *watch) const {
  PassesRun run;
  for (mlir::ModuleOp split : splitModules(module)) {
    mlir::PassManager manager(module.getContext());
    manager.addInstrumentation(std::make_unique<FailureWatch>(run.failedPass));
    if (watch)
      manager.addInstrumentation(tellPasses(*watch));
    manager.enableVerifier(!verifiesOnce);
    if (llvm::Error error = readPipeline(pipeline, manager)) {
      run.said = takeFailure(std::move(error)).message;
      run.ok = false;
      break;
    }
    if (device)
      setDevice(split, *device);
    auto start = std::chrono::steady_clock::now();
    run.ok = mlir::succeeded(manager.run(split)) && (!verifiesOnce || mlir::succeeded(verifyQuickly(split)));
    run.milliseconds += std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    if (!run.ok)
      break;
  }
  return run;
}

std::shared_ptr<const StepReplay> replayOf(std::shared_ptr<const Snapshot> before, StepPasses passes) {
  return std::make_shared<PassReplay>(std::move(before), std::move(passes));
}

} // namespace fuselage

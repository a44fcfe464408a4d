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

size_t opsIn(mlir::ModuleOp module) {
  size_t count = 0;
  module->walk([&](mlir::Operation *) { ++count; });
  return count;
}

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
    finish(step, watch, std::move(module));
    return step;
  }

  llvm::Expected<WatchedStep> runKeeping(std::vector<ReplayPoint> &points, size_t mostOps) const override {
    auto before = before_->parsed();
    if (!before)
      return before.takeError();
    const std::vector<std::string> parts = partsOf(*before);
    if (parts.size() < 2)
      return run({});
    WatchedStep step;
    mlir::OwningOpRef<mlir::ModuleOp> module(before->clone());
    DiagnosticCapture capture(*module->getContext());
    RewriteWatch watch(*module);
    const size_t every = 1 + parts.size() * opsIn(*module) / mostOps;
    for (unsigned part = 0; part < parts.size() && step.ok; ++part) {
      if (part > 0)
        keepPoint(points, part, every, watch, *module);
      step.ok = passesOf(parts, part).run(*module, &watch).ok;
    }
    finish(step, watch, std::move(module));
    return step;
  }

  llvm::Expected<WatchedStep> runFrom(const ReplayPoint *point, unsigned end,
                                      const RewriteWatchOptions &options) const override {
    auto before = before_->parsed();
    if (!before)
      return before.takeError();
    const std::vector<std::string> parts = partsOf(*before);
    if (!point && end >= parts.size())
      return run(options);
    WatchedStep step;
    mlir::ModuleOp start = point ? point->module.get() : *before;
    mlir::OwningOpRef<mlir::ModuleOp> module(start.clone());
    DiagnosticCapture capture(*module->getContext());
    RewriteWatchOptions continued = options;
    if (point)
      continued.functions = point->functions;
    RewriteWatch watch(*module, continued);
    for (unsigned part = point ? point->part : 0; part < std::min<size_t>(end, parts.size()) && step.ok; ++part)
      step.ok = passesOf(parts, part).run(*module, &watch).ok;
    if (end >= parts.size())
      finish(step, watch, std::move(module));
    else
      finish(step, watch, {});
    return step;
  }

private:
  /// None where they are not run one after the other on one module.
  std::vector<std::string> partsOf(mlir::ModuleOp module) const {
    return splitModules(module).size() == 1 ? passes_.parts(*module.getContext()) : std::vector<std::string>();
  }

  StepPasses passesOf(llvm::ArrayRef<std::string> parts, unsigned part) const {
    return {.pipeline = parts[part],
            .device = part == 0 ? passes_.device : std::nullopt,
            .verifiesOnce = passes_.verifiesOnce,
            .verifiesNever = passes_.verifiesOnce && part + 1 < parts.size()};
  }

  /// Keeps a point, unless the last one has the same IR.
  static void keepPoint(std::vector<ReplayPoint> &points, unsigned part, size_t every, RewriteWatch &watch,
                        mlir::ModuleOp module) {
    const auto [lastPart, lastOrdinal] =
        points.empty() ? std::pair(0u, 0u) : std::pair(points.back().part, points.back().ordinal);
    if (watch.ordinal() > lastOrdinal && part - lastPart >= every)
      points.push_back({.part = part,
                        .ordinal = watch.ordinal(),
                        .functionOrdinals = watch.functionOrdinals(),
                        .functions = watch.functionsOfOps(),
                        .module = module.clone()});
    else if (watch.ordinal() == lastOrdinal && !points.empty())
      points.back().part = part;
  }

  /// Ends a watch; `module` is null where the step did not run to its end.
  static void finish(WatchedStep &step, RewriteWatch &watch, mlir::OwningOpRef<mlir::ModuleOp> module) {
    step.log = watch.take();
    step.captured = watch.takeCaptured();
    if (!step.ok || !module)
      return;
    leaveNamesToValues(*module);
    step.end = std::move(module);
  }

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
    run.ok = mlir::succeeded(manager.run(split)) && !(watch && watch->isDone()) &&
             (!verifiesOnce || verifiesNever || mlir::succeeded(verifyQuickly(split)));
    run.milliseconds += std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    if (!run.ok)
      break;
  }
  return run;
}

std::vector<std::string> StepPasses::parts(mlir::MLIRContext &context) const {
  mlir::PassManager manager(&context);
  if (llvm::Error error = readPipeline(pipeline, manager)) {
    llvm::consumeError(std::move(error)); // whoever runs them is told
    return {};
  }
  std::vector<std::string> parts;
  bool wasNested = false;
  for (mlir::Pass &pass : manager.getPasses()) {
    std::string text;
    llvm::raw_string_ostream os(text);
    pass.printAsTextualPipeline(os);
    const bool isNested = pass.getName().contains("OpToOpPassAdaptor");
    if (isNested && wasNested)
      parts.back() += "," + text;
    else
      parts.push_back(std::move(text));
    wasNested = isNested;
  }
  for (std::string &part : parts)
    part = "builtin.module(" + part + ")";
  return parts;
}

llvm::Expected<WatchedStep> StepReplay::runKeeping(std::vector<ReplayPoint> &, size_t) const { return run({}); }

llvm::Expected<WatchedStep> StepReplay::runFrom(const ReplayPoint *, unsigned,
                                                const RewriteWatchOptions &options) const {
  return run(options); // there are no points: it is the whole step
}

std::shared_ptr<const StepReplay> replayOf(std::shared_ptr<const Snapshot> before, StepPasses passes) {
  return std::make_shared<PassReplay>(std::move(before), std::move(passes));
}

} // namespace fuselage

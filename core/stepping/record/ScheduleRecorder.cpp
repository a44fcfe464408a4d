#include "core/schedules/script/Script.h"
#include "core/schedules/script/ScriptSafety.h"
#include "core/schedules/trace/ApplyHooks.h"
#include "core/stepping/record/Recorder.h"
#include "core/tuning/space/Selection.h"
#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/IR/Verifier.h"
#include <chrono>

namespace fuselage {
namespace {

using Clock = std::chrono::steady_clock;
using mlir::transform::TransformOpInterface;

/// Records the ops of a schedule's entry, a step each with all that is inside of it.
class ScheduleRun : public ApplyObserver {
public:
  ScheduleRun(Script &script, mlir::ModuleOp input, const RecordOptions &options)
      : script_(script), options_(options), recorder_(input, options), capture_(*input.getContext()) {
    total_ = llvm::range_size(script.entry->getRegion(0).front().without_terminator());
  }

  llvm::Expected<Recording> run() {
    hookApplications(*script_.module);
    mlir::LogicalResult result = mlir::transform::applyTransforms(
        recorder_.working(), script_.entry, {}, mlir::transform::TransformOptions(),
        /*enforceToplevelTransformOp=*/false,
        [&](mlir::transform::TransformState &state) { state.addExtension<ObserverExtension>(*this); });
    if (recorder_.cancelled() && !recorder_.lastFailed())
      return cancelledError();
    if (recorder_.hasOpenStep())
      endOpenStep(result);
    return recorder_.take();
  }

  bool willApply(TransformOpInterface op, mlir::transform::TransformState &state) override {
    if (isStep(op) && !beginStep(op))
      return false;
    std::string why = refusedNow(op, state);
    if (!why.empty())
      mlir::emitError(op->getLoc()) << why;
    return why.empty();
  }

  bool beginStep(TransformOpInterface op) {
    unsigned index = recorder_.stepCount();
    if (index >= options_.limit || recorder_.cancelled() || recorder_.lastFailed())
      return false;
    Step step;
    step.name = script_.ops[script_.numberOf(op)].text;
    step.pass = op->getName().getStringRef().str();
    step.pipeline = "builtin.module(transform-preload-library{transform-library-paths=" + options_.schedule +
                    "},transform-interpreter)";
    if (!recorder_.begin(std::move(step), total_))
      return false;
    start_ = Clock::now();
    return true;
  }

  void didApply(TransformOpInterface op, mlir::DiagnosedSilenceableFailure &result,
                mlir::transform::TransformState &) override {
    if (!isStep(op) || !result.succeeded())
      return; // what failed says so, or is silenced, when the sequence ends
    double milliseconds = sinceStart();
    if (mlir::failed(mlir::verify(recorder_.working())))
      recorder_.finishFailed(milliseconds, capture_.take());
    else
      recorder_.finish(milliseconds, capture_.take());
  }

private:
  bool isStep(mlir::Operation *op) const { return op->getParentOp() == script_.entry; }

  /// The schedule ended inside a step: it failed, or the sequence suppresses failures.
  void endOpenStep(mlir::LogicalResult result) {
    double milliseconds = sinceStart();
    std::vector<Diagnostic> diagnostics = capture_.take();
    if (mlir::succeeded(result) && mlir::succeeded(mlir::verify(recorder_.working()))) {
      Diagnostic remark;
      remark.severity = Diagnostic::Severity::Remark;
      remark.message = "the schedule stopped here: a failure was suppressed by its sequence";
      diagnostics.push_back(std::move(remark));
      return recorder_.finish(milliseconds, std::move(diagnostics));
    }
    if (diagnostics.empty())
      diagnostics.push_back({.message = "the step failed without saying why"});
    recorder_.finishFailed(milliseconds, std::move(diagnostics));
  }

  double sinceStart() const { return std::chrono::duration<double, std::milli>(Clock::now() - start_).count(); }

  Script &script_;
  const RecordOptions &options_;
  Recorder recorder_;
  DiagnosticCapture capture_;
  unsigned total_ = 0;
  Clock::time_point start_;
};

} // namespace

llvm::Expected<Recording> recordSchedule(Session &session, mlir::ModuleOp input, const RecordOptions &options) {
  auto script = openScript(session, options.schedule);
  if (!script)
    return script.takeError();
  if (llvm::Error error = tune::resolveConstraints(*script))
    return error;
  return ScheduleRun(*script, input, options).run();
}

} // namespace fuselage

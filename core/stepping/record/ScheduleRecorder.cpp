#include "core/schedules/causes/Causes.h"
#include "core/schedules/ops/ScheduleOps.h"
#include "core/schedules/script/Script.h"
#include "core/schedules/script/ScriptSafety.h"
#include "core/schedules/script/UnknownOps.h"
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
    stopAtUnknown(*script_.module, script_.diagnostics);
    hookApplications(*script_.module);
    mlir::LogicalResult result = mlir::transform::applyTransforms(
        recorder_.working(), script_.entry, {}, mlir::transform::TransformOptions(),
        /*enforceToplevelTransformOp=*/false,
        [&](mlir::transform::TransformState &state) { state.addExtension<ObserverExtension>(*this); });
    if (recorder_.cancelled() && !recorder_.lastFailed()) {
      if (!options_.keepsFinished || recorder_.hasOpenStep() || recorder_.stepCount() == 0)
        return cancelledError();
      Recording recording = recorder_.take();
      recording.cancelled = true;
      return recording;
    }
    if (recorder_.hasOpenStep())
      endOpenStep(result);
    else if (mlir::failed(result) && !recorder_.lastFailed() && recorder_.stepCount() < options_.limit)
      addRefused();
    return recorder_.take();
  }

  bool willApply(TransformOpInterface op, mlir::transform::TransformState &state) override {
    return begin(op) && !refuses(op, state);
  }

  /// Begins a step if the op is one. False: the recording ends here.
  bool begin(mlir::Operation *op) {
    if (!isStep(op))
      return true;
    unsigned index = recorder_.stepCount();
    if (index >= options_.limit || recorder_.cancelled() || recorder_.lastFailed())
      return false;
    Step step;
    const ScriptOp &row =
        script_.ops[script_.numberOf(mlir::isa<mlir::transform::StopOp>(op) ? op->getNextNode() : op)];
    step.name = row.text;
    step.pass = row.name;
    step.pipeline = "builtin.module(transform-preload-library{transform-library-paths=" + options_.schedule +
                    "},transform-interpreter)";
    if (!recorder_.begin(std::move(step), total_))
      return false;
    start_ = Clock::now();
    return true;
  }

  void didApply(TransformOpInterface op, mlir::DiagnosedSilenceableFailure &result,
                mlir::transform::TransformState &state, llvm::ArrayRef<Diagnostic> reasons) override {
    if (!result.succeeded() && causes_.empty())
      causes_ = causesOf(script_, op, state, reasons);
    if (!isStep(op) || !result.succeeded())
      return; // what failed says so, or is silenced, when the sequence ends
    causes_.clear();
    double milliseconds = sinceStart();
    bool isBroken = mlir::failed(mlir::verify(recorder_.working()));
    std::vector<Diagnostic> said = capture_.take();
    if (std::optional<Diagnostic> nothing = matchesNothing(op, state))
      said.push_back(std::move(*nothing));
    if (isBroken)
      recorder_.finishFailed(milliseconds, std::move(said));
    else
      recorder_.finish(milliseconds, std::move(said));
  }

private:
  /// Says why the op is not to run, if LLVM would crash.
  bool refuses(TransformOpInterface op, mlir::transform::TransformState &state) {
    std::string why = refusedNow(op, state);
    SourcePosition place = positionOf(op->getLoc());
    if (!why.empty())
      refused_ = Diagnostic{.message = std::move(why), .file = place.file, .line = place.line, .column = place.column};
    return refused_.has_value();
  }

  bool isStep(mlir::Operation *op) const { return op->getParentOp() == script_.entry; }

  /// The schedule ended inside a step: it failed, or the sequence suppresses failures.
  void endOpenStep(mlir::LogicalResult result) {
    double milliseconds = sinceStart();
    std::vector<Diagnostic> diagnostics = capture_.take();
    if (refused_)
      diagnostics.insert(diagnostics.begin(), *refused_);
    if (mlir::succeeded(result) && mlir::succeeded(mlir::verify(recorder_.working()))) {
      Diagnostic remark;
      remark.severity = Diagnostic::Severity::Remark;
      remark.message = "the schedule stopped here: a failure was suppressed by its sequence";
      diagnostics.push_back(std::move(remark));
      return recorder_.finish(milliseconds, std::move(diagnostics));
    }
    if (diagnostics.empty())
      diagnostics.push_back({.message = "the step failed without saying why"});
    llvm::append_range(diagnostics.front().notes, causes_);
    recorder_.finishFailed(milliseconds, std::move(diagnostics));
  }

  /// The interpreter ended the schedule before an op, without applying it: that is a step all the same.
  void addRefused() {
    std::vector<Diagnostic> diagnostics = capture_.take();
    auto at = llvm::find_if(script_.entry->getRegion(0).front(), [&](mlir::Operation &op) {
      return !diagnostics.empty() && positionOf(op.getLoc()).line == diagnostics.front().line;
    });
    Step step;
    step.name = at == script_.entry->getRegion(0).front().end() ? "the end of the schedule"
                                                                : script_.ops[script_.numberOf(&*at)].text;
    if (recorder_.begin(std::move(step), total_))
      recorder_.finishFailed(0, std::move(diagnostics));
  }

  double sinceStart() const { return std::chrono::duration<double, std::milli>(Clock::now() - start_).count(); }

  Script &script_;
  const RecordOptions &options_;
  Recorder recorder_;
  DiagnosticCapture capture_;
  unsigned total_ = 0;
  std::optional<Diagnostic> refused_;
  std::vector<Diagnostic> causes_; ///< of what failed last, until something succeeds
  Clock::time_point start_;
};

} // namespace

llvm::Expected<Recording> recordSchedule(Session &session, mlir::ModuleOp input, const RecordOptions &options) {
  auto script = openScript(session, options.schedule, options.script);
  if (!script)
    return script.takeError();
  if (llvm::Error error = tune::resolveConstraints(*script))
    return error;
  mlir::OwningOpRef<mlir::ModuleOp> payload = payloadFor(*script, input);
  auto recording = ScheduleRun(*script, *payload, options).run();
  if (recording)
    llvm::append_range(recording->notes, script->diagnostics);
  return recording;
}

} // namespace fuselage

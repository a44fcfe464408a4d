#include "core/ir/ops/ValueNames.h"
#include "core/schedules/causes/Causes.h"
#include "core/schedules/ops/ScheduleOps.h"
#include "core/schedules/script/Script.h"
#include "core/schedules/script/ScriptSafety.h"
#include "core/schedules/script/UnknownOps.h"
#include "core/schedules/trace/ApplyHooks.h"
#include "core/stepping/record/Recorder.h"
#include "core/stepping/record/StepReplay.h"
#include "core/tuning/space/Selection.h"
#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/IR/Verifier.h"
#include <chrono>

namespace fuselage {
namespace {

using Clock = std::chrono::steady_clock;
using mlir::transform::TransformOpInterface;

/// A step of a schedule that is run again for its rewrites.
struct WatchedOp {
  unsigned step;
  const RewriteWatchOptions &options;
  WatchedStep result{};
};

/// Runs a schedule again up to a step of it.
class ScheduleReplay : public StepReplay {
public:
  ScheduleReplay(Session &session, std::shared_ptr<const Snapshot> input, const RecordOptions &options, unsigned step)
      : session_(session), input_(std::move(input)), step_(step) {
    options_.schedule = options.schedule;
    options_.script = options.script;
    options_.limit = step + 1;
  }
  llvm::Expected<WatchedStep> run(const RewriteWatchOptions &options) const override;

private:
  Session &session_;
  std::shared_ptr<const Snapshot> input_;
  RecordOptions options_;
  unsigned step_;
};

/// Records the ops of a schedule's entry, a step each with all that is inside of it.
class ScheduleRun : public ApplyObserver {
public:
  ScheduleRun(Session &session, Script &script, mlir::ModuleOp input, const RecordOptions &options,
              WatchedOp *watched = nullptr)
      : session_(session), script_(script), options_(options), watched_(watched), recorder_(input, options),
        input_(options.start ? options.start : recorder_.lastSnapshot()), capture_(*input.getContext()) {
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
    step.replay = std::make_shared<ScheduleReplay>(session_, input_, options_, index);
    if (!recorder_.begin(std::move(step), total_))
      return false;
    beginWatch(index, row.name);
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
    endWatch();
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

  void beginWatch(unsigned step, llvm::StringRef op) {
    bool isWatched = watched_ && watched_->step == step;
    if (!isWatched && !options_.listsRewrites)
      return;
    watch_.emplace(recorder_.working(), isWatched ? watched_->options : RewriteWatchOptions());
    watch_->beginPass(op, recorder_.working());
  }

  void endWatch() {
    if (!watch_)
      return;
    watch_->endPass();
    RewriteLog log = watch_->take();
    if (watched_) {
      watched_->result.log = std::move(log);
      watched_->result.captured = watch_->takeCaptured();
    } else {
      recorder_.setRewrites(std::move(log));
    }
    watch_.reset();
  }

  bool isStep(mlir::Operation *op) const { return op->getParentOp() == script_.entry; }

  /// The schedule ended inside a step: it failed, or the sequence suppresses failures.
  void endOpenStep(mlir::LogicalResult result) {
    double milliseconds = sinceStart();
    endWatch();
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

  Session &session_;
  Script &script_;
  const RecordOptions &options_;
  WatchedOp *watched_; ///< null: nobody runs a step again
  Recorder recorder_;
  std::shared_ptr<const Snapshot> input_;
  std::optional<RewriteWatch> watch_;
  DiagnosticCapture capture_;
  unsigned total_ = 0;
  std::optional<Diagnostic> refused_;
  std::vector<Diagnostic> causes_; ///< of what failed last, until something succeeds
  Clock::time_point start_;
};

llvm::Expected<Recording> runSchedule(Session &session, mlir::ModuleOp input, const RecordOptions &options,
                                      WatchedOp *watched) {
  auto script = openScript(session, options.schedule, options.script);
  if (!script)
    return script.takeError();
  if (llvm::Error error = tune::resolveConstraints(*script))
    return error;
  mlir::OwningOpRef<mlir::ModuleOp> payload = payloadFor(*script, input);
  auto recording = ScheduleRun(session, *script, *payload, options, watched).run();
  if (recording)
    llvm::append_range(recording->notes, script->diagnostics);
  return recording;
}

llvm::Expected<WatchedStep> ScheduleReplay::run(const RewriteWatchOptions &options) const {
  auto input = input_->parsed();
  if (!input)
    return input.takeError();
  WatchedOp watched{.step = step_, .options = options};
  auto recording = runSchedule(session_, *input, options_, &watched);
  if (!recording)
    return recording.takeError();
  if (recording->steps.size() <= step_)
    return fail("the schedule does not get to this step any more: it was changed, or what it needs");
  WatchedStep result = std::move(watched.result);
  const Step &step = recording->steps[step_];
  result.ok = !step.failed;
  for (mlir::OwningOpRef<mlir::ModuleOp> &captured : result.captured)
    if (captured)
      leaveNamesToValues(*captured);
  if (const Snapshot *after = recording->after(step); result.ok && after)
    result.end = after->module().clone();
  return result;
}

} // namespace

llvm::Expected<Recording> recordSchedule(Session &session, mlir::ModuleOp input, const RecordOptions &options) {
  return runSchedule(session, input, options, nullptr);
}

} // namespace fuselage

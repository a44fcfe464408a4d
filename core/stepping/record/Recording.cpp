#include "core/stepping/record/Recording.h"
#include "core/ir/module/RunPipeline.h"
#include "core/ir/module/Splits.h"
#include "core/protocol/json/DiagnosticMessage.h"
#include "core/stepping/pipeline/DefaultPipeline.h"
#include "core/stepping/pipeline/PipelineFit.h"
#include "core/stepping/pipeline/PipelineText.h"
#include "core/stepping/record/Recorder.h"
#include "core/stepping/record/ScheduleSafety.h"
#include "core/transforms/foreign/NormalizeForeign.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "llvm/ADT/StringExtras.h"
#include <chrono>

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

double millisecondsSince(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

/// "canonicalize,cse" of "builtin.module(canonicalize,cse)".
std::string withoutModule(llvm::StringRef pipeline) {
  if (pipeline.consume_front("builtin.module(") && pipeline.ends_with(")"))
    pipeline = pipeline.drop_back();
  return pipeline.str();
}

Step stepOf(const PassUnit &unit) {
  Step step;
  step.name = unit.pass;
  step.pass = unit.pass;
  step.options = unit.options;
  step.pipeline = unit.pipeline;
  return step;
}

Step stepOf(const PipelineStep &teaching) {
  Step step;
  step.name = teaching.title;
  step.pass = withoutModule(teaching.pipeline);
  step.pipeline = teaching.pipeline;
  step.teaches = teaching.teaches;
  return step;
}

/// The steps that a recording has if nothing fails; `notes` say what was left out.
llvm::Expected<std::vector<Step>> planSteps(Session &session, mlir::ModuleOp input,
                                            const RecordOptions &options, std::vector<Diagnostic> &notes) {
  std::vector<Step> steps;
  if (llvm::StringRef(options.pipeline).trim().empty()) {
    auto target = targetByName(options.target);
    if (!target)
      return target.takeError();
    std::vector<PipelineStep> teaching = defaultPipeline(*target);
    if (llvm::any_of(splitModules(input), needsNormalization))
      teaching.insert(teaching.begin(), normalizationStep());
    if (std::optional<Diagnostic> cut = fitPipeline(input, teaching))
      notes.push_back(std::move(*cut));
    for (const PipelineStep &step : teaching)
      steps.push_back(stepOf(step));
    return steps;
  }
  auto units = parsePipeline(options.pipeline, session.context());
  if (!units)
    return units.takeError();
  bool isNormalization = !units->empty() && units->front().pass == kNormalizationPass;
  if (!isNormalization && llvm::any_of(splitModules(input), hasForeignForms))
    steps.push_back(stepOf(normalizationStep()));
  for (const PassUnit &unit : *units)
    steps.push_back(stepOf(unit));
  return steps;
}

/// Runs one step on every split of the working module.
void runStep(Session &session, Recorder &recorder, const Step &planned, unsigned total) {
  DiagnosticCapture capture(session.context());
  if (!recorder.begin(planned, total))
    return;
  // A script inside of the module itself.
  if (llvm::StringRef(planned.pipeline).contains("transform-interpreter"))
    if (llvm::Error error = refuseReachingOut(recorder.working()))
      return recorder.finishFailed(0, takeFailure(std::move(error)).diagnostics);
  std::string said, failedPass;
  bool ok = true;
  double milliseconds = 0;
  for (mlir::ModuleOp split : splitModules(recorder.working())) {
    mlir::PassManager manager(&session.context());
    manager.addInstrumentation(std::make_unique<FailureWatch>(failedPass));
    if (llvm::Error error = readPipeline(planned.pipeline, manager)) {
      said = takeFailure(std::move(error)).message;
      ok = false;
      break;
    }
    auto start = std::chrono::steady_clock::now();
    ok = mlir::succeeded(manager.run(split));
    milliseconds += millisecondsSince(start);
    if (!ok)
      break;
  }
  std::vector<Diagnostic> diagnostics = capture.take();
  if (ok)
    return recorder.finish(milliseconds, std::move(diagnostics));
  bool explained = llvm::any_of(diagnostics, [](const Diagnostic &diagnostic) {
    return diagnostic.severity == Diagnostic::Severity::Error;
  });
  if (!explained) {
    Diagnostic diagnostic;
    diagnostic.message = !said.empty() ? llvm::StringRef(said).trim().str()
                                       : "pass '" + (failedPass.empty() ? planned.pass : failedPass) +
                                             "' failed without saying why";
    diagnostics.push_back(std::move(diagnostic));
  } else if (!failedPass.empty() && failedPass != planned.pass) {
    // Of several passes behind one teaching step, name the one.
    Diagnostic note;
    note.severity = Diagnostic::Severity::Note;
    note.message = "reported by pass '" + failedPass + "'";
    diagnostics.front().notes.push_back(std::move(note));
  }
  recorder.finishFailed(milliseconds, std::move(diagnostics));
}

} // namespace

llvm::Expected<Recording> record(Session &session, mlir::ModuleOp input,
                                 const RecordOptions &options) {
  if (!options.schedule.empty()) {
    if (!options.pipeline.empty())
      return fail("a pipeline and a schedule exclude each other; give one of them");
    return recordSchedule(session, input, options);
  }
  std::vector<Diagnostic> notes;
  auto steps = planSteps(session, input, options, notes);
  if (!steps)
    return steps.takeError();
  Recorder recorder(input, options);
  for (const Step &step : *steps) {
    if (recorder.stepCount() >= options.limit)
      break;
    if (recorder.cancelled())
      return cancelledError();
    runStep(session, recorder, step, steps->size());
    if (recorder.lastFailed())
      break;
  }
  Recording recording = recorder.take();
  recording.notes = std::move(notes);
  return recording;
}

message::Step<> messageOf(const Step &step, unsigned index) {
  message::Step<> message{.index = static_cast<int>(index),
                          .name = step.name,
                          .pass = step.pass,
                          .options = step.options,
                          .pipeline = step.pipeline,
                          .teaches = step.teaches,
                          .scope = step.scope,
                          .origin = step.origin,
                          .milliseconds = step.milliseconds.value_or(-1),
                          .before = step.before,
                          .after = step.after,
                          .changed = step.changed,
                          .failed = step.failed,
                          .opDelta = step.opDelta,
                          .diagnostics = message::messagesOf(step.diagnostics),
                          .fusion = {}};
  if (const std::optional<StepFusion> &fusion = step.fusion)
    message.fusion = {.reason = fusion->reason,
                      .dispatches = static_cast<int>(fusion->dispatches),
                      .checked = fusion->checked,
                      .maxAbsError = fusion->maxAbsError,
                      .maxRelError = fusion->maxRelError,
                      .ok = fusion->ok,
                      .note = fusion->note};
  return message;
}

} // namespace fuselage

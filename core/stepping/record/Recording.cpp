#include "core/stepping/record/Recording.h"
#include "core/analysis/buffers/Bufferizer.h"
#include "core/codegen/Targets.h"
#include "core/codegen/WideIndices.h"
#include "core/dialects/decoders/OtherCompiler.h"
#include "core/ir/module/Splits.h"
#include "core/protocol/json/DiagnosticMessage.h"
#include "core/schedules/script/ScriptSafety.h"
#include "core/stepping/pipeline/DefaultPipeline.h"
#include "core/stepping/pipeline/PipelineFit.h"
#include "core/stepping/pipeline/PipelineParts.h"
#include "core/stepping/pipeline/PipelineText.h"
#include "core/stepping/record/Recorder.h"
#include "core/stepping/record/StepReplay.h"
#include "core/stepping/tool/ToolStep.h"
#include "core/support/ShellWords.h"
#include "core/transforms/foreign/NormalizeForeign.h"
#include "core/transforms/stablehlo/LowerStableHlo.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "llvm/ADT/StringExtras.h"
#include <chrono>
#include <deque>

namespace fuselage {
namespace {

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

/// A step that is going to run.
struct PlannedStep {
  Step step{};
  std::optional<ToolCommand> tool{};   ///< runs it; else passes do
  bool isDefault = false;              ///< stands for the default pipeline, which depends on what is there by then
  std::optional<DeviceModel> device{}; ///< attached to the module before passes run
  bool verifiesOnce = false;           ///< passes that belong together: what the last one leaves is verified

  StepPasses passes() const { return {.pipeline = step.pipeline, .device = device, .verifiesOnce = verifiesOnce}; }
};
using Plan = std::deque<PlannedStep>;

/// Of a module on buffers alone: that the default pipeline works on tensors.
std::optional<Diagnostic> whyNothingToDo(mlir::ModuleOp module) {
  mlir::Operation *first = nullptr;
  bool isOfLoops = false;
  module.walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) {
    auto isBuffer = [](mlir::Type type) { return llvm::isa<mlir::BaseMemRefType>(type); };
    if (!first && (llvm::any_of(op->getOperandTypes(), isBuffer) || llvm::any_of(op->getResultTypes(), isBuffer)))
      first = op;
    isOfLoops |= llvm::isa<mlir::affine::AffineForOp>(op);
  });
  if (!first || hasTensors(module))
    return std::nullopt;
  SourcePosition place = positionOf(first->getLoc());
  return Diagnostic{
      .severity = Diagnostic::Severity::Remark,
      .message =
          std::string("this module is on buffers alone, and the default pipeline fuses and tiles ops on tensors: "
                      "it has little or nothing to do here. 'fuselage buffers' lists buffers and copies, 'fuselage "
                      "explain' loops that could be "
                      "fused, and --pipeline records passes on buffers, such as '") +
          (isOfLoops ? "func.func(affine-loop-fusion)"
                     : "func.func(convert-linalg-to-affine-loops,affine-loop-fusion)") +
          "'",
      .file = place.file,
      .line = place.line,
      .column = place.column};
}

/// The default pipeline for a module; `notes` say what was left out.
llvm::Expected<Plan> planDefault(mlir::ModuleOp module, bool isNormalized, const RecordOptions &options,
                                 std::vector<Diagnostic> &notes) {
  Plan plan;
  if (std::string reason = readOnlyReason(module); !reason.empty()) { // the window records it of all that it opens
    notes.push_back({.severity = Diagnostic::Severity::Remark, .message = std::move(reason)});
    return plan;
  }
  if (!isNormalized && llvm::any_of(splitModules(module), needsNormalization)) {
    // What fits, shows after it.
    plan.push_back({.step = stepOf(normalizationStep())});
    plan.push_back({.isDefault = true});
    return plan;
  }
  auto target = targetByNameOrDevice(options.target, options.targetDevice);
  if (!target)
    return target.takeError();
  std::optional<TunedSteps> tuned;
  if (options.tuning && options.targetDevice.empty())
    tuned = options.tuning(module);
  std::optional<PipelineStep> asked;
  if (tuned)
    asked = std::move(tuned->step);
  const TargetOptions used = withNeededIndices(tuned ? tuned->target : *target, module);
  std::vector<PipelineStep> teaching = defaultPipeline(used, std::move(asked), isOfEqualLayers(module));
  if (tuned)
    notes.push_back({.severity = Diagnostic::Severity::Remark, .message = std::move(tuned->note)});
  if (std::optional<Diagnostic> cut = fitPipeline(module, teaching))
    notes.push_back(std::move(*cut));
  if (std::optional<Diagnostic> idle = whyNothingToDo(module))
    notes.push_back(std::move(*idle));
  const std::string firstOfDevice = codegenSteps(used).front().title;
  for (const PipelineStep &step : teaching) {
    plan.push_back({.step = stepOf(step), .verifiesOnce = true});
    if (step.title == firstOfDevice && !isAnyDevice(used) && deviceNameOf(used).empty())
      plan.back().device = kernelDevice(used);
  }
  return plan;
}

/// Another compiler's step, which is all of its command.
llvm::Expected<PlannedStep> planTool(llvm::StringRef commandLine) {
  auto command = readToolCommand(commandLine);
  if (!command)
    return command.takeError();
  PlannedStep planned;
  planned.step.name = planned.step.pass = command->program();
  planned.step.options = joinShellWords(llvm::ArrayRef(command->words).drop_front());
  planned.step.pipeline = toolElement(commandLine);
  planned.tool = std::move(*command);
  return planned;
}

/// The steps that a recording has if nothing fails, as far as that is known before it begins.
llvm::Expected<Plan> planSteps(Session &session, mlir::ModuleOp input, const RecordOptions &options) {
  Plan plan;
  if (llvm::StringRef(options.pipeline).trim().empty()) {
    plan.push_back({.isDefault = true});
    return plan;
  }
  auto parts = splitPipeline(options.pipeline);
  if (!parts)
    return parts.takeError();
  for (const PipelinePart &part : *parts) {
    if (part.kind == PipelinePart::Kind::Default) {
      plan.push_back({.isDefault = true});
    } else if (part.kind == PipelinePart::Kind::Tool) {
      auto tool = planTool(part.text);
      if (!tool)
        return tool.takeError();
      plan.push_back(std::move(*tool));
    } else {
      auto units = parsePipeline(part.text, session.context());
      if (!units)
        return units.takeError();
      for (const PassUnit &unit : *units)
        plan.push_back({.step = stepOf(unit)});
    }
  }
  // The user's passes know nothing of other compilers' functions, boundaries and ops; another compiler does, and so may
  // a plugin that registers the dialect.
  bool startsWithPasses = !plan.empty() && !plan.front().tool && !plan.front().isDefault;
  if (startsWithPasses && plan.front().step.pass != kNormalizationPass &&
      llvm::any_of(splitModules(input), [](mlir::ModuleOp part) { return hasForeignForms(part) || hasHloOps(part); }))
    plan.push_front({.step = stepOf(normalizationStep())});
  return plan;
}

/// Runs another compiler on the working module, which is then what that made of it.
void runToolStep(Session &session, Recorder &recorder, const PlannedStep &planned, unsigned total,
                 const RecordOptions &options) {
  if (!recorder.begin(planned.step, total))
    return;
  auto start = std::chrono::steady_clock::now();
  auto read = runToolStep(
      session, recorder.working(), *planned.tool,
      {.cancelled = options.cancelled, .takesSignals = options.takesSignals, .directory = options.directory});
  double milliseconds = millisecondsSince(start);
  if (!read) {
    Failure failure = takeFailure(read.takeError());
    std::vector<Diagnostic> diagnostics{{.message = std::move(failure.message)}};
    llvm::append_range(diagnostics, std::move(failure.diagnostics));
    return recorder.finishFailed(milliseconds, std::move(diagnostics));
  }
  recorder.replaceWorking(std::move(read->module));
  recorder.finish(milliseconds, std::move(read->diagnostics));
}

/// Runs passes on the working module, and tells their rewrites if these are asked for.
PassesRun runPasses(Recorder &recorder, const StepPasses &passes, const RecordOptions &options) {
  if (!options.listsRewrites)
    return passes.run(recorder.working(), nullptr);
  if (passes.device) // which is attached first
    recorder.hashes().forget();
  RewriteWatch watch(recorder.working(), {.hashes = &recorder.hashes(), .byActions = !RewriteWatch::works()});
  PassesRun run = passes.run(recorder.working(), &watch);
  recorder.setRewrites(watch.take());
  return run;
}

/// Runs one step on every split of the working module.
void runStep(Session &session, Recorder &recorder, const PlannedStep &step, unsigned total,
             const RecordOptions &options) {
  Step planned = step.step;
  planned.replay = replayOf(recorder.lastSnapshot(), step.passes());
  DiagnosticCapture capture(session.context());
  if (!recorder.begin(planned, total))
    return;
  // A script inside of the module itself.
  if (llvm::StringRef(planned.pipeline).contains("transform-interpreter"))
    if (llvm::Error error = refuseReachingOut(recorder.working()))
      return recorder.finishFailed(0, takeFailure(std::move(error)).diagnostics);
  PassesRun run = runPasses(recorder, step.passes(), options);
  if (!run.ok && step.verifiesOnce) {
    // Once more, to learn which pass it is.
    capture.take();
    recorder.startStepAgain();
    StepPasses passes = step.passes();
    passes.verifiesOnce = false;
    run = runPasses(recorder, passes, options);
  }
  std::vector<Diagnostic> diagnostics = capture.take();
  if (run.ok)
    return recorder.finish(run.milliseconds, std::move(diagnostics));
  bool explained = llvm::any_of(
      diagnostics, [](const Diagnostic &diagnostic) { return diagnostic.severity == Diagnostic::Severity::Error; });
  if (!explained) {
    Diagnostic diagnostic;
    diagnostic.message = !run.said.empty() ? llvm::StringRef(run.said).trim().str()
                                           : "pass '" + (run.failedPass.empty() ? planned.pass : run.failedPass) +
                                                 "' failed without saying why";
    diagnostics.push_back(std::move(diagnostic));
  } else if (!run.failedPass.empty() && run.failedPass != planned.pass) {
    // Of several passes after one teaching step, name the one.
    Diagnostic note;
    note.severity = Diagnostic::Severity::Note;
    note.message = "reported by pass '" + run.failedPass + "'";
    diagnostics.front().notes.push_back(std::move(note));
  }
  recorder.finishFailed(run.milliseconds, std::move(diagnostics));
}

} // namespace

llvm::Expected<Recording> record(Session &session, mlir::ModuleOp input, const RecordOptions &options) {
  // In a module that is only to be looked at, the default pipeline finds nothing to work on, and remarks so.
  const llvm::StringRef pipeline = llvm::StringRef(options.pipeline).trim();
  const bool isDefault = options.schedule.empty() && (pipeline.empty() || pipeline == "default");
  if (!isDefault)
    if (llvm::Error error = refuseReadOnly(input))
      return std::move(error);
  if (!options.schedule.empty()) {
    if (!options.pipeline.empty())
      return fail("a pipeline and a schedule exclude each other; give one of them");
    return recordSchedule(session, input, options);
  }
  std::vector<Diagnostic> notes;
  auto plan = planSteps(session, input, options);
  if (!plan)
    return plan.takeError();
  Recorder recorder(input, options, options.start);
  bool isNormalized = false; // by the step before
  bool isCancelled = false;
  while (!plan->empty() && recorder.stepCount() < options.limit) {
    if (recorder.cancelled()) {
      isCancelled = options.keepsFinished && recorder.stepCount() > 0;
      if (!isCancelled)
        return cancelledError();
      break;
    }
    PlannedStep planned = std::move(plan->front());
    plan->pop_front();
    if (planned.isDefault) {
      auto steps = planDefault(recorder.working(), isNormalized, options, notes);
      if (!steps)
        return steps.takeError();
      plan->insert(plan->begin(), std::make_move_iterator(steps->begin()), std::make_move_iterator(steps->end()));
      continue;
    }
    // What a tool prints may need one more step.
    unsigned total = recorder.stepCount() + 1 + plan->size() + (planned.tool ? 1 : 0);
    if (planned.tool)
      runToolStep(session, recorder, planned, total, options);
    else
      runStep(session, recorder, planned, total, options);
    isNormalized = planned.step.pass == kNormalizationPass;
    if (recorder.lastFailed())
      break;
    bool mayNeedMore = planned.tool && recorder.stepCount() < options.limit &&
                       (plan->empty() || (!plan->front().isDefault && plan->front().step.pass != kNormalizationPass));
    if (mayNeedMore && llvm::any_of(splitModules(recorder.working()), needsNormalization))
      plan->push_front({.step = stepOf(normalizationStep())});
  }
  if (recorder.lastFailed() && recorder.cancelled())
    return cancelledError();
  Recording recording = recorder.take();
  recording.notes = std::move(notes);
  recording.cancelled = isCancelled;
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

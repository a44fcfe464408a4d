#include "core/stepping/record/Recorder.h"
#include "core/ir/module/SharedContext.h"
#include "core/ir/ops/ValueNames.h"
#include "core/rewrites/Rewrites.h"
#include "core/trace/TraceLog.h"

namespace fuselage {

/// Copies a module while another thread does what only reads it, too.
static mlir::OwningOpRef<mlir::ModuleOp> copyBeside(mlir::ModuleOp module, const std::function<void()> &work) {
  mlir::OwningOpRef<mlir::ModuleOp> copy;
  runBoth(
      *module.getContext(), [&] { copy = module.clone(); }, work);
  return copy;
}

Recorder::Recorder(mlir::ModuleOp input, const RecordOptions &options, std::shared_ptr<const Snapshot> start)
    : options_(options) {
  recording_.pipeline = options.pipeline;
  recording_.schedule = options.schedule;
  auto readInput = [&] {
    last_ = fingerprint(input);
    if (!start)
      start = std::make_shared<Snapshot>(mlir::OwningOpRef<mlir::ModuleOp>(input.clone()));
  };
  if (isWorthTwoThreads(input)) {
    working_ = copyBeside(input, readInput);
  } else {
    readInput();
    working_ = input.clone();
  }
  recording_.snapshots.push_back(std::move(start));
}

bool Recorder::begin(Step step, unsigned total) {
  total_ = total;
  open_ = true;
  step.before = recording_.steps.size();
  step.after = step.before + 1;
  recording_.steps.push_back(std::move(step));
  if (const TraceLog *log = traceLog())
    traceStart_ = log->now();
  if (options_.beforeStep)
    options_.beforeStep(recording_.steps.size() - 1, total, recording_.steps.back());
  if (!options_.deadly || options_.deadly->index != recording_.steps.size() - 1)
    return true;
  finishFailed(std::nullopt, {{.message = options_.deadly->message}});
  return false;
}

void Recorder::startStepAgain() {
  replaceWorking(mlir::OwningOpRef<mlir::ModuleOp>(recording_.snapshots.back()->module().clone()));
}

void Recorder::setRewrites(RewriteLog log) {
  recording_.steps.back().rewrites = std::make_shared<const RewriteLog>(std::move(log));
}

/// What a trace gets to know of a step that is over, with the copies of it that are kept.
void Recorder::traceStep(const Step &step) const {
  TraceLog *log = traceLog();
  if (!log)
    return;
  TraceEvent event{.category = "step",
                   .name = llvm::json::fixUTF8(step.name.empty() ? step.pass : step.name),
                   .start = traceStart_,
                   .duration = log->now() - traceStart_,
                   .thread = log->thread()};
  event.args = llvm::json::Object{{"step", int64_t(recording_.steps.size()) - 1},
                                  {"pass", llvm::json::fixUTF8(step.pass)},
                                  {"changed", step.changed},
                                  {"failed", step.failed}};
  log->add(std::move(event));
}

void Recorder::close(Step &step, std::optional<double> milliseconds, std::vector<Diagnostic> diagnostics) {
  step.milliseconds = milliseconds;
  step.diagnostics = std::move(diagnostics);
  open_ = false;
  traceStep(step);
  if (options_.afterStep)
    options_.afterStep(recording_.steps.size() - 1, total_, step);
}

mlir::OwningOpRef<mlir::ModuleOp> Recorder::copyChanged(IrFingerprint &now) {
  // Nothing runs on the working module after the last step: it becomes the snapshot itself.
  const bool isLast = recording_.steps.size() >= std::min<size_t>(total_, options_.limit);
  auto look = [&] {
    now = fingerprint(working());
    if (options_.listsRewrites && !isLast)
      hashes_.beginAt(working());
  };
  mlir::OwningOpRef<mlir::ModuleOp> copy;
  if (!isLast && isWorthTwoThreads(working())) // most steps change a large module: the copy is seldom in vain
    copy = copyBeside(working(), look);
  else
    look();
  if (now.hash == last_.hash)
    return {};
  if (isLast)
    return std::move(working_);
  return copy ? std::move(copy) : mlir::OwningOpRef<mlir::ModuleOp>(working().clone());
}

void Recorder::finish(double milliseconds, std::vector<Diagnostic> diagnostics) {
  Step &step = recording_.steps.back();
  leaveNamesToValues(working());
  IrFingerprint now;
  mlir::OwningOpRef<mlir::ModuleOp> copy = copyChanged(now);
  step.changed = static_cast<bool>(copy);
  step.opDelta = opDelta(last_, now);
  recording_.snapshots.push_back(copy ? std::make_shared<Snapshot>(std::move(copy)) : recording_.snapshots.back());
  last_ = std::move(now);
  close(step, milliseconds, std::move(diagnostics));
}

void Recorder::finishFailed(std::optional<double> milliseconds, std::vector<Diagnostic> diagnostics) {
  Step &step = recording_.steps.back();
  step.failed = true;
  recording_.snapshots.push_back(recording_.snapshots.back());
  close(step, milliseconds, std::move(diagnostics));
}

llvm::Error cancelledError() { return fail("the recording was cancelled"); }

} // namespace fuselage

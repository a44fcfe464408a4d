#include "core/ir/source/SourceText.h"
#include "core/stepping/record/RecordStepOp.h"
#include "core/stepping/record/Recorder.h"
#include "core/stepping/record/ScheduleSafety.h"
#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/IR/Verifier.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include <chrono>

namespace fuselage {
namespace {

using Clock = std::chrono::steady_clock;

/// The schedule's entry: @__transform_main, else the only top-level transform.sequence.
llvm::Expected<mlir::transform::TransformOpInterface> findEntry(mlir::ModuleOp script,
                                                                llvm::StringRef path) {
  mlir::transform::NamedSequenceOp main;
  std::vector<std::string> names;
  llvm::SmallVector<mlir::transform::SequenceOp> sequences;
  script.walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) {
    if (auto named = llvm::dyn_cast<mlir::transform::NamedSequenceOp>(op)) {
      names.push_back("@" + named.getSymName().str());
      if (!main && named.getSymName() ==
                       mlir::transform::TransformDialect::kTransformEntryPointSymbolName)
        main = named;
      return mlir::WalkResult::skip();
    }
    if (auto sequence = llvm::dyn_cast<mlir::transform::SequenceOp>(op)) {
      sequences.push_back(sequence);
      return mlir::WalkResult::skip();
    }
    return mlir::WalkResult::advance();
  });
  if (main && !main.isExternal() && main.getBody().getNumArguments() == 1)
    return mlir::cast<mlir::transform::TransformOpInterface>(main.getOperation());
  if (main)
    return fail("'" + path.str() + "': @__transform_main needs a body with exactly one argument, "
                                   "the handle of the payload module");
  if (sequences.size() == 1)
    return mlir::cast<mlir::transform::TransformOpInterface>(sequences.front().getOperation());
  std::string has = names.empty() ? "it has no named sequence"
                                  : "it has " + llvm::join(names, ", ");
  return fail("'" + path.str() +
              "' is no schedule: it needs a transform.named_sequence @__transform_main in a module "
              "with the attribute transform.with_named_sequence; " +
              has);
}

/// The source lines of the schedule, to name steps by.
class SourceLines {
public:
  explicit SourceLines(llvm::StringRef path) : path_(path) {
    if (isStream(path))
      return; // it was read
    if (auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/true)) {
      buffer_ = std::move(*buffer);
      buffer_->getBuffer().split(lines_, '\n');
    }
  }
  /// The op's line, or the op's name where there is none.
  std::string nameOf(mlir::Operation *op) const {
    SourcePosition position = positionOf(op->getLoc());
    if (position.file != path_ || position.line == 0 || position.line > lines_.size())
      return op->getName().getStringRef().str();
    llvm::StringRef line = lines_[position.line - 1].trim();
    constexpr size_t maxLength = 120;
    return line.size() <= maxLength ? line.str() : line.take_front(maxLength).str() + "...";
  }

private:
  std::string path_;
  std::unique_ptr<llvm::MemoryBuffer> buffer_;
  llvm::SmallVector<llvm::StringRef> lines_;
};

/// Runs a schedule whose ops are interleaved with RecordStepOps.
class ScheduleRun {
public:
  ScheduleRun(Session &session, mlir::ModuleOp input, const RecordOptions &options)
      : session_(session), options_(options), recorder_(input, options),
        source_(options.schedule) {}

  llvm::Expected<Recording> run(mlir::transform::TransformOpInterface entry) {
    interleave(entry->getRegion(0).front());
    DiagnosticCapture capture(session_.context());
    capture_ = &capture;
    mlir::LogicalResult result = mlir::transform::applyTransforms(
        recorder_.working(), entry, {}, mlir::transform::TransformOptions(),
        /*enforceToplevelTransformOp=*/false, [&](mlir::transform::TransformState &state) {
          state.addExtension<StepListener>([this](unsigned index) { return reached(index); });
        });
    if (recorder_.cancelled() && !recorder_.lastFailed())
      return cancelledError();
    if (recorder_.hasOpenStep())
      endOpenStep(result);
    return recorder_.take();
  }

private:
  /// A marker in front of each op but the terminator, and one in front of that.
  void interleave(mlir::Block &body) {
    llvm::SmallVector<mlir::Operation *> ops;
    for (mlir::Operation &op : body)
      ops.push_back(&op);
    mlir::OpBuilder builder(body.getParentOp()->getContext());
    for (mlir::Operation *op : ops) {
      builder.setInsertionPoint(op);
      RecordStepOp::create(builder, op->getLoc(), unsigned(steps_.size()));
      if (op->hasTrait<mlir::OpTrait::IsTerminator>())
        break;
      Step step;
      step.name = source_.nameOf(op);
      step.pass = op->getName().getStringRef().str();
      step.pipeline = "builtin.module(transform-preload-library{transform-library-paths=" +
                      options_.schedule + "},transform-interpreter)";
      steps_.push_back(std::move(step));
    }
  }

  /// Marker `index`: the op before it succeeded, the op behind it is next.
  mlir::LogicalResult reached(unsigned index) {
    double milliseconds = sinceStart();
    if (recorder_.hasOpenStep()) {
      if (mlir::failed(mlir::verify(recorder_.working()))) {
        recorder_.finishFailed(milliseconds, capture_->take());
        return mlir::failure();
      }
      recorder_.finish(milliseconds, capture_->take());
    }
    if (index >= steps_.size())
      return mlir::success();
    if (index >= options_.limit || recorder_.cancelled() || recorder_.lastFailed())
      return mlir::failure();
    if (!recorder_.begin(steps_[index], steps_.size()))
      return mlir::failure();
    start_ = Clock::now();
    return mlir::success();
  }

  /// The schedule ended inside a step: it failed, or the sequence suppresses failures.
  void endOpenStep(mlir::LogicalResult result) {
    double milliseconds = sinceStart();
    std::vector<Diagnostic> diagnostics = capture_->take();
    if (mlir::succeeded(result) && mlir::succeeded(mlir::verify(recorder_.working()))) {
      Diagnostic remark;
      remark.severity = Diagnostic::Severity::Remark;
      remark.message = "the schedule stopped here: a failure was suppressed by its sequence";
      diagnostics.push_back(std::move(remark));
      return recorder_.finish(milliseconds, std::move(diagnostics));
    }
    if (diagnostics.empty()) {
      Diagnostic diagnostic;
      diagnostic.message =
          "'" + steps_[recorder_.stepCount() - 1].pass + "' failed without saying why";
      diagnostics.push_back(std::move(diagnostic));
    }
    recorder_.finishFailed(milliseconds, std::move(diagnostics));
  }

  double sinceStart() const {
    return std::chrono::duration<double, std::milli>(Clock::now() - start_).count();
  }

  Session &session_;
  const RecordOptions &options_;
  Recorder recorder_;
  SourceLines source_;
  std::vector<Step> steps_;
  DiagnosticCapture *capture_ = nullptr;
  Clock::time_point start_;
};

} // namespace

llvm::Expected<Recording> recordSchedule(Session &session, mlir::ModuleOp input,
                                         const RecordOptions &options) {
  registerRecordStepOp(session.context());
  auto script = session.open(options.schedule);
  if (!script)
    return script.takeError();
  if (llvm::Error error = refuseReachingOut(script->get()))
    return error;
  auto entry = findEntry(script->get(), options.schedule);
  if (!entry)
    return entry.takeError();
  return ScheduleRun(session, input, options).run(*entry);
}

} // namespace fuselage

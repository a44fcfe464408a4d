#include "core/schedules/normalize/FormAdvice.h"
#include "core/schedules/normalize/Requirements.h"

namespace fuselage {

/// The innermost step that made the schedule fail.
static const TraceStep *failedStep(const Trace &trace) {
  for (const TraceStep &step : trace.steps)
    if (!step.suppressed && !step.diagnostics.empty() &&
        (step.outcome == TraceStep::Outcome::Silenceable || step.outcome == TraceStep::Outcome::Definite))
      return &step;
  return nullptr;
}

static mlir::Operation *opOf(const Script &script, int number) {
  for (const auto &[op, each] : script.numbers)
    if (static_cast<int>(each) == number)
      return op;
  return nullptr;
}

std::optional<Diagnostic> formAdvice(Script &script, mlir::ModuleOp payload, const Trace &traced) {
  const TraceStep *failed = traced.failed ? failedStep(traced) : nullptr;
  auto op = failed ? mlir::dyn_cast_or_null<mlir::transform::TransformOpInterface>(opOf(script, failed->op))
                   : mlir::transform::TransformOpInterface();
  const NormalForm *form = op ? requiredForm(op, script.forms) : nullptr;
  if (!form)
    return std::nullopt;
  TraceOptions options;
  options.first = failed - traced.steps.data();
  options.last = options.first + 1;
  options.limit = options.first;
  auto again = trace(script, payload, options);
  if (!again) {
    llvm::consumeError(again.takeError());
    return std::nullopt;
  }
  if (options.first >= again->positions.size() || !again->positions[options.first])
    return std::nullopt;
  std::optional<Diagnostic> advice;
  mlir::ModuleOp before(**again->positions[options.first]->payload);
  before.walk([&](mlir::FunctionOpInterface function) {
    std::vector<FormBreach> breaches = checkForm(*form, function);
    if (breaches.empty())
      return mlir::WalkResult::advance();
    const ScriptOp &at = script.ops[failed->op];
    advice = {.severity = Diagnostic::Severity::Remark,
              .message = "'" + at.name + "' expects " + form->name + ", which @" + function.getName().str() +
                         " is not in: " + breaches.front().why + "; normalize to it and try again",
              .file = at.file,
              .line = at.line,
              .column = at.column};
    return mlir::WalkResult::interrupt();
  });
  return advice;
}

} // namespace fuselage

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

/// That a function of the payload is not in a form, which the op at `at` expects.
static std::optional<Diagnostic> adviceOn(const NormalForm &form, mlir::ModuleOp payload, const ScriptOp &at) {
  for (mlir::FunctionOpInterface function : functionsIn(payload))
    if (std::vector<FormBreach> breaches = checkForm(form, function); !breaches.empty())
      return Diagnostic{.severity = Diagnostic::Severity::Remark,
                        .message = "'" + at.name + "' expects " + form.name + ", which @" + function.getName().str() +
                                   " is not in: " + breaches.front().why + "; normalize to it and try again",
                        .file = at.file,
                        .line = at.line,
                        .column = at.column};
  return std::nullopt;
}

std::optional<Diagnostic> formAdvice(Script &script, mlir::ModuleOp payload, const Trace &traced,
                                     TraceOptions options) {
  const TraceStep *failed = traced.failed ? failedStep(traced) : nullptr;
  auto op = failed ? mlir::dyn_cast_or_null<mlir::transform::TransformOpInterface>(opOf(script, failed->op))
                   : mlir::transform::TransformOpInterface();
  std::vector<const NormalForm *> forms = op ? requiredForms(op, script.forms) : std::vector<const NormalForm *>();
  if (forms.empty())
    return std::nullopt;
  options.budget = 0;
  options.didRun = nullptr;
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
  mlir::ModuleOp before(**again->positions[options.first]->payload);
  for (const NormalForm *form : forms)
    if (std::optional<Diagnostic> advice = adviceOn(*form, before, script.ops[failed->op]))
      return advice;
  return std::nullopt;
}

} // namespace fuselage

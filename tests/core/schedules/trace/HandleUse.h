// What MLIR's interpreter says about a use of a handle somewhere in a schedule.
#pragma once
#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "tests/core/schedules/ScheduleTestSupport.h"

namespace fuselage::test {

inline std::vector<std::string> linesOf(llvm::StringRef text) {
  std::vector<std::string> lines;
  for (llvm::StringRef rest = text; !rest.empty();) {
    auto [line, behind] = rest.split('\n');
    lines.push_back(line.str());
    rest = behind;
  }
  return lines;
}

/// Runs a script with MLIR's interpreter alone, with expensive checks; its errors.
inline std::vector<Diagnostic> interpret(Stage &stage, Script &script) {
  DiagnosticCapture capture(stage.session.context());
  mlir::OwningOpRef<mlir::ModuleOp> working = stage.payload->clone();
  bool succeeded = mlir::succeeded(mlir::transform::applyTransforms(
      *working, script.entry, {}, mlir::transform::TransformOptions().enableExpensiveChecks(), false));
  std::vector<Diagnostic> errors;
  for (Diagnostic &diagnostic : capture.take())
    if (diagnostic.severity == Diagnostic::Severity::Error)
      errors.push_back(std::move(diagnostic));
  EXPECT_EQ(succeeded, errors.empty());
  return errors;
}

/// Whether the error says that a handle is used there that may not be any more.
inline bool isDeadUse(const Diagnostic &error, unsigned line) {
  return error.line == line && llvm::StringRef(error.message).contains("invalidated by a previously executed");
}

/// Whether MLIR's interpreter alone takes a use of the handle before that line; nullopt: the text does not parse.
inline std::optional<bool> mayUse(Stage &stage, std::vector<std::string> lines, unsigned line, const HandleRow &row) {
  lines.insert(lines.begin() + (line - 1), "transform.debug.emit_remark_at " + row.name + ", \"used\" : " + row.type);
  std::string text;
  for (const std::string &each : lines)
    text += each + "\n";
  auto script = parseScript(stage.session, text, "use.mlir");
  if (!script) {
    llvm::consumeError(script.takeError());
    return std::nullopt;
  }
  return llvm::none_of(interpret(stage, *script), [&](const Diagnostic &error) { return isDeadUse(error, line); });
}

/// Whether the step is at the end of a block that has no line of its own.
inline bool isImplied(const Script &script, const TraceStep &step) {
  return step.isEnd && (step.op < 0 || !llvm::StringRef(script.ops[step.op].text).contains("yield"));
}

/// Whether the trace says that the handle is live wherever that line is reached.
inline bool isLiveAt(const Script &script, const Trace &trace, unsigned line, llvm::StringRef handle) {
  for (unsigned step = 1; step < trace.steps.size(); ++step)
    if (trace.steps[step].op >= 0 && !isImplied(script, trace.steps[step]) &&
        script.ops[trace.steps[step].op].line == line)
      if (const HandleRow *row = rowOf(trace, step, handle); row && row->fate.state != HandleFate::State::Live)
        return false;
  return true;
}

} // namespace fuselage::test

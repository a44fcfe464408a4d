#include "core/schedules/write/WriteAction.h"
#include "core/schedules/trace/TracedSchedule.h"

namespace fuselage {
namespace {

mlir::Operation *opAt(mlir::ModuleOp module, OpId id) {
  mlir::Operation *found = nullptr;
  module->walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) {
    found = op;
    return id-- == 0 ? mlir::WalkResult::interrupt() : mlir::WalkResult::advance();
  });
  return id < 0 ? found : nullptr;
}

/// The end of the entry's block, by its number in the trace.
llvm::Expected<unsigned> endOf(const Script &script, const Trace &trace) {
  for (const TraceStep &step : trace.steps)
    if (trace.failed && !step.diagnostics.empty() && !step.suppressed && step.op >= 0)
      return fail("the schedule fails at line " + std::to_string(script.ops[step.op].line) +
                  ": lines are put at its end, which it has to come to");
  for (unsigned i = trace.steps.size(); i-- > 0 && !trace.failed;)
    if (trace.steps[i].isEnd && trace.steps[i].parent == 0)
      return i;
  return fail("the schedule does not come to its end, where lines are put");
}

/// Where a line begins, from 1.
size_t offsetOf(llvm::StringRef text, unsigned line) {
  size_t at = 0;
  for (; line > 1; --line)
    at = text.find('\n', at) + 1;
  return at;
}

/// The lines before the terminator of the entry.
llvm::Expected<WrittenAction> insert(const Script &script, llvm::StringRef text, int terminator,
                                     llvm::ArrayRef<std::string> lines) {
  const ScriptOp *end = terminator >= 0 ? &script.ops[terminator] : nullptr;
  bool isHere = end && end->file == script.path && end->line > 0 && end->line <= text.count('\n') + 1;
  size_t line = isHere ? offsetOf(text, end->line) : 0, at = isHere ? line + end->column - 1 : 0;
  if (!isHere || at > text.size() || !text.drop_front(at).starts_with("transform.yield"))
    return fail("the entry has no 'transform.yield' in '" + script.path + "' for lines to be put before");
  llvm::StringRef before = text.slice(line, at);
  bool isAlone = before.trim().empty();
  std::string indent = isAlone ? before.str() : "  ", added = isAlone ? "" : "\n";
  for (const std::string &each : lines)
    added += (isAlone && &each == lines.begin() ? "" : indent) + each + "\n";
  WrittenAction written;
  written.text = (text.take_front(at) + added + (isAlone ? indent : "") + text.drop_front(at)).str();
  written.first = end->line + (isAlone ? 0 : 1);
  written.last = written.first + lines.size() - 1;
  return written;
}

/// Without the mark at the entry's argument, which new lines may consume.
std::string withoutReadOnly(llvm::StringRef text) {
  constexpr llvm::StringRef mark = " {transform.readonly}";
  size_t entry = text.find("@__transform_main("), at = text.find(mark, entry);
  if (entry == llvm::StringRef::npos || at == llvm::StringRef::npos || text.slice(entry, at).contains('\n'))
    return text.str();
  return (text.take_front(at) + text.drop_front(at + mark.size())).str();
}

/// Success if the script can be run as it is now.
llvm::Error check(Session &session, WrittenAction &written, llvm::StringRef path, const ScriptOptions &options) {
  auto script = parseScript(session, written.text, path, options);
  if (script)
    return llvm::Error::success();
  std::string freed = withoutReadOnly(written.text);
  if (freed == written.text)
    return script.takeError();
  if (auto again = parseScript(session, freed, path, options); !again) {
    llvm::consumeError(again.takeError());
    return script.takeError();
  }
  llvm::consumeError(script.takeError());
  written.text = std::move(freed);
  return llvm::Error::success();
}

} // namespace

llvm::Expected<WrittenAction> writeAction(Session &session, Script script, llvm::StringRef text, mlir::ModuleOp payload,
                                          const PointedAction &pointed, const std::atomic<bool> *cancelled) {
  TraceOptions options;
  options.last = 1;
  options.cancelled = cancelled;
  auto ran = trace(script, payload, options);
  if (!ran)
    return ran.takeError();
  auto end = endOf(script, *ran);
  if (!end)
    return end.takeError();
  int terminator = ran->steps[*end].op;
  TracedSchedule traced(std::move(script), std::move(*ran), payload, nullptr);
  if (llvm::Error error = traced.record(*end, cancelled))
    return error;
  const TracePosition &position = *traced.trace().positions[*end];
  mlir::ModuleOp atEnd = **position.payload;
  if (fingerprint(atEnd).hash != fingerprint(pointed.seen).hash)
    return fail(
        "the schedule has changed the module since this place: lines are put at its end, so point at the op there");
  mlir::Operation *op = opAt(atEnd, pointed.op), *other = pointed.other ? opAt(atEnd, *pointed.other) : nullptr;
  if (!op || (pointed.other && !other))
    return fail("there is no such op");
  if (std::string why = pointed.action->why(op); !why.empty())
    return fail(why);
  ScriptNames names(text);
  ActionWriter writer(op, other, pointed.options, position, names);
  if (llvm::Error error = pointed.action->write(writer))
    return error;
  auto written = insert(traced.script(), text, terminator, writer.lines());
  if (!written)
    return written.takeError();
  if (llvm::Error error = check(session, *written, traced.script().path, pointed.script))
    return error;
  return written;
}

} // namespace fuselage

#include "core/schedules/report/TraceReport.h"
#include "core/protocol/json/DiagnosticMessage.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

namespace fuselage {
namespace {

const char *outcomeOf(const TraceStep &step) {
  if (step.isEnd && step.diagnostics.empty())
    return "";
  switch (step.outcome) {
  case TraceStep::Outcome::Success:
    return !step.changed ? "ok" : *step.changed ? "changed" : "unchanged";
  case TraceStep::Outcome::Silenceable:
    return step.suppressed ? "suppressed" : "failed";
  case TraceStep::Outcome::Definite:
    return "FAILED";
  case TraceStep::Outcome::Unfinished:
    return "stopped";
  }
  return "";
}

const ScriptOp &opOf(const Script &script, const TraceStep &step) {
  static const ScriptOp none;
  return step.op < 0 ? none : script.ops[step.op];
}

void writeDiagnostics(llvm::raw_ostream &os, const std::vector<Diagnostic> &diagnostics, unsigned indent) {
  for (const Diagnostic &diagnostic : diagnostics) {
    llvm::SmallVector<llvm::StringRef> lines;
    std::string text = formatDiagnostic(diagnostic);
    llvm::StringRef(text).rtrim().split(lines, '\n');
    for (llvm::StringRef line : lines)
      os.indent(indent) << line << '\n';
  }
}

const char *stateOf(const HandleFate &fate) {
  switch (fate.state) {
  case HandleFate::State::Live:
    return "live";
  case HandleFate::State::Consumed:
    return "consumed";
  case HandleFate::State::Invalidated:
    return "invalidated";
  }
  return "";
}

const char *kindOf(HandleRow::Kind kind) {
  return kind == HandleRow::Kind::Op ? "op" : kind == HandleRow::Kind::Value ? "value" : "param";
}

/// "line 12" of a step.
std::string placeOf(const Script &script, const TraceStep &step) {
  const ScriptOp &op = opOf(script, step);
  return op.line > 0 ? "line " + std::to_string(op.line) : "'" + op.name + "'";
}

/// "2 ops: linalg.matmul (line 8), linalg.fill (line 5)"
std::string payloadOf(const HandleRow &row, const NamedPayload &payload) {
  if (row.kind == HandleRow::Kind::Param)
    return llvm::join(row.details, ", ");
  constexpr size_t shown = 6;
  std::string text = std::to_string(row.ops.size()) + (row.kind == HandleRow::Kind::Op ? " op" : " value");
  text += row.ops.size() == 1 ? "" : "s";
  for (size_t i = 0; i < std::min(shown, row.ops.size()); ++i) {
    text += i ? ", " : ": ";
    if (row.kind == HandleRow::Kind::Value)
      text += row.details[i] + " of ";
    text += payload.names[row.ops[i]].str() + " (line " +
            std::to_string(payload.printed.linesOf(row.ops[i]).first + 1) + ")";
  }
  return row.ops.size() > shown ? text + ", and " + std::to_string(row.ops.size() - shown) + " more" : text;
}

void writeHandles(llvm::raw_ostream &os, const Script &script, const Trace &trace, const TracePosition &position,
                  const NamedPayload &payload) {
  size_t nameWidth = 6;
  for (const HandleRow &row : position.handles)
    nameWidth = std::max(nameWidth, row.name.size());
  if (position.handles.empty())
    os << "nothing is in scope\n";
  for (const HandleRow &row : position.handles)
    os << llvm::left_justify(row.name, nameWidth) << "  " << describeHandle(script, trace, row, payload) << "   "
       << row.type << '\n';
}

/// Whether no step of the same entry of the same block is before it.
bool isFirstOfBlock(const Trace &trace, unsigned index) {
  const TraceStep &step = trace.steps[index];
  const TraceStep &before = trace.steps[index - 1];
  return before.depth < step.depth || before.parent != step.parent || before.block != step.block;
}

/// How many steps from `index` on are the same op that failed in the same way, as a matcher's do on op after op.
unsigned countAlike(const Trace &trace, unsigned index) {
  const TraceStep &first = trace.steps[index];
  auto isAlike = [&](const TraceStep &step) {
    return step.suppressed && step.op == first.op && step.parent == first.parent && step.next == index + 1 &&
           !step.diagnostics.empty() && step.diagnostics.front().message == first.diagnostics.front().message;
  };
  unsigned from = index;
  if (first.diagnostics.empty() || !isAlike(first) || first.next != index + 1)
    return 1;
  while (++index < trace.steps.size() && isAlike(trace.steps[index])) {
  }
  return index - from;
}

void writeStep(llvm::raw_ostream &os, const Script &script, const Trace &trace, unsigned index, unsigned alike) {
  const TraceStep &step = trace.steps[index];
  const ScriptOp &op = opOf(script, step);
  os << llvm::formatv("{0,4} {1,9:f2}  {2,-10}  ", index, step.milliseconds, outcomeOf(step));
  os << (op.line > 0 ? llvm::formatv("{0,4}  ", op.line).str() : std::string("      "));
  os.indent(2 * step.depth) << op.text;
  if (alike > 1)
    os << "   // " << alike << " times";
  else if (step.iteration > 0 && isFirstOfBlock(trace, index))
    os << "   // iteration " << step.iteration;
  os << '\n';
  writeDiagnostics(os, step.diagnostics, 35 + 2 * step.depth);
}

} // namespace

std::string formatTrace(const Script &script, const Trace &trace) {
  std::string text;
  llvm::raw_string_ostream os(text);
  unsigned applied = llvm::count_if(trace.steps, [](const TraceStep &step) { return !step.isEnd; });
  os << script.path << ": " << applied << (applied == 1 ? " application, " : " applications, ")
     << llvm::formatv("{0:f1} ms", trace.milliseconds) << (trace.failed ? ", FAILED" : "") << "\n\n"
     << "   #        ms  result      line  application\n";
  for (unsigned index = 0; index < trace.steps.size(); ++index) {
    if (trace.steps[index].isEnd && trace.steps[index].diagnostics.empty())
      continue;
    unsigned alike = countAlike(trace, index);
    writeStep(os, script, trace, index, alike);
    index += alike - 1;
  }
  writeDiagnostics(os, trace.diagnostics, 0);
  return text;
}

NamedPayload::NamedPayload(mlir::ModuleOp module) : printed(module) {
  module->walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) { names.push_back(op->getName().getStringRef()); });
}

std::string describeHandle(const Script &script, const Trace &trace, const HandleRow &row,
                           const NamedPayload &payload) {
  if (row.fate.state == HandleFate::State::Live)
    return payloadOf(row, payload);
  return std::string(stateOf(row.fate)) + " by " + placeOf(script, trace.steps[row.fate.by]) +
         (row.fate.state == HandleFate::State::Invalidated ? ", which consumed an op around it or the same" : "");
}

std::string formatPosition(const Script &script, const Trace &trace, unsigned index) {
  std::string text;
  llvm::raw_string_ostream os(text);
  const TracePosition &position = *trace.positions[index];
  NamedPayload payload(mlir::ModuleOp(**position.payload));
  const TraceStep &step = trace.steps[index];
  os << (step.isEnd ? "at the end of the block, " : "before ") << placeOf(script, step)
     << (step.isEnd ? "" : ": " + opOf(script, step).text) << '\n';
  std::vector<unsigned> frames = trace.framesOf(index);
  for (unsigned frame : llvm::reverse(frames))
    os << "  in " << placeOf(script, trace.steps[frame]) << ": " << opOf(script, trace.steps[frame]).text << '\n';
  os << '\n';
  writeHandles(os, script, trace, position, payload);
  os << '\n' << payload.printed.text();
  return text;
}

llvm::Expected<mlir::ModuleOp> resultOf(const Script &script, const Trace &trace) {
  if (!trace.failed)
    return mlir::ModuleOp(*trace.result);
  std::vector<Diagnostic> said;
  for (const TraceStep &step : trace.steps)
    if (!step.suppressed)
      said.insert(said.end(), step.diagnostics.begin(), step.diagnostics.end());
  said.insert(said.end(), trace.diagnostics.begin(), trace.diagnostics.end());
  return fail("the schedule '" + script.path + "' failed; --trace shows where", std::move(said));
}

static message::ScheduleStep<> messageOf(const Script &script, const TraceStep &step, unsigned index) {
  const ScriptOp &op = opOf(script, step);
  constexpr const char *outcomes[] = {"success", "silenceable", "definite", "unfinished"};
  message::ScheduleStep<> result;
  result.index = static_cast<int>(index);
  result.op = step.op;
  result.name = op.name;
  result.text = op.text;
  result.file = op.file;
  result.line = static_cast<int>(op.line);
  result.end = step.isEnd;
  result.parent = step.parent;
  result.depth = static_cast<int>(step.depth);
  result.block = static_cast<int>(step.block);
  result.iteration = static_cast<int>(step.iteration);
  result.next = static_cast<int>(step.next);
  result.outcome = outcomes[static_cast<size_t>(step.outcome)];
  result.suppressed = step.suppressed;
  result.changed = step.changed;
  result.milliseconds = step.milliseconds;
  result.diagnostics = message::messagesOf(step.diagnostics);
  return result;
}

message::ScheduleTrace<> messageOf(const Script &script, const Trace &trace) {
  message::ScheduleTrace<> result;
  result.schedule = script.path;
  result.failed = trace.failed;
  result.milliseconds = trace.milliseconds;
  for (const auto &[index, step] : llvm::enumerate(trace.steps))
    result.steps.push_back(messageOf(script, step, index));
  result.diagnostics = message::messagesOf(trace.diagnostics);
  return result;
}

message::SchedulePosition<> messageOf(const Script &script, const Trace &trace, unsigned index) {
  message::SchedulePosition<> result;
  const TracePosition &position = *trace.positions[index];
  PrintedModule printed(mlir::ModuleOp(**position.payload));
  result.step = static_cast<int>(index);
  for (unsigned frame : trace.framesOf(index))
    result.frames.push_back(frame);
  for (const HandleRow &row : position.handles) {
    message::ScheduleHandle<> &handle = result.handles.emplace_back();
    handle.name = row.name;
    handle.type = row.type;
    handle.kind = kindOf(row.kind);
    handle.state = stateOf(row.fate);
    if (row.fate.state != HandleFate::State::Live) {
      handle.by = static_cast<int>(row.fate.by);
      handle.byLine = static_cast<int>(opOf(script, trace.steps[row.fate.by]).line);
    }
    handle.definedBy = row.definedBy;
    handle.ops.assign(row.ops.begin(), row.ops.end());
    for (OpId op : row.ops) {
      handle.lines.push_back(printed.linesOf(op).first);
      handle.lines.push_back(printed.linesOf(op).last);
    }
    handle.details = row.details;
  }
  result.text = printed.text();
  return result;
}

} // namespace fuselage

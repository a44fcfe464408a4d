#include "core/lsp/facts/ScheduleFacts.h"
#include "core/schedules/normalize/FormColumn.h"
#include "core/schedules/trace/Trace.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include <map>

namespace fuselage::lsp {

/// "2 linalg.matmul, 1 linalg.fill", in the order of the payload; "nothing".
static std::string contentOf(const HandleRow &row, const std::vector<llvm::StringRef> &names) {
  if (row.kind == HandleRow::Kind::Param) {
    std::string values;
    for (const std::string &detail : row.details)
      values += (values.empty() ? "" : ", ") + detail;
    return values.empty() ? "nothing" : values;
  }
  std::vector<std::pair<llvm::StringRef, unsigned>> counts;
  for (OpId op : row.ops) {
    llvm::StringRef name = op >= 0 && op < OpId(names.size()) ? names[op] : "?";
    auto known = llvm::find_if(counts, [&](const auto &count) { return count.first == name; });
    if (known == counts.end())
      counts.push_back({name, 1});
    else
      ++known->second;
  }
  std::string text;
  for (const auto &[name, count] : counts)
    text += (text.empty() ? "" : ", ") + std::to_string(count) + " " + name.str();
  return text.empty() ? "nothing" : text;
}

static std::vector<llvm::StringRef> namesIn(mlir::ModuleOp payload) {
  std::vector<llvm::StringRef> names;
  payload->walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) { names.push_back(op->getName().getStringRef()); });
  return names;
}

/// Handles that the op of a step defines, as they are before the next step. Of a loop the last round counts.
static void addHandles(const Script &script, const Trace &trace, std::map<int, std::string> &texts) {
  for (size_t step = 0; step + 1 < trace.steps.size(); ++step) {
    int op = trace.steps[step].op;
    if (op < 0 || trace.steps[step].isEnd || !trace.positions[step + 1])
      continue;
    const TracePosition &after = *trace.positions[step + 1];
    if (!after.payload)
      continue;
    std::string text;
    std::vector<llvm::StringRef> names = namesIn(**after.payload);
    for (const HandleRow &row : after.handles)
      if (row.definedBy == op)
        text += (text.empty() ? "" : "; ") + row.name + ": " + contentOf(row, names);
    if (!text.empty())
      texts[static_cast<int>(script.ops[op].line) - 1] = text;
  }
}

void addScheduleFacts(Session &session, llvm::StringRef text, llvm::StringRef path, mlir::ModuleOp module,
                      DocumentFacts &facts) {
  constexpr unsigned mostSteps = 300;
  if (!hasSchedule(module))
    return;
  auto script = parseScript(session, text, path);
  if (!script)
    return llvm::consumeError(
        script.takeError()); // what is wrong with it is among the diagnostics, or it is of another tool
  mlir::OwningOpRef<mlir::ModuleOp> payload = payloadFor(*script, module);
  bool isAlone =
      !payload->walk([](mlir::FunctionOpInterface) { return mlir::WalkResult::interrupt(); }).wasInterrupted();
  if (isAlone)
    return;
  FormColumn column(*script);
  TraceOptions options;
  options.last = options.limit = mostSteps;
  options.mostPositions = 0;
  auto traced = trace(*script, *payload, column.watching(options));
  if (!traced)
    return llvm::consumeError(traced.takeError());
  std::map<int, std::string> texts;
  addHandles(*script, *traced, texts);
  for (const message::LineForms<> &line : column.lines())
    for (const std::string &form : line.forms)
      if (form != "AnyForm" && line.line > 0) {
        std::string &hint = texts[line.line - 1];
        hint += (hint.empty() ? "" : "; ") + form;
      }
  for (const auto &[line, hint] : texts)
    if (line >= 0)
      facts.schedule.push_back({.line = line, .text = hint});
}

} // namespace fuselage::lsp

#include "core/engine/StepMessages.h"

namespace fuselage {
namespace {

/// The first op of `module` at the diagnostic's position; 0 (the module) if there is none.
OpId findOp(const Diagnostic &diagnostic, mlir::ModuleOp module) {
  OpId id = 0, found = 0;
  module->walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) {
    SourcePosition position = positionOf(op->getLoc());
    if (id != 0 && position.line == diagnostic.line && position.column == diagnostic.column &&
        position.file == diagnostic.file) {
      found = id;
      return mlir::WalkResult::interrupt();
    }
    ++id;
    return mlir::WalkResult::advance();
  });
  return found;
}

llvm::json::Array spansToJSON(const std::vector<Span> &spans, llvm::StringRef line) {
  llvm::json::Array array;
  for (const Span &span : spans) {
    array.push_back(utf16Length(line, span.begin));
    array.push_back(utf16Length(line, span.end));
  }
  return array;
}

/// Rows as arrays; runs of equal lines as one row of kind 4.
llvm::json::Array rowsToJSON(const TextDiff &diff, const std::vector<std::string> &left,
                             const std::vector<std::string> &right) {
  constexpr int runOfSame = 4;
  llvm::json::Array rows;
  for (size_t i = 0; i < diff.rows.size();) {
    const DiffRow &row = diff.rows[i];
    if (row.kind == DiffRow::Kind::Same) {
      size_t end = i;
      while (end < diff.rows.size() && diff.rows[end].kind == DiffRow::Kind::Same)
        ++end;
      rows.push_back(llvm::json::Array{runOfSame, row.left, row.right, int64_t(end - i)});
      i = end;
      continue;
    }
    bool changed = row.kind == DiffRow::Kind::Changed;
    rows.push_back(llvm::json::Array{int(row.kind), row.left, row.right,
                                     changed ? spansToJSON(row.leftWords, left[row.left]) : llvm::json::Array(),
                                     changed ? spansToJSON(row.rightWords, right[row.right]) : llvm::json::Array()});
    ++i;
  }
  return rows;
}

/// The lines that changed rows refer to; others stay empty.
std::vector<std::string> changedLines(const PrintedModule &printed, const TextDiff &diff, int DiffRow::*side) {
  std::vector<std::string> lines(printed.lineCount());
  for (const DiffRow &row : diff.rows)
    if (row.kind == DiffRow::Kind::Changed)
      lines[row.*side] = printed.line(row.*side).str();
  return lines;
}

} // namespace

message::Step<> stepMessage(Document &document, unsigned step) {
  const Step &recorded = document.recording().steps[step];
  message::Step<> message = messageOf(recorded, step);
  // What a log says of a dumped step lies in files of its own.
  if (!document.recording().log.empty())
    return message;
  auto before = document.module(recorded.before);
  if (!before) {
    llvm::consumeError(before.takeError());
    return message;
  }
  // Remarks can be many; a few are enough to click on.
  constexpr size_t maxPlaced = 100;
  for (size_t i = 0; i < std::min(message.diagnostics.size(), maxPlaced); ++i) {
    if (recorded.diagnostics[i].line == 0)
      continue;
    OpId id = findOp(recorded.diagnostics[i], *before);
    if (id == 0)
      continue;
    message.diagnostics[i].op = id;
    message.diagnostics[i].opLine = static_cast<int>(document.printed(recorded.before).linesOf(id).first);
  }
  return message;
}

std::vector<message::Step<>> stepMessages(Document &document) {
  std::vector<message::Step<>> steps;
  for (unsigned i = 0; i < document.recording().steps.size(); ++i)
    steps.push_back(stepMessage(document, i));
  return steps;
}

message::FusionHistory<> historyMessage(Document &document) {
  return {.steps = stepMessages(document),
          .kept = static_cast<int>(document.keptSteps()),
          .undo = static_cast<int>(document.undoLevels()),
          .redo = static_cast<int>(document.redoLevels())};
}

llvm::json::Object diffToJSON(const TextDiff &diff, const PrintedModule &left, const PrintedModule &right) {
  std::vector<std::string> leftLines = changedLines(left, diff, &DiffRow::left),
                           rightLines = changedLines(right, diff, &DiffRow::right);
  return llvm::json::Object{{"rows", rowsToJSON(diff, leftLines, rightLines)},
                            {"added", int64_t(diff.added)},
                            {"removed", int64_t(diff.removed)},
                            {"changed", int64_t(diff.changed)},
                            {"leftLines", int64_t(leftLines.size())},
                            {"rightLines", int64_t(rightLines.size())}};
}

llvm::json::Object diffToJSON(llvm::StringRef left, llvm::StringRef right) {
  return diffToJSON(diffTexts(left, right), PrintedModule(left.str()), PrintedModule(right.str()));
}

} // namespace fuselage

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

} // namespace fuselage

#include "core/engine/StepJson.h"

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

llvm::json::Value stepToJSON(Document &document, unsigned step) {
  const Step &recorded = document.recording().steps[step];
  llvm::json::Value json = toJSON(recorded, step);
  // What a log says of a dumped step lies in files of its own.
  if (!document.recording().log.empty())
    return json;
  auto before = document.module(recorded.before);
  if (!before) {
    llvm::consumeError(before.takeError());
    return json;
  }
  llvm::json::Array &diagnostics = *json.getAsObject()->getArray("diagnostics");
  // Remarks can be many; a few are enough to click on.
  constexpr size_t maxPlaced = 100;
  for (size_t i = 0; i < std::min(diagnostics.size(), maxPlaced); ++i) {
    if (recorded.diagnostics[i].line == 0)
      continue;
    OpId id = findOp(recorded.diagnostics[i], *before);
    if (id == 0)
      continue;
    llvm::json::Object &diagnostic = *diagnostics[i].getAsObject();
    diagnostic["op"] = id;
    diagnostic["op_line"] = int64_t(document.printed(recorded.before).linesOf(id).first);
  }
  return json;
}

llvm::json::Array stepsToJSON(Document &document) {
  llvm::json::Array steps;
  for (unsigned i = 0; i < document.recording().steps.size(); ++i)
    steps.push_back(stepToJSON(document, i));
  return steps;
}

llvm::json::Object historyToJSON(Document &document) {
  return llvm::json::Object{{"steps", stepsToJSON(document)},
                            {"kept", document.keptSteps()},
                            {"undo", document.undoLevels()},
                            {"redo", document.redoLevels()}};
}

} // namespace fuselage

#include "core/ir/source/SourceMap.h"
#include "mlir/IR/AttrTypeSubElements.h"

using namespace mlir;
using llvm::StringRef;

namespace fuselage {

SourceMap::SourceMap(StringRef file, const SourceSplit &split) : file_(file), split_(split), lines_(split.text) {
  useBufferName(/*isMoved=*/split.firstLine != 1);
}

SourceMap::SourceMap(StringRef file, const SourceSplit &split, const EditedText &edited) : SourceMap(file, split) {
  if (edited.text() == split.text)
    return;
  edited_ = &edited;
  editedLines_.emplace(edited.text());
  useBufferName(/*isMoved=*/true);
}

void SourceMap::useBufferName(bool isMoved) {
  bufferName_ = isMoved ? "\x01" + file_ : file_;
  isMoved_ = isMoved;
}

size_t SourceMap::offsetOf(LineTable::Position inBuffer) const {
  return edited_ ? edited_->toOriginal(editedLines_->offsetOf(inBuffer)) : lines_.offsetOf(inBuffer);
}

LineTable::Position SourceMap::positionInFile(size_t offset) const {
  LineTable::Position position = lines_.positionOf(offset);
  position.line += split_.firstLine - 1;
  return position;
}

LineTable::Position SourceMap::move(LineTable::Position inBuffer) const {
  if (edited_)
    return positionInFile(offsetOf(inBuffer));
  inBuffer.line += split_.firstLine - 1;
  return inBuffer;
}

Diagnostic SourceMap::diagnosticAt(size_t offset, Diagnostic::Severity severity, std::string message) const {
  LineTable::Position position = lines_.positionOf(offset);
  return {.severity = severity,
          .message = std::move(message),
          .file = file_,
          .line = position.line + split_.firstLine - 1,
          .column = position.column,
          .sourceLine = quotable(lines_.line(position.line))};
}

void SourceMap::moveLocations(ModuleOp module) const {
  if (!isMoved_)
    return;
  AttrTypeReplacer replacer;
  StringAttr file = StringAttr::get(module.getContext(), file_);
  replacer.addReplacement([&](FileLineColRange loc) -> LocationAttr {
    if (loc.getFilename() != bufferName_)
      return loc;
    LineTable::Position start = move({loc.getStartLine(), loc.getStartColumn()});
    LineTable::Position end = move({loc.getEndLine(), loc.getEndColumn()});
    return FileLineColRange::get(file, start.line, start.column, end.line, end.column);
  });
  replacer.recursivelyReplaceElementsIn(module, /*replaceAttrs=*/false, /*replaceLocs=*/true,
                                        /*replaceTypes=*/false);
}

std::optional<size_t> SourceMap::offsetOf(const Diagnostic &diagnostic) const {
  if (diagnostic.file != bufferName_ || !diagnostic.line)
    return std::nullopt;
  return offsetOf({diagnostic.line, diagnostic.column});
}

void SourceMap::moveDiagnostics(std::vector<Diagnostic> &diagnostics) const {
  for (Diagnostic &diagnostic : diagnostics) {
    moveDiagnostics(diagnostic.notes);
    if (diagnostic.file.empty() && !diagnostic.line)
      diagnostic.file = file_;
    if (diagnostic.file != bufferName_)
      continue;
    LineTable::Position position = move({diagnostic.line, diagnostic.column});
    diagnostic.file = file_;
    diagnostic.line = position.line;
    diagnostic.column = position.column;
    diagnostic.sourceLine = quotable(lines_.line(position.line - (split_.firstLine - 1)));
  }
}

} // namespace fuselage

// From the positions that MLIR reports on a part of a text, perhaps an edited one, to the user's.
#pragma once
#include "core/ir/source/SourceEdits.h"
#include "core/ir/source/SourceText.h"
#include "mlir/IR/BuiltinOps.h"
#include <optional>

namespace fuselage {

/// Maps the positions of one split. Where positions move, its buffer has a private name, so that those
/// which the text itself spells (`loc("x.py":1:2)`) stay as they are; a text that is parsed as the user
/// wrote it costs nothing.
class SourceMap {
public:
  /// Of a split that is parsed as it stands. `file` is what the user calls it.
  SourceMap(llvm::StringRef file, const SourceSplit &split);
  /// Of a split that is parsed as `edited`, which must outlive the map.
  SourceMap(llvm::StringRef file, const SourceSplit &split, const EditedText &edited);

  /// The name to parse the buffer under.
  const std::string &bufferName() const { return bufferName_; }
  /// The offset in the split of a position in the buffer.
  size_t offsetOf(LineTable::Position inBuffer) const;
  /// The file's line and column of an offset in the split.
  LineTable::Position positionInFile(size_t offset) const;
  /// A diagnostic at an offset in the split.
  Diagnostic diagnosticAt(size_t offset, Diagnostic::Severity severity, std::string message) const;

  void moveLocations(mlir::ModuleOp module) const;
  /// Fills in the line's text, too. Diagnostics without any place get the file.
  void moveDiagnostics(std::vector<Diagnostic> &diagnostics) const;
  /// The offset in the split of a diagnostic that was not moved yet; nullopt if it is elsewhere.
  std::optional<size_t> offsetOf(const Diagnostic &diagnostic) const;

private:
  void useBufferName(bool isMoved);
  LineTable::Position move(LineTable::Position inBuffer) const;

  std::string file_, bufferName_;
  bool isMoved_ = false;
  SourceSplit split_;
  LineTable lines_;
  const EditedText *edited_ = nullptr;
  std::optional<LineTable> editedLines_;
};

} // namespace fuselage

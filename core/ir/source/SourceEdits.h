// A text that is parsed in another form than the user wrote, with a way back to what was written.
#pragma once
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace fuselage {

/// The start of every line of a text, to turn byte offsets into lines and columns and back. Both
/// count from 1; columns count bytes, as MLIR does.
class LineTable {
public:
  explicit LineTable(llvm::StringRef text);
  struct Position {
    unsigned line = 0, column = 0;
  };
  Position positionOf(size_t offset) const;
  /// Beyond the end of the text: the end.
  size_t offsetOf(Position position) const;
  llvm::StringRef line(unsigned number) const;

private:
  llvm::StringRef text_;
  std::vector<size_t> starts_;
};

/// The text with its edits done, and where each byte of it came from.
class EditedText {
public:
  const std::string &text() const { return text_; }
  /// The offset in the original. Inside of a replacement: where the text that it replaces starts.
  size_t toOriginal(size_t edited) const;

private:
  friend class SourceEdits;
  struct Piece {
    size_t edited, original;
    bool isReplacement;
  };
  std::string text_;
  std::vector<Piece> pieces_; ///< in order
};

/// Replacements in a text. They may come in any order; one inside of another's range is dropped.
class SourceEdits {
public:
  void replace(size_t begin, size_t end, std::string text) { edits_.push_back({begin, end, std::move(text)}); }
  /// Insertions at the same place keep their order.
  void insert(size_t at, std::string text) { replace(at, at, std::move(text)); }
  void erase(size_t begin, size_t end) { replace(begin, end, ""); }
  void append(const SourceEdits &other) { edits_.insert(edits_.end(), other.edits_.begin(), other.edits_.end()); }
  /// Those of `other` that are wholly between `begin` and `end`; `other` is sorted for that.
  void appendWithin(SourceEdits &other, size_t begin, size_t end);
  bool empty() const { return edits_.empty(); }
  /// The text from `begin` to `end` with the edits that are wholly inside of it.
  EditedText apply(llvm::StringRef original, size_t begin = 0, size_t end = llvm::StringRef::npos) const;

private:
  void normalize();

  struct Edit {
    size_t begin, end;
    std::string text;
  };
  std::vector<Edit> edits_;
  size_t sorted_ = 0; ///< how many edits there were when they were sorted
};

} // namespace fuselage

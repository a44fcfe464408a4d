// The text of a document that an editor has open, and the positions of LSP in it.
#pragma once
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace fuselage::lsp {

/// Lines and columns count from 0. Columns are in units of the encoding that client and server agreed on.
struct Position {
  int line = 0, character = 0;
  auto operator<=>(const Position &) const = default;
};
struct Range {
  Position start, end;
  auto operator<=>(const Range &) const = default;
};

/// Bytes [begin, end) of a text.
struct ByteRange {
  size_t begin = 0, end = 0;
  auto operator<=>(const ByteRange &) const = default;
};

enum class Encoding { Utf8, Utf16 };

class TextBuffer {
public:
  explicit TextBuffer(std::string text = "", Encoding encoding = Encoding::Utf16);

  const std::string &text() const { return text_; }
  int lineCount() const { return static_cast<int>(lineStarts_.size()); }
  /// Without the end of the line. Empty: there is no such line.
  llvm::StringRef line(int index) const;
  int lineOf(size_t offset) const;
  ByteRange bytesOfLine(int index) const;

  /// A place beyond the end of its line or of the text is that end, as LSP has it.
  size_t offsetOf(Position position) const;
  Position positionOf(size_t offset) const;
  /// Columns from one place of a line to a later one of it.
  int columnsBetween(size_t begin, size_t end) const;
  Range rangeOf(ByteRange bytes) const { return {positionOf(bytes.begin), positionOf(bytes.end)}; }
  Range wholeRange() const { return rangeOf({0, text_.size()}); }

  /// What an editor changed. A range that ends before it begins is one that is empty.
  void replace(Range range, llvm::StringRef text);

private:
  void findLines();

  std::string text_;
  Encoding encoding_;
  std::vector<size_t> lineStarts_;
};

} // namespace fuselage::lsp

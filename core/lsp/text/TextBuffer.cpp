#include "core/lsp/text/TextBuffer.h"
#include <algorithm>

namespace fuselage::lsp {

TextBuffer::TextBuffer(std::string text, Encoding encoding) : text_(std::move(text)), encoding_(encoding) {
  findLines();
}

void TextBuffer::findLines() {
  lineStarts_.assign(1, 0);
  for (size_t at = text_.find('\n'); at != std::string::npos; at = text_.find('\n', at + 1))
    lineStarts_.push_back(at + 1);
}

ByteRange TextBuffer::bytesOfLine(int index) const {
  if (index < 0 || index >= lineCount())
    return {text_.size(), text_.size()};
  size_t begin = lineStarts_[index];
  size_t end = index + 1 < lineCount() ? lineStarts_[index + 1] - 1 : text_.size();
  if (end > begin && text_[end - 1] == '\r')
    --end;
  return {begin, end};
}

llvm::StringRef TextBuffer::line(int index) const {
  ByteRange bytes = bytesOfLine(index);
  return llvm::StringRef(text_).slice(bytes.begin, bytes.end);
}

int TextBuffer::lineOf(size_t offset) const {
  auto after = std::upper_bound(lineStarts_.begin(), lineStarts_.end(), offset);
  return static_cast<int>(after - lineStarts_.begin()) - 1;
}

/// How many bytes the character at the front of `text` takes, and how many units of UTF-16. A byte that begins none is
/// one of its own.
static std::pair<size_t, int> widthOf(llvm::StringRef text) {
  auto first = static_cast<unsigned char>(text.front());
  size_t bytes = first < 0xC0 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
  return {std::min(bytes, text.size()), bytes == 4 ? 2 : 1};
}

size_t TextBuffer::offsetOf(Position position) const {
  if (position.line < 0)
    return 0;
  ByteRange bytes = bytesOfLine(position.line);
  size_t length = bytes.end - bytes.begin;
  if (encoding_ == Encoding::Utf8)
    return bytes.begin + std::min<size_t>(std::max(position.character, 0), length);
  size_t at = bytes.begin;
  for (int units = 0; at < bytes.end && units < position.character;) {
    auto [width, count] = widthOf(llvm::StringRef(text_).slice(at, bytes.end));
    at += width;
    units += count;
  }
  return at;
}

int TextBuffer::columnsBetween(size_t begin, size_t end) const {
  if (encoding_ == Encoding::Utf8)
    return static_cast<int>(end - begin);
  int units = 0;
  for (size_t at = begin; at < end;) {
    auto [width, count] = widthOf(llvm::StringRef(text_).substr(at));
    at += width;
    units += count;
  }
  return units;
}

Position TextBuffer::positionOf(size_t offset) const {
  offset = std::min(offset, text_.size());
  int line = lineOf(offset);
  return {line, columnsBetween(lineStarts_[line], offset)};
}

void TextBuffer::replace(Range range, llvm::StringRef text) {
  size_t begin = offsetOf(range.start), end = std::max(begin, offsetOf(range.end));
  text_.replace(begin, end - begin, text.data(), text.size());
  findLines();
}

} // namespace fuselage::lsp

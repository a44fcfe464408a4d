#include "core/ir/source/SourceEdits.h"
#include "llvm/ADT/STLExtras.h"

using llvm::StringRef;

namespace fuselage {

LineTable::LineTable(StringRef text) : text_(text) {
  starts_.push_back(0);
  for (size_t at = text.find('\n'); at != StringRef::npos; at = text.find('\n', at + 1))
    starts_.push_back(at + 1);
}

LineTable::Position LineTable::positionOf(size_t offset) const {
  size_t line = llvm::upper_bound(starts_, offset) - starts_.begin(); // from 1
  return {static_cast<unsigned>(line), static_cast<unsigned>(offset - starts_[line - 1]) + 1};
}

size_t LineTable::offsetOf(Position position) const {
  if (position.line == 0)
    return 0;
  if (position.line > starts_.size())
    return text_.size();
  size_t column = position.column ? position.column - 1 : 0;
  return std::min(starts_[position.line - 1] + column, text_.size());
}

StringRef LineTable::line(unsigned number) const {
  if (number == 0 || number > starts_.size())
    return "";
  size_t end = number < starts_.size() ? starts_[number] - 1 : text_.size();
  return text_.slice(starts_[number - 1], end).rtrim('\r');
}

size_t EditedText::toOriginal(size_t edited) const {
  auto next = llvm::upper_bound(pieces_, edited, [](size_t at, const Piece &piece) { return at < piece.edited; });
  if (next == pieces_.begin())
    return edited;
  const Piece &piece = *std::prev(next);
  return piece.isReplacement ? piece.original : piece.original + (edited - piece.edited);
}

void SourceEdits::normalize() {
  llvm::stable_sort(edits_, [](const Edit &a, const Edit &b) {
    if (a.begin != b.begin)
      return a.begin < b.begin;
    // Insertions come first, and of two replacements the longer one.
    bool aInserts = a.begin == a.end, bInserts = b.begin == b.end;
    return aInserts != bInserts ? aInserts : a.end > b.end;
  });
  size_t covered = 0;
  llvm::erase_if(edits_, [&](const Edit &edit) {
    if (edit.begin < covered)
      return true;
    covered = edit.end;
    return false;
  });
}

void SourceEdits::appendWithin(SourceEdits &other, size_t begin, size_t end) {
  if (other.sorted_ != other.edits_.size()) {
    other.normalize();
    other.sorted_ = other.edits_.size();
  }
  auto edit = llvm::lower_bound(other.edits_, begin, [](const Edit &edit, size_t at) { return edit.begin < at; });
  for (; edit != other.edits_.end() && edit->begin < end; ++edit)
    if (edit->end <= end)
      edits_.push_back(*edit);
}

EditedText SourceEdits::apply(StringRef original, size_t begin, size_t end) const {
  end = std::min(end, original.size());
  SourceEdits sorted = *this;
  sorted.normalize();
  EditedText result;
  result.text_.reserve(end - begin + 64 * sorted.edits_.size());
  size_t at = begin;
  auto copyTo = [&](size_t to) {
    if (at < to)
      result.pieces_.push_back({result.text_.size(), at, false});
    result.text_ += original.slice(at, to);
    at = to;
  };
  for (const Edit &edit : sorted.edits_) {
    if (edit.begin < begin || edit.end > end)
      continue;
    copyTo(edit.begin);
    if (!edit.text.empty())
      result.pieces_.push_back({result.text_.size(), edit.begin, true});
    result.text_ += edit.text;
    at = std::max(at, edit.end);
  }
  copyTo(end);
  result.pieces_.push_back({result.text_.size(), end, true});
  return result;
}

} // namespace fuselage

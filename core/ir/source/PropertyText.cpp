#include "core/ir/source/PropertyText.h"
#include "core/support/NameChars.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using llvm::SmallVector;
using llvm::StringRef;

namespace fuselage {

namespace {
/// Goes over what stands outside of brackets in an op's head.
class PropertyReader {
public:
  PropertyReader(const OpText &op, llvm::ArrayRef<StringRef> names, SourceEdits &edits)
      : op_(op), names_(names), edits_(edits), rest_(op.head()) {}

  std::string read() {
    while (!rest_.empty())
      readPiece();
    return entries_;
  }

private:
  /// `name`, `name = value`, `name(value)`, `<{name = value}>`, or what is none of them.
  void readPiece() {
    if (llvm::isSpace(rest_.front())) {
      rest_ = rest_.drop_front();
      return;
    }
    StringRef begin = rest_;
    if (StringRef inner = insideBrackets(rest_); inner.data()) {
      rest_ = rest_.drop_front(inner.size() + 2);
      if (begin.front() == '<')
        readDictionary(inner, StringRef(begin.data(), inner.size() + 2));
      return;
    }
    StringRef word = rest_.take_while(isNameChar);
    rest_ = rest_.drop_front(std::max<size_t>(word.size(), 1));
    if (word.empty() || !llvm::is_contained(names_, word))
      return;
    StringRef value = readValue();
    add(word, value);
    edits_.erase(op_.offsetOf(word), op_.offsetOf(rest_));
  }

  StringRef readValue() {
    StringRef next = rest_.ltrim();
    if (next.starts_with("(")) {
      StringRef inner = insideBrackets(next);
      if (!inner.data())
        return {};
      rest_ = StringRef(inner.end() + 1, rest_.end() - inner.end() - 1);
      return inner.trim();
    }
    if (!next.consume_front("="))
      return {};
    next = next.ltrim();
    size_t end = 0;
    while (end < next.size() && !llvm::isSpace(next[end]) && next[end] != ',') {
      StringRef inner = insideBrackets(next.substr(end));
      end += inner.data() ? inner.size() + 2 : 1;
    }
    rest_ = next.drop_front(end);
    return next.take_front(end);
  }

  void readDictionary(StringRef inner, StringRef whole) {
    StringRef text = inner.trim();
    if (text.starts_with("{"))
      text = insideBrackets(text);
    SmallVector<StringRef> pieces = splitOutsideBrackets(text, ',');
    auto keyOf = [](StringRef piece) { return piece.split('=').first.trim(); };
    if (pieces.empty() ||
        !llvm::all_of(pieces, [&](StringRef piece) { return llvm::is_contained(names_, keyOf(piece)); }))
      return;
    for (StringRef piece : pieces)
      add(keyOf(piece), piece.split('=').second.trim());
    edits_.erase(op_.offsetOf(whole), op_.endOf(whole));
  }

  void add(StringRef name, StringRef value) {
    entries_ += (entries_.empty() ? "" : ", ") + name.str() + (value.empty() ? "" : " = " + value.str());
  }

  const OpText &op_;
  llvm::ArrayRef<StringRef> names_;
  SourceEdits &edits_;
  StringRef rest_;
  std::string entries_;
};
} // namespace

bool spellPropertiesAsAttributes(const OpText &op, llvm::ArrayRef<StringRef> names, SourceEdits &edits) {
  if (op.op().hasRegion)
    return false;
  std::string entries = PropertyReader(op, names, edits).read();
  if (entries.empty())
    return false;
  StringRef dictionary = op.dictionary();
  if (dictionary.empty())
    edits.insert(op.endOf(op.head().rtrim()), " {" + entries + "}");
  else
    edits.insert(op.offsetOf(dictionary) + 1,
                 entries + (dictionary.drop_front().drop_back().trim().empty() ? "" : ", "));
  return true;
}

} // namespace fuselage

#include "core/ir/source/OpText.h"
#include "core/support/NameChars.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using llvm::SmallVector;
using llvm::StringRef;

namespace fuselage {

/// Calls `visit` with each offset that stands in no bracket and no string, as long as it wants more.
template <typename Visit> static void visitOutsideBrackets(StringRef text, Visit visit) {
  int depth = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (c == '"') {
      for (++i; i < text.size() && text[i] != '"'; ++i)
        i += text[i] == '\\';
      continue;
    }
    if (c == '/' && text.substr(i).starts_with("//")) {
      i = std::min(text.find('\n', i), text.size()) - 1;
      continue;
    }
    if (c == '-' && text.substr(i).starts_with("->")) {
      if (depth == 0 && !visit(i))
        return;
      ++i;
      continue;
    }
    bool closes = llvm::is_contained(")]}>", c) && c;
    if (closes && depth > 0)
      --depth;
    if (depth == 0 && !visit(i))
      return;
    if (llvm::is_contained("([{<", c) && c)
      ++depth;
  }
}

SmallVector<StringRef> splitOutsideBrackets(StringRef text, char separator) {
  SmallVector<StringRef> pieces;
  size_t begin = 0;
  visitOutsideBrackets(text, [&](size_t at) {
    if (text[at] == separator) {
      pieces.push_back(text.slice(begin, at).trim());
      begin = at + 1;
    }
    return true;
  });
  StringRef last = text.substr(begin).trim();
  if (!last.empty() || !pieces.empty())
    pieces.push_back(last);
  return pieces;
}

size_t findOutsideBrackets(StringRef text, StringRef word) {
  size_t found = StringRef::npos;
  visitOutsideBrackets(text, [&](size_t at) {
    if (text.substr(at).starts_with(word))
      found = at;
    return found == StringRef::npos;
  });
  return found;
}

StringRef insideBrackets(StringRef text) {
  if (text.empty() || !StringRef("([{<").contains(text.front()))
    return {};
  size_t close = StringRef::npos;
  visitOutsideBrackets(text, [&](size_t at) {
    if (at > 0)
      close = at;
    return at == 0;
  });
  return close == StringRef::npos ? StringRef() : text.slice(1, close);
}

/// Without `loc(...)` at its end.
static StringRef withoutLocation(StringRef text) {
  text = text.rtrim();
  size_t at = text.rfind("loc(");
  if (at == StringRef::npos || at == 0 || !llvm::isSpace(text[at - 1]) || findOutsideBrackets(text, "loc(") != at)
    return text;
  return insideBrackets(text.substr(at + 3)).end() + 1 == text.end() ? text.take_front(at).rtrim() : text;
}

StringRef OpText::rest() const {
  if (!rest_)
    rest_ = withoutLocation(whole());
  return *rest_;
}

size_t OpText::colon() const {
  if (!colon_)
    colon_ = findOutsideBrackets(rest(), ":");
  return *colon_;
}

StringRef OpText::head() const { return rest().take_front(colon()); }

StringRef OpText::types() const {
  return colon() == StringRef::npos ? StringRef(rest().end(), 0) : rest().substr(colon() + 1).trim();
}

StringRef OpText::parentName() const { return op().parent < 0 ? StringRef() : scan_.nameOf(scan_.ops()[op().parent]); }

StringRef OpText::results() const {
  StringRef list = scan_.text().slice(op().begin, op().name);
  return list.take_front(list.rfind('=') == StringRef::npos ? 0 : list.rfind('=')).trim();
}

unsigned OpText::numResults() const {
  unsigned number = 0;
  for (StringRef group : splitOutsideBrackets(results(), ',')) {
    unsigned count = 1;
    if (group.split(':').second.getAsInteger(10, count))
      count = 1;
    number += count;
  }
  return number;
}

SmallVector<StringRef> OpText::values() const {
  SmallVector<StringRef> values;
  for (size_t at = head().find('%'); at != StringRef::npos; at = head().find('%', at + 1)) {
    StringRef tail = head().drop_front(at + 1).take_while([](char c) { return isNameChar(c) || c == '#'; });
    values.push_back(StringRef(head().data() + at, tail.size() + 1));
  }
  return values;
}

StringRef OpText::dictionary() const {
  StringRef text = op().hasRegion ? head().take_front(header().size()) : head();
  for (size_t from = 0;;) {
    size_t open = findOutsideBrackets(text.drop_front(from), "{");
    StringRef inner = open == StringRef::npos ? StringRef() : insideBrackets(text.drop_front(from + open));
    if (!inner.data())
      return {};
    bool isOfKeyword = from + open > 0 && isNameChar(text[from + open - 1]); // `ops{[..]}`
    if (!isOfKeyword)
      return StringRef(inner.data() - 1, inner.size() + 2);
    from = inner.end() + 1 - text.data();
  }
}

SmallVector<OpText::Entry> OpText::attributes() const {
  SmallVector<Entry> entries;
  StringRef dictionary = this->dictionary();
  if (dictionary.empty())
    return entries;
  for (StringRef piece : splitOutsideBrackets(dictionary.drop_front().drop_back(), ',')) {
    auto [key, value] = piece.split('=');
    if (!piece.empty())
      entries.push_back({key.trim(), value.trim()});
  }
  return entries;
}

StringRef OpText::clause(StringRef keyword) const {
  std::string opening = (keyword + "(").str();
  size_t at = findOutsideBrackets(head(), opening);
  return at == StringRef::npos ? StringRef() : insideBrackets(head().substr(at + keyword.size()));
}

StringRef OpText::header() const {
  auto region = llvm::lower_bound(scan_.regions(), op().nameEnd,
                                  [](const ScannedRegion &region, uint32_t at) { return region.open < at; });
  bool isOwn = region != scan_.regions().end() && region->op == index_;
  return isOwn ? rest().take_front(region->open - op().nameEnd) : rest();
}

std::string OpText::freshValue(unsigned number) const {
  return "%fuselage." + std::to_string(op().begin) + "." + std::to_string(number);
}

std::string ShapedText::withKind(StringRef newKind, unsigned first) const {
  if (isUnranked)
    return (newKind + "<*x" + element + ">").str();
  std::string text = newKind.str() + "<";
  for (StringRef size : llvm::ArrayRef(sizes).drop_front(first))
    text += size.str() + "x";
  return text + element.str() + ">";
}

/// What an alias of a type stands for.
static StringRef resolved(const SourceScan &scan, StringRef type) {
  if (!type.starts_with("!") || type.contains('<') || type.contains('.'))
    return type;
  for (const ScannedAlias &alias : scan.aliases())
    if (scan.nameOf(alias) == type)
      return scan.text().slice(alias.value, alias.end).trim();
  return type;
}

ShapedText readShapedType(const SourceScan &scan, StringRef type) {
  type = resolved(scan, type.trim());
  ShapedText shaped;
  StringRef kind = type.take_until([](char c) { return c == '<'; });
  StringRef inner = insideBrackets(type.drop_front(kind.size()));
  if ((kind != "tensor" && kind != "memref" && kind != "vector") || inner.empty())
    return shaped;
  shaped.kind = kind;
  StringRef shape = splitOutsideBrackets(inner, ',').front();
  if (shape.consume_front("*x")) {
    shaped.isUnranked = true;
    shaped.element = shape;
    return shaped;
  }
  for (;;) {
    StringRef size = shape.starts_with("[")   ? shape.take_front(shape.find(']') + 1)
                     : shape.starts_with("?") ? shape.take_front(1)
                                              : shape.take_while(llvm::isDigit);
    if (size.empty() || !shape.drop_front(size.size()).starts_with("x"))
      break;
    shaped.sizes.push_back(size);
    shape = shape.drop_front(size.size() + 1);
  }
  shaped.element = shape;
  return shaped;
}

} // namespace fuselage

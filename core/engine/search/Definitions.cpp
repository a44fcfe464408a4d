#include "core/engine/search/Definitions.h"
#include "core/support/NameChars.h"
#include "llvm/ADT/StringExtras.h"

using llvm::StringRef;

namespace fuselage {

static size_t endOfName(StringRef line, size_t sigil) {
  size_t end = sigil + 1;
  while (end < line.size() && isNameChar(line[end]))
    ++end;
  return end;
}

/// "%0, %1:2" before "=".
static size_t addResults(StringRef line, llvm::function_ref<void(StringRef)> found) {
  size_t at = line.find_first_not_of(" \t");
  if (at == StringRef::npos || line[at] != '%')
    return at;
  size_t equals = line.find(" = ", at);
  if (equals == StringRef::npos)
    return at;
  while (at < equals) {
    size_t end = endOfName(line, at);
    found(line.slice(at, end));
    at = line.find('%', end);
  }
  return equals;
}

/// Induction variables: "scf.forall (%i, %j) in".
static void addInduction(StringRef line, llvm::function_ref<void(StringRef)> found) {
  size_t open = line.find(" (%");
  StringRef op = line.take_front(open);
  if (open == StringRef::npos || !(op.ends_with("forall") || op.ends_with("parallel")))
    return;
  size_t close = std::min(line.find(')', open), line.size());
  for (size_t at = line.find('%', open); at < close; at = line.find('%', at + 1))
    found(line.slice(at, endOfName(line, at)));
}

void forEachDefinition(StringRef line, llvm::function_ref<void(StringRef)> found) {
  size_t rest = addResults(line, found);
  if (rest == StringRef::npos)
    return;
  for (size_t at = line.find('%', rest); at != StringRef::npos; at = line.find('%', at + 1)) {
    size_t end = endOfName(line, at);
    StringRef behind = line.substr(end);
    if (behind.starts_with(": ") || behind.starts_with(" = "))
      found(line.slice(at, end));
  }
  addInduction(line, found);
}

StringRef opWordOf(StringRef line) {
  StringRef rest = line.trim();
  if (rest.starts_with("%"))
    rest = rest.split(" = ").second;
  rest.consume_front("\"");
  StringRef word = rest.take_while([](char c) { return isNameChar(c) && c != '$'; });
  return word.contains('.') && llvm::isAlpha(word.front()) ? word : StringRef();
}

bool isWholeName(StringRef line, size_t begin, size_t end) {
  auto isPart = [](char c) { return isNameChar(c) || c == '%' || c == '@' || c == '#'; };
  return (begin == 0 || !isPart(line[begin - 1])) && (end >= line.size() || !isNameChar(line[end]));
}

} // namespace fuselage

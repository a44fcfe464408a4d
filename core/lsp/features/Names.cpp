// Definition, references, highlights and rename.
#include "core/lsp/features/Features.h"
#include "core/support/Error.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace fuselage::lsp {

using llvm::StringRef;
using llvm::json::Array;
using llvm::json::Object;
using llvm::json::Value;

static int tokenAt(const OpenDocument &document, Position position) {
  return document.names().tokenAt(document.text.offsetOf(position));
}

static Object locationOf(const OpenDocument &document, ByteRange bytes) {
  return Object{{"uri", document.uri}, {"range", document.text.rangeOf(bytes)}};
}

Value definitionAt(const OpenDocument &document, Position position) {
  int token = tokenAt(document, position);
  int definition = token < 0 ? -1 : document.names().tokens[token].definition;
  if (definition < 0)
    return nullptr;
  return locationOf(document, document.names().tokens[definition].bytes);
}

Array referencesAt(const OpenDocument &document, Position position, bool withDefinition) {
  Array found;
  int token = tokenAt(document, position);
  if (token < 0)
    return found;
  for (int other : document.names().occurrencesOf(token))
    if (withDefinition || document.names().tokens[other].definition != other)
      found.push_back(locationOf(document, document.names().tokens[other].bytes));
  return found;
}

Array highlightsAt(const OpenDocument &document, Position position) {
  constexpr int read = 2, write = 3;
  Array found;
  int token = tokenAt(document, position);
  if (token < 0)
    return found;
  for (int other : document.names().occurrencesOf(token)) {
    const NameToken &name = document.names().tokens[other];
    found.push_back(
        Object{{"range", document.text.rangeOf(name.bytes)}, {"kind", name.definition == other ? write : read}});
  }
  return found;
}

static StringRef nameOf(const OpenDocument &document, const NameToken &token) {
  return StringRef(document.text.text()).slice(token.bytes.begin, token.bytes.end);
}

Value renamable(const OpenDocument &document, Position position) {
  int token = tokenAt(document, position);
  if (token < 0 || document.names().tokens[token].definition < 0)
    return nullptr;
  const NameToken &name = document.names().tokens[token];
  return Object{{"range", document.text.rangeOf(name.bytes)}, {"placeholder", nameOf(document, name).str()}};
}

/// Letters, digits and `$._-`, not beginning with a digit unless there are only digits.
static bool isName(StringRef name) {
  if (name.empty())
    return false;
  if (llvm::all_of(name, llvm::isDigit))
    return true;
  return !llvm::isDigit(name.front()) && name.front() != '-' && name.front() != '.' &&
         llvm::all_of(name, [](char c) { return llvm::isAlnum(c) || StringRef("$._-").contains(c); });
}

/// Where a name must be the only one of its kind: for values and blocks the outermost op around that defines a symbol
/// (a function, mostly, or what is around it), for others the part of the file.
static ByteRange scopeOf(const OpenDocument &document, const NameToken &token) {
  const NameScopes &names = document.names();
  if (token.kind != NameKind::Symbol && token.kind != NameKind::Alias)
    for (int op = names.opAt(token.bytes.begin); op >= 0; op = names.ops[op].parent)
      if (names.ops[op].symbol >= 0 && names.ops[op].hasRegion)
        return names.ops[op].bytes;
  for (const ByteRange &part : names.parts)
    if (part.begin <= token.bytes.begin && token.bytes.begin <= part.end)
      return part;
  return {0, document.text.text().size()};
}

static bool isTaken(const OpenDocument &document, const NameToken &token, StringRef name) {
  ByteRange scope = scopeOf(document, token);
  return llvm::any_of(document.names().tokens, [&](const NameToken &other) {
    return scope.begin <= other.bytes.begin && other.bytes.end <= scope.end && nameOf(document, other) == name;
  });
}

llvm::Expected<Value> rename(const OpenDocument &document, Position position, StringRef name) {
  int token = tokenAt(document, position);
  if (token < 0 || document.names().tokens[token].definition < 0)
    return fail("there is no name here that this file defines");
  const NameToken &renamed = document.names().tokens[token];
  StringRef old = nameOf(document, renamed);
  char sigil = old.front();
  name.consume_front(StringRef(&sigil, 1));
  bool isAlias = renamed.kind == NameKind::Alias;
  if (!isName(name) || (isAlias && (name.contains('.') || llvm::isDigit(name.front()))))
    return fail("'" + name.str() + "' is no name: it takes letters, digits, '_', '$'" +
                (isAlias ? "" : ", '.' and '-', and begins with no digit, unless it is a number"));
  std::string whole = std::string(1, sigil) + name.str();
  if (whole == old)
    return Value(nullptr);
  if (isTaken(document, renamed, whole))
    return fail("'" + whole + "' is the name of something else here");
  Array edits;
  for (int other : document.names().occurrencesOf(token))
    edits.push_back(Object{{"range", document.text.rangeOf(document.names().tokens[other].bytes)}, {"newText", whole}});
  return Value(Object{{"changes", Object{{document.uri, std::move(edits)}}}});
}

Array editsTo(const OpenDocument &document, StringRef text) {
  StringRef old = document.text.text();
  size_t most = std::min(old.size(), text.size()), same = 0;
  while (same < most && old[same] == text[same])
    ++same;
  same = old.substr(0, same).rfind('\n') + 1; // npos + 1 is 0
  size_t end = 0;
  while (end < most - same && old[old.size() - 1 - end] == text[text.size() - 1 - end])
    ++end;
  // From the end of a line on.
  while (end > 0 && old[old.size() - end] != '\n')
    --end;
  if (same + end == old.size() && same + end == text.size())
    return {};
  return Array{Object{{"range", document.text.rangeOf({same, old.size() - end})},
                      {"newText", text.slice(same, text.size() - end).str()}}};
}

} // namespace fuselage::lsp

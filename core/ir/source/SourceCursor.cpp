#include "core/ir/source/SourceCursor.h"
#include "core/dialects/tolerant/RawText.h"
#include <cstring>

using llvm::StringRef;

namespace fuselage {

const char *SourceCursor::skipComment(const char *at) const {
  const void *newline = std::memchr(at, '\n', end_ - at);
  return newline ? static_cast<const char *>(newline) : end_;
}

const char *SourceCursor::skipBlanks(const char *at) const {
  for (;;) {
    while (at < end_ && kindOf(*at) == CharKind::Blank)
      ++at;
    if (end_ - at < 2 || at[0] != '/' || at[1] != '/')
      return at;
    at = skipComment(at);
  }
}

const char *SourceCursor::skipString(const char *at) const {
  for (++at; at < end_; ++at) {
    if (*at == '"')
      return at + 1;
    if (*at == '\n')
      return at;
    if (*at == '\\' && at + 1 < end_ && at[1] != '\n')
      ++at;
  }
  return end_;
}

const char *SourceCursor::skipValues(const char *at) const {
  for (;;) {
    at = skipSuffix(at + 1);
    if (peek(at) == ':' || peek(at) == '#')
      at = skipWord(at + 1);
    at = skipBlanks(at);
    if (peek(at) != ',')
      return at;
    const char *next = skipBlanks(at + 1);
    if (peek(next) != '%')
      return next;
    at = next;
  }
}

bool SourceCursor::opensRegion(const char *brace) const {
  const char *p = skipBlanks(brace + 1);
  switch (peek(p)) {
  case '^':
    return true;
  case '"':
    return peek(skipBlanks(skipString(p))) == '(';
  case '%':
    return peek(skipValues(p)) == '=';
  default:
    break;
  }
  if (p >= end_ || kindOf(*p) != CharKind::Word)
    return false;
  StringRef word(p, skipWord(p) - p);
  char next = peek(skipBlanks(word.end()));
  if (next == '=' || next == ',' || word == "ro" || word == "rw" || word == "wo")
    return false;
  return next != '}' || isLoneTerminator(word);
}

} // namespace fuselage

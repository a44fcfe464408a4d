#include "core/dialects/tolerant/RawText.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringSwitch.h"

using llvm::StringRef;

namespace fuselage {

const char *skipSpace(const char *c) {
  for (;;) {
    while (isSpace(*c))
      ++c;
    if (c[0] != '/' || c[1] != '/')
      return c;
    while (*c && *c != '\n')
      ++c;
  }
}

StringRef wordAt(const char *c) {
  if (!isLetter(*c))
    return {};
  const char *begin = c;
  while (isWordChar(*c))
    ++c;
  return {begin, static_cast<size_t>(c - begin)};
}

const char *endOfName(const char *c) {
  if (*c)
    ++c;
  if (*c == '"')
    return endOfString(c);
  while (isNameChar(*c))
    ++c;
  return c;
}

const char *endOfString(const char *c) {
  for (++c; *c && *c != '\n'; ++c) {
    if (*c == '"')
      return c + 1;
    if (*c == '\\' && c[1] && c[1] != '\n')
      ++c;
  }
  return c;
}

const char *endOfBracket(const char *c) {
  llvm::SmallVector<char, 16> open;
  for (; *c;) {
    switch (*c) {
    case '"':
      c = endOfString(c);
      continue;
    case '/':
      if (c[1] == '/') {
        c = skipSpace(c);
        continue;
      }
      break;
    case '-':
    case '=':
      if (c[1] == '>')
        ++c;
      break;
    case '(':
      open.push_back(')');
      break;
    case '[':
      open.push_back(']');
      break;
    case '{':
      open.push_back('}');
      break;
    case '<':
      open.push_back('>');
      break;
    case '>':
      if (!open.empty() && open.back() == '>')
        open.pop_back();
      break;
    case ')':
    case ']':
    case '}':
      // A '<' that is no bracket has no partner.
      while (!open.empty() && open.back() == '>' && open.size() > 1)
        open.pop_back();
      if (open.empty() || open.back() != *c)
        return nullptr;
      open.pop_back();
      break;
    default:
      break;
    }
    ++c;
    if (open.empty())
      return c;
  }
  return nullptr;
}

bool startsLine(const char *begin, const char *c) {
  while (c > begin && (c[-1] == ' ' || c[-1] == '\t' || c[-1] == '\r'))
    --c;
  return c == begin || c[-1] == '\n';
}

unsigned indentOf(const char *begin, const char *c) {
  const char *text = c;
  while (text > begin && (text[-1] == ' ' || text[-1] == '\t'))
    --text;
  if (text == begin || text[-1] == '\n')
    return c - text;
  // There is text in front: a search for the start of the line would take ages where that is far.
  text = begin;
  while (*text == ' ' || *text == '\t')
    ++text;
  return text - begin;
}

bool startsFloat(const char *c) {
  if (*c == '-')
    ++c;
  if (c[0] == '0' && c[1] == 'x')
    return false;
  while (isDigit(*c))
    ++c;
  return *c == '.';
}

bool startsResultList(const char *c) {
  for (;;) {
    if (*c != '%')
      return false;
    c = endOfName(c);
    if (*c == ':')
      for (++c; isDigit(*c);)
        ++c;
    c = skipSpace(c);
    if (*c == '=')
      return c[1] != '=' && c[1] != '>';
    if (*c != ',')
      return false;
    c = skipSpace(c + 1);
  }
}

bool startsBuiltinType(const char *c) {
  StringRef word = wordAt(c);
  if (word.empty())
    return false;
  if (llvm::StringSwitch<bool>(word)
          .Cases({"index", "none", "bf16", "f16", "f32", "f64", "f80", "f128", "tf32"}, true)
          .Default(false))
    return true;
  if (c[word.size()] == '<')
    return llvm::StringSwitch<bool>(word)
        .Cases({"tensor", "memref", "vector", "complex", "tuple"}, true)
        .Default(false);
  if (word.starts_with("f8E") || word.starts_with("f6E") || word.starts_with("f4E"))
    return true;
  (void)(word.consume_front("si") || word.consume_front("ui") || word.consume_front("i"));
  return word.data() != c && !word.empty() && llvm::all_of(word, isDigit);
}

bool mentionsAlias(StringRef text) {
  for (size_t i = 0; i + 1 < text.size(); ++i) {
    if (text[i] == '"') {
      i = text.find('"', i + 1);
      if (i == StringRef::npos)
        return false;
      continue;
    }
    // `%0#1` is a value; `4x!alias` is not one.
    bool isSign = text[i] == '!' || (text[i] == '#' && (i == 0 || !isNameChar(text[i - 1])));
    if (!isSign || !isLetter(text[i + 1]))
      continue;
    size_t end = i + 1;
    while (end < text.size() && isNameChar(text[end]) && text[end] != '.')
      ++end;
    if (end == text.size() || (text[end] != '.' && text[end] != '<'))
      return true;
  }
  return false;
}

bool looksLikeTerminator(StringRef opName) {
  StringRef last = opName.contains('.') ? opName.rsplit('.').second : opName;
  for (StringRef word : {"return", "yield", "terminator", "unreachable", "end"})
    if (last == word || (last.consume_back(word) && last.ends_with("_")))
      return true;
  return false;
}

bool isLoneTerminator(StringRef word) {
  return word.contains('.') ? looksLikeTerminator(word) : word == "return" || word == "unreachable";
}

std::string joinLines(StringRef text) {
  std::string joined;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (c == '"') {
      size_t end = i + 1;
      while (end < text.size() && text[end] != '"')
        end += text[end] == '\\' ? 2 : 1;
      joined += text.slice(i, end + 1);
      i = end;
      continue;
    }
    if (c == '/' && i + 1 < text.size() && text[i + 1] == '/') {
      while (i + 1 < text.size() && text[i + 1] != '\n')
        ++i;
      continue;
    }
    if (c != '\n') {
      joined += c;
      continue;
    }
    while (!joined.empty() && isSpace(joined.back()))
      joined.pop_back();
    while (i + 1 < text.size() && isSpace(text[i + 1]))
      ++i;
    bool isInside = !joined.empty() && !StringRef("<([{").contains(joined.back()) && i + 1 < text.size() &&
                    !StringRef(">)]}").contains(text[i + 1]);
    if (isInside)
      joined += ' ';
  }
  return joined;
}

} // namespace fuselage

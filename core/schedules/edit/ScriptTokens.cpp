#include "core/schedules/edit/ScriptTokens.h"
#include "llvm/ADT/StringExtras.h"

namespace fuselage {

using Kind = ScriptToken::Kind;

static bool isName(char c) { return llvm::isAlnum(c) || c == '_' || c == '.' || c == '$'; }

static Kind kindOfSigil(char c) {
  return c == '%'   ? Kind::Value
         : c == '@' ? Kind::Symbol
         : c == '!' ? Kind::Type
         : c == '#' ? Kind::Attribute
                    : Kind::Block;
}

/// The end of the string that begins at `at`; its line's end where it has no second quote.
static size_t endOfString(llvm::StringRef text, size_t at, bool &isClosed) {
  for (++at; at < text.size() && text[at] != '\n'; ++at) {
    if (text[at] == '\\')
      ++at;
    else if (text[at] == '"')
      return at + 1;
  }
  isClosed = false;
  return std::min(at, text.size());
}

ScriptTokens tokenizeScript(llvm::StringRef text) {
  ScriptTokens result;
  bool beginsLine = true;
  for (size_t at = 0; at < text.size();) {
    char c = text[at];
    if (c == '\n' || llvm::isSpace(c)) {
      beginsLine |= c == '\n';
      ++at;
      continue;
    }
    if (text.substr(at).starts_with("//")) {
      at = std::min(text.find('\n', at), text.size());
      result.endsInComment = at == text.size();
      continue;
    }
    ScriptToken token{.kind = Kind::Punctuation, .text = {}, .begin = at, .beginsLine = beginsLine};
    size_t end = at + 1;
    auto skipName = [&] {
      while (end < text.size() && isName(text[end]))
        ++end;
    };
    if (llvm::StringRef("%@!#^").contains(c)) {
      token.kind = kindOfSigil(c);
      if (c == '@' && end < text.size() && text[end] == '"')
        end = endOfString(text, end, token.isClosed);
      else
        skipName();
      if (c == '%' && end + 1 < text.size() && text[end] == '#' && llvm::isDigit(text[end + 1])) {
        ++end;
        skipName();
      }
    } else if (c == '"') {
      token.kind = Kind::String;
      end = endOfString(text, at, token.isClosed);
    } else if (llvm::isAlpha(c) || c == '_') {
      token.kind = Kind::Word;
      skipName();
    } else if (llvm::isDigit(c)) {
      token.kind = Kind::Number;
      skipName();
    } else if (c == '-' && end < text.size() && text[end] == '>') {
      token.kind = Kind::Arrow;
      ++end;
    }
    token.text = text.slice(at, end);
    result.tokens.push_back(token);
    beginsLine = false;
    at = end;
  }
  return result;
}

} // namespace fuselage

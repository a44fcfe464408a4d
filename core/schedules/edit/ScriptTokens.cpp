#include "core/schedules/edit/ScriptTokens.h"
#include "core/text/MlirLexer.h"

namespace fuselage {

static ScriptToken::Kind kindOf(MlirToken::Kind kind) {
  using Kind = ScriptToken::Kind;
  switch (kind) {
  case MlirToken::Kind::String:
    return Kind::String;
  case MlirToken::Kind::Value:
    return Kind::Value;
  case MlirToken::Kind::Block:
    return Kind::Block;
  case MlirToken::Kind::Symbol:
    return Kind::Symbol;
  case MlirToken::Kind::Type:
    return Kind::Type;
  case MlirToken::Kind::Attribute:
    return Kind::Attribute;
  case MlirToken::Kind::Number:
  case MlirToken::Kind::Shape:
    return Kind::Number;
  case MlirToken::Kind::Word:
    return Kind::Word;
  case MlirToken::Kind::Arrow:
    return Kind::Arrow;
  case MlirToken::Kind::Blank:
  case MlirToken::Kind::Comment:
  case MlirToken::Kind::Punctuation:
    break;
  }
  return Kind::Punctuation;
}

ScriptTokens tokenizeScript(llvm::StringRef text) {
  ScriptTokens result;
  bool beginsLine = true;
  for (size_t at = 0; at < text.size();) {
    MlirToken token = nextMlirToken(std::string_view(text), at);
    at = token.end;
    llvm::StringRef piece = text.slice(token.begin, token.end);
    if (token.kind == MlirToken::Kind::Blank) {
      beginsLine |= piece.contains('\n');
      continue;
    }
    result.endsInComment = token.kind == MlirToken::Kind::Comment;
    if (result.endsInComment)
      continue;
    result.tokens.push_back({.kind = kindOf(token.kind),
                             .text = piece,
                             .begin = token.begin,
                             .beginsLine = beginsLine,
                             .isClosed = token.isClosed});
    beginsLine = false;
  }
  return result;
}

} // namespace fuselage

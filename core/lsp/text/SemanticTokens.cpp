#include "core/lsp/text/SemanticTokens.h"
#include "core/text/MlirLexer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include <optional>

namespace fuselage::lsp {

using llvm::StringRef;
using TokenKind = MlirToken::Kind;

static TokenType typeOf(NameKind kind) {
  switch (kind) {
  case NameKind::Value:
    return TokenType::Variable;
  case NameKind::Argument:
    return TokenType::Parameter;
  case NameKind::Block:
    return TokenType::Event;
  case NameKind::Symbol:
    return TokenType::Function;
  case NameKind::Alias:
    return TokenType::Macro;
  }
  return TokenType::Variable;
}

static bool isBuiltinType(StringRef word) {
  bool isNumber = word.size() > 1 && (word.front() == 'i' || word.front() == 'f') && !word.drop_front().empty() &&
                  llvm::all_of(word.drop_front(), llvm::isDigit);
  return isNumber ||
         llvm::StringSwitch<bool>(word)
             .Cases({"index", "none", "bf16", "tf32", "tensor", "memref", "vector", "tuple", "complex"}, true)
             .Default(word.starts_with("f8E") || word.starts_with("f6E") || word.starts_with("f4E") ||
                      word.starts_with("si") || word.starts_with("ui"));
}

static std::optional<TokenType> typeOf(const MlirToken &token, StringRef text) {
  StringRef word = text.slice(token.begin, token.end);
  switch (token.kind) {
  case TokenKind::Comment:
    return TokenType::Comment;
  case TokenKind::String:
    return text.substr(token.end).ltrim().starts_with("(") ? TokenType::Method : TokenType::String;
  case TokenKind::Type:
  case TokenKind::Shape:
    return TokenType::Type;
  case TokenKind::Attribute:
    return TokenType::Macro;
  case TokenKind::Number:
    return TokenType::Number;
  case TokenKind::Word:
    return isBuiltinType(word) ? TokenType::Type : word.contains('.') ? TokenType::Method : TokenType::Keyword;
  default:
    return std::nullopt;
  }
}

std::vector<SemanticToken> findSemanticTokens(StringRef text, const NameScopes &names, ByteRange range) {
  std::vector<SemanticToken> found;
  auto name = llvm::lower_bound(names.tokens, range.begin,
                                [](const NameToken &token, size_t at) { return token.bytes.end <= at; });
  std::string_view all(text.data(), text.size());
  for (size_t at = range.begin; at < std::min(range.end, text.size());) {
    MlirToken token = nextMlirToken(all, at);
    at = token.end;
    while (name != names.tokens.end() && name->bytes.end <= token.begin)
      ++name;
    if (name != names.tokens.end() && name->bytes.begin == token.begin) {
      bool isDefinition = name->definition == name - names.tokens.begin();
      // What uses an argument is one, too.
      NameKind kind = name->definition >= 0 ? names.tokens[name->definition].kind : name->kind;
      found.push_back({name->bytes, typeOf(kind), isDefinition});
    } else if (std::optional<TokenType> type = typeOf(token, text)) {
      found.push_back({{token.begin, token.end}, *type, false});
    }
  }
  return found;
}

std::vector<int> packTokens(const TextBuffer &text, llvm::ArrayRef<SemanticToken> tokens) {
  std::vector<int> packed;
  int line = 0;
  size_t before = 0; // a place on that line: its columns are not counted from the start again, lines may be long
  for (const SemanticToken &token : tokens) {
    int own = text.lineOf(token.bytes.begin);
    if (own != line)
      before = text.bytesOfLine(own).begin;
    int columns = text.columnsBetween(before, token.bytes.begin);
    packed.insert(packed.end(), {own - line, columns, text.columnsBetween(token.bytes.begin, token.bytes.end),
                                 static_cast<int>(token.type), token.isDefinition});
    line = own;
    before = token.bytes.begin;
  }
  return packed;
}

} // namespace fuselage::lsp

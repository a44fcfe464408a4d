// The words of a text by what they are, for colors in an editor.
#pragma once
#include "core/lsp/text/NameScopes.h"

namespace fuselage::lsp {

/// The names in LSP, by number. Blocks are events, aliases of attributes macros, ops methods: LSP has no names of its
/// own for these.
inline constexpr const char *tokenTypes[] = {"variable", "parameter", "function", "event",  "macro",  "type",
                                             "method",   "keyword",   "number",   "string", "comment"};
enum class TokenType { Variable, Parameter, Function, Event, Macro, Type, Method, Keyword, Number, String, Comment };
inline constexpr const char *tokenModifiers[] = {"definition"};

struct SemanticToken {
  ByteRange bytes; ///< on one line
  TokenType type = TokenType::Variable;
  bool isDefinition = false;
};

/// Of the bytes [range.begin, range.end), in order.
std::vector<SemanticToken> findSemanticTokens(llvm::StringRef text, const NameScopes &names, ByteRange range);

/// As LSP packs them: five numbers a token, lines and columns as differences to the token before.
std::vector<int> packTokens(const TextBuffer &text, llvm::ArrayRef<SemanticToken> tokens);

} // namespace fuselage::lsp

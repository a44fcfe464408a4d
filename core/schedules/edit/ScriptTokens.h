// The words of a transform script, also of one that does not parse yet.
#pragma once
#include "llvm/ADT/StringRef.h"
#include <vector>

namespace fuselage {

struct ScriptToken {
  enum class Kind { Word, Value, Symbol, Type, Attribute, Block, String, Number, Arrow, Punctuation };
  Kind kind = Kind::Punctuation;
  llvm::StringRef text;    ///< with its sigil or quotes
  size_t begin = 0;        ///< in the whole text
  bool beginsLine = false; ///< only blanks are before it
  bool isClosed = true;    ///< a string has its second quote

  size_t end() const { return begin + text.size(); }
  bool is(llvm::StringRef what) const { return text == what; }
};

struct ScriptTokens {
  std::vector<ScriptToken> tokens;
  bool endsInComment = false;
};

/// A string ends with its line at the latest. `text` has to outlive the tokens.
ScriptTokens tokenizeScript(llvm::StringRef text);

} // namespace fuselage

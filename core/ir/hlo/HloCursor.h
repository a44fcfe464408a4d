// Tokens of HLO text. Internal to core/ir/hlo.
#pragma once
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>
#include <string>

namespace fuselage::hlo {

/// Reads a text from left to right. Every function first skips blanks and comments (`/*index=5*/`, `// ..`) and, if
/// what it looks for is not next, takes nothing more.
class Cursor {
public:
  explicit Cursor(llvm::StringRef text) : text_(text) {}

  size_t offset() const { return at_; }
  bool atEnd();
  /// The next character; 0 at the end.
  char peek();
  bool isNext(llvm::StringRef word) { return peek() && text_.drop_front(at_).starts_with(word); }
  bool consume(char c);
  bool consume(llvm::StringRef text);
  /// A keyword, which ends where a word does.
  bool consumeWord(llvm::StringRef word);

  /// Letters, digits, '_', '-' and '.', as in names and opcodes; empty: none is next.
  llvm::StringRef word();
  /// The same after an optional '%'.
  llvm::StringRef name();
  /// Digits, perhaps after a '-'.
  std::optional<int64_t> number();
  /// The text between a bracket and its partner, both included, with brackets of all kinds and strings inside;
  /// nullopt: it has none. No other kind of bracket than `open` is looked for.
  std::optional<llvm::StringRef> bracketed(char open);
  /// A bracket that stands right here, without blanks before it.
  bool isAdjacent(char open) const { return at_ < text_.size() && text_[at_] == open; }
  /// The value of an attribute: up to a comma, a blank or a bracket that closes what is around it.
  llvm::StringRef value();
  /// The rest of the line.
  llvm::StringRef line();

private:
  void skipBlanks();
  size_t endOfString(size_t begin) const;
  std::optional<size_t> endOfBracket(size_t begin) const;

  llvm::StringRef text_;
  size_t at_ = 0;
};

/// A string without its quotes and escapes; what is no string, as it is.
std::string unquoted(llvm::StringRef text);

} // namespace fuselage::hlo

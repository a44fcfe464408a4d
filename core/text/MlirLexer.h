// The tokens of MLIR text, one at a time, also of text that does not parse. Free of LLVM and Qt.
#pragma once
#include <algorithm>
#include <cstddef>
#include <string_view>
#include <type_traits>

namespace fuselage {

/// Characters by what MLIR's names and numbers are made of, in UTF-8 as in UTF-16.
namespace mlir_text {

template <class Char> constexpr bool isBlank(Char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f' || c == '\v';
}
template <class Char> constexpr bool isDigit(Char c) { return c >= '0' && c <= '9'; }
template <class Char> constexpr bool isHexDigit(Char c) {
  return isDigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}
template <class Char> constexpr bool isLetter(Char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
/// A character of an op name or keyword after the first.
template <class Char> constexpr bool isWord(Char c) { return isLetter(c) || isDigit(c) || c == '$' || c == '.'; }
/// A character of a value, block, symbol or alias name.
template <class Char> constexpr bool isName(Char c) { return isWord(c) || c == '-'; }
/// A part of a character that ASCII has not: such are never cut.
template <class Char> constexpr bool isBeyondAscii(Char c) {
  return static_cast<std::make_unsigned_t<Char>>(c) >= 0x80;
}

} // namespace mlir_text

struct MlirToken {
  enum class Kind {
    Blank,       ///< spaces, tabs and ends of lines, as many as there are
    Comment,     ///< `// ..`, to the end of the line
    String,      ///< with its quotes; ends with its line at the latest
    Value,       ///< `%name`, `%name#3`
    Block,       ///< `^name`
    Symbol,      ///< `@name`, `@"name"`
    Type,        ///< `!name`
    Attribute,   ///< `#name`
    Number,      ///< `12`, `-1.5e-3`, `0xFF`
    Shape,       ///< `128x768xf32`, `4x?xi8`
    Word,        ///< an op name, a keyword, a builtin type
    Arrow,       ///< `->`
    Punctuation, ///< any other character
  };
  Kind kind = Kind::Punctuation;
  size_t begin = 0, end = 0; ///< in characters of the text
  bool isClosed = true;      ///< of a string, and of a symbol that is one: it has its second quote
};

namespace mlir_text {

/// Looks at one token. Every look ends with the text.
template <class Char> class TokenReader {
public:
  TokenReader(std::basic_string_view<Char> text, size_t at) : text_(text), at_(at) { token_.begin = at; }

  MlirToken read() {
    token_.kind = readKind();
    token_.end = at_;
    return token_;
  }

private:
  using Kind = MlirToken::Kind;
  Char peek(size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : Char(); }
  template <class Test> void skip(Test test) {
    while (at_ < text_.size() && test(text_[at_]))
      ++at_;
  }
  static bool isAlphanumeric(Char c) { return (isLetter(c) && c != '_') || isDigit(c) || isBeyondAscii(c); }
  static bool isPart(Char c) { return isWord(c) || isBeyondAscii(c); }
  /// A dash belongs to a name before another letter or digit: "->" is an arrow.
  void skipName() {
    while (isPart(peek()) || (peek() == '-' && isAlphanumeric(peek(1))))
      ++at_;
  }
  void skipString() {
    for (++at_; at_ < text_.size() && text_[at_] != '\n'; ++at_) {
      if (text_[at_] == '"') {
        ++at_;
        return;
      }
      if (text_[at_] == '\\' && peek(1) != '\n')
        ++at_;
    }
    at_ = std::min(at_, text_.size());
    token_.isClosed = false;
  }

  Kind readKind() {
    const Char c = peek();
    if (isBlank(c)) {
      skip(isBlank<Char>);
      return Kind::Blank;
    }
    if (c == '/' && peek(1) == '/') {
      skip([](Char c) { return c != '\n'; });
      return Kind::Comment;
    }
    if (c == '"') {
      skipString();
      return Kind::String;
    }
    if (c == '%' || c == '^' || c == '@' || c == '!' || c == '#')
      return readSigil();
    if (isDigit(c) || (c == '-' && isDigit(peek(1))))
      return readNumber();
    if (isLetter(c) || isBeyondAscii(c)) {
      skipName();
      return Kind::Word;
    }
    at_ += c == '-' && peek(1) == '>' ? 2 : 1;
    return at_ - token_.begin == 2 ? Kind::Arrow : Kind::Punctuation;
  }

  Kind readSigil() {
    const Char sigil = text_[at_++];
    if (sigil == '@' && peek() == '"')
      skipString();
    else
      skipName();
    if (sigil == '%' && peek() == '#' && isDigit(peek(1))) {
      ++at_;
      skip(isDigit<Char>);
    }
    return sigil == '%'   ? Kind::Value
           : sigil == '^' ? Kind::Block
           : sigil == '@' ? Kind::Symbol
           : sigil == '!' ? Kind::Type
                          : Kind::Attribute;
  }

  Kind readNumber() {
    if (peek() == '0' && peek(1) == 'x' && isHexDigit(peek(2))) {
      at_ += 2;
      skip(isAlphanumeric);
      return Kind::Number;
    }
    ++at_; // a digit or the sign
    skip(isDigit<Char>);
    auto isOfShape = [](Char c) { return isAlphanumeric(c) || c == '?' || c == '*'; };
    if (peek() == 'x' && isOfShape(peek(1))) {
      skip(isOfShape);
      return Kind::Shape;
    }
    if (peek() == '.' && isDigit(peek(1))) {
      ++at_;
      skip(isDigit<Char>);
    }
    const size_t sign = peek(1) == '-' || peek(1) == '+';
    if ((peek() == 'e' || peek() == 'E') && isDigit(peek(1 + sign))) {
      at_ += 1 + sign;
      skip(isDigit<Char>);
    }
    return Kind::Number;
  }

  std::basic_string_view<Char> text_;
  size_t at_;
  MlirToken token_;
};

} // namespace mlir_text

/// The token at `at`, which is less than the length of the text. Tokens follow each other without gaps.
template <class Char> MlirToken nextMlirToken(std::basic_string_view<Char> text, size_t at) {
  return mlir_text::TokenReader<Char>(text, at).read();
}

} // namespace fuselage

// Looking ahead in a text that may be anything. Every look ends with the text.
#pragma once
#include "core/text/MlirLexer.h"
#include "llvm/ADT/StringRef.h"
#include <array>
#include <cstdint>

namespace fuselage {

enum class CharKind : uint8_t { Other, Blank, Word, Digit };

/// What each byte starts or continues; word bytes are those of MLIR's bare identifiers.
constexpr std::array<CharKind, 256> makeCharKinds() {
  std::array<CharKind, 256> kinds{};
  for (unsigned c = 0; c < 0x80; ++c)
    kinds[c] = mlir_text::isBlank(c)   ? CharKind::Blank
               : mlir_text::isDigit(c) ? CharKind::Digit
               : mlir_text::isWord(c)  ? CharKind::Word
                                       : CharKind::Other;
  return kinds;
}
inline constexpr std::array<CharKind, 256> kCharKinds = makeCharKinds();

inline CharKind kindOf(char c) { return kCharKinds[static_cast<unsigned char>(c)]; }
inline bool isWordByte(char c) { return kindOf(c) >= CharKind::Word; }
/// Suffix ids (`%a-b`, `@x-y`, `#n-1`) may hold a '-', too.
inline bool isSuffixByte(char c) { return isWordByte(c) || c == '-'; }

/// The bounds of a text, and what stands at a place in it.
class SourceCursor {
public:
  explicit SourceCursor(llvm::StringRef text) : begin_(text.begin()), end_(text.end()) {}

  const char *begin() const { return begin_; }
  const char *end() const { return end_; }
  uint32_t offset(const char *at) const { return static_cast<uint32_t>(at - begin_); }
  char peek(const char *at) const { return at < end_ ? *at : '\0'; }

  /// After the blanks and comments at `at`.
  const char *skipBlanks(const char *at) const;
  const char *skipComment(const char *at) const;
  /// After the string that starts at `at`; a string ends with its line.
  const char *skipString(const char *at) const;
  const char *skipWord(const char *at) const {
    while (at < end_ && isWordByte(*at))
      ++at;
    return at;
  }
  const char *skipSuffix(const char *at) const {
    while (at < end_ && isSuffixByte(*at))
      ++at;
    return at;
  }
  /// After the list of values at `at`, `%a, %b:2, %c#1`, and the blanks that follow it.
  const char *skipValues(const char *at) const;

  /// Whether the brace opens a region, by what stands after it: a block label, a result list, an op
  /// name that is no key of a dictionary (`key = `, `key,`, `key}`), a quoted op's `"name"(`. An empty
  /// pair is called no region; nothing stands in it. Sizes `{%d0, %d1}` are none, nor are the operand
  /// lists `{ro %a...}` of the stream dialect.
  bool opensRegion(const char *brace) const;

private:
  const char *begin_, *end_;
};

} // namespace fuselage

// Text that may hold anything, made fit for terminals and files that others read. Free of LLVM.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace fuselage {

/// How a character is spelled out: `\1B` as in strings of MLIR, or `\u001b` as in those of JSON.
enum class Spelling { Mlir, Json };

namespace printable_text {

/// A character of UTF-8, or a byte that is none.
struct Character {
  uint32_t code = 0;
  unsigned bytes = 1;
  bool isValid = false;
};

inline bool isContinuation(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

/// So many bytes a character has that begins with this one; 0: none does.
inline unsigned bytesAfter(char first) {
  auto byte = static_cast<unsigned char>(first);
  return byte < 0x80 ? 1 : byte < 0xc2 ? 0 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : byte < 0xf5 ? 4 : 0;
}

inline Character first(std::string_view text) {
  unsigned bytes = bytesAfter(text[0]);
  if (bytes == 0 || text.size() < bytes)
    return {};
  if (bytes == 1)
    return {static_cast<unsigned char>(text[0]), 1, true};
  uint32_t code = static_cast<unsigned char>(text[0]) & (0x7f >> bytes);
  for (char c : text.substr(1, bytes - 1)) {
    if (!isContinuation(c))
      return {};
    code = code << 6 | (static_cast<unsigned char>(c) & 0x3f);
  }
  constexpr uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  bool isSurrogate = code >= 0xd800 && code <= 0xdfff;
  return code < least[bytes] || code > 0x10ffff || isSurrogate ? Character{} : Character{code, bytes, true};
}

/// Whether terminals obey it, text around it is shown in another order for it, or it is no character.
inline bool isSpelledOut(uint32_t code) {
  bool isControl = (code < 0x20 && code != '\n' && code != '\t') || (code >= 0x7f && code < 0xa0);
  bool isDirection = code == 0x61c || code == 0x200e || code == 0x200f || (code >= 0x202a && code <= 0x202e) ||
                     (code >= 0x2066 && code <= 0x2069);
  bool endsLine = code == 0x2028 || code == 0x2029;
  return isControl || isDirection || endsLine || (code & 0xfffe) == 0xfffe;
}

inline void spellOut(const Character &character, std::string_view bytes, Spelling spelling, std::string &out) {
  constexpr char mlirDigits[] = "0123456789ABCDEF", jsonDigits[] = "0123456789abcdef";
  if (spelling == Spelling::Mlir) {
    for (char c : bytes) {
      auto byte = static_cast<unsigned char>(c);
      out += {'\\', mlirDigits[byte >> 4], mlirDigits[byte & 15]};
    }
    return;
  }
  uint32_t code = character.isValid && character.code < 0x10000 ? character.code : 0xfffd;
  out += "\\u";
  for (int shift = 12; shift >= 0; shift -= 4)
    out += jsonDigits[code >> shift & 15];
}

/// Characters at the front that stand for themselves, and are a byte each.
inline size_t countPlain(std::string_view text) {
  constexpr size_t block = 64; // looked at as a whole, which the compiler does in vectors
  auto isPlain = [](char c) { return (c >= ' ' && c < 0x7f) || c == '\n' || c == '\t'; };
  size_t count = 0;
  for (; count + block <= text.size(); count += block) {
    bool isAll = true;
    for (size_t at = count; at < count + block; ++at)
      isAll &= isPlain(text[at]);
    if (!isAll)
      break;
  }
  while (count < text.size() && isPlain(text[count]))
    ++count;
  return count;
}

} // namespace printable_text

/// The text with every character spelled out that a terminal obeys or that makes readers see another text than there
/// is: control characters but for ends of lines and tabs, marks of direction, Unicode's ends of lines, what is no
/// character, and bytes that are no UTF-8.
inline std::string printable(std::string_view text, Spelling spelling = Spelling::Mlir) {
  std::string out;
  out.reserve(text.size());
  for (;;) {
    size_t plain = printable_text::countPlain(text);
    out += text.substr(0, plain);
    text.remove_prefix(plain);
    if (text.empty())
      return out;
    printable_text::Character character = printable_text::first(text);
    std::string_view bytes = text.substr(0, character.bytes);
    if (character.isValid && !printable_text::isSpelledOut(character.code))
      out += bytes;
    else
      printable_text::spellOut(character, bytes, spelling, out);
    text.remove_prefix(character.bytes);
  }
}

/// The same for a text that is not needed any more: most are printable as they are.
inline std::string madePrintable(std::string text, Spelling spelling = Spelling::Mlir) {
  if (printable_text::countPlain(text) == text.size())
    return text;
  return printable(text, spelling);
}

/// Makes text printable that comes in pieces, which may end within a character. Holds no pointers, so that processes
/// can share one.
class PrintablePieces {
public:
  std::string next(std::string_view piece) {
    std::string text(begun_, count_);
    text += piece;
    count_ = 0;
    size_t end = text.size();
    for (size_t back = 1; back <= sizeof begun_ && back <= text.size(); ++back)
      if (char c = text[text.size() - back]; !printable_text::isContinuation(c)) {
        end -= printable_text::bytesAfter(c) > back ? back : 0;
        break;
      }
    for (char c : std::string_view(text).substr(end))
      begun_[count_++] = c;
    return printable(std::string_view(text).substr(0, end));
  }
  /// What was kept back, as nothing follows.
  std::string last() {
    std::string text = printable(std::string_view(begun_, count_));
    count_ = 0;
    return text;
  }

private:
  char begun_[3] = {};
  unsigned char count_ = 0;
};

} // namespace fuselage

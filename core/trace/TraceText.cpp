#include "core/trace/TraceText.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ConvertUTF.h"
#include <algorithm>

namespace fuselage {

bool TraceText::fail(const std::string &what) {
  if (failed())
    return false;
  isCut_ = at_ >= text_.size();
  llvm::StringRef before = text_.take_front(at_);
  size_t line = before.count('\n') + 1, column = at_ - (before.rfind('\n') + 1) + 1;
  error_ = "line " + std::to_string(line) + ", column " + std::to_string(column) + " (byte " + std::to_string(at_) +
           "): " + (isCut_ ? "the file ends too early: " : "") + what;
  return false;
}

char TraceText::peek() {
  while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t' || text_[at_] == '\r'))
    ++at_;
  return at_ < text_.size() && !failed() ? text_[at_] : '\0';
}

bool TraceText::take(char wanted) {
  if (peek() != wanted)
    return false;
  ++at_;
  return true;
}

bool TraceText::expect(char wanted) { return take(wanted) || fail(std::string("expected '") + wanted + "'"); }

bool TraceText::readHex(unsigned &code) {
  if (text_.size() - at_ < 4) {
    at_ = text_.size();
    return fail("four digits belong after \\u");
  }
  if (text_.substr(at_, 4).getAsInteger(16, code))
    return fail("four digits belong after \\u");
  at_ += 4;
  return true;
}

/// After the backslash.
bool TraceText::readEscape(std::string &value) {
  if (at_ >= text_.size())
    return fail("a string has no end");
  constexpr llvm::StringLiteral letters = "\"\\/bfnrt", meanings = "\"\\/\b\f\n\r\t";
  const char letter = text_[at_++];
  if (size_t which = letters.find(letter); which != llvm::StringRef::npos) {
    value += meanings[which];
    return true;
  }
  unsigned code = 0, low = 0;
  if (letter != 'u')
    return fail("no escape of JSON begins so");
  if (!readHex(code))
    return false;
  if (code >= 0xd800 && code < 0xdc00 && text_.substr(at_).consume_front("\\u")) {
    at_ += 2;
    if (!readHex(low))
      return false;
    code = low >= 0xdc00 && low < 0xe000 ? 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00) : 0xfffd;
  } else if (code >= 0xd800 && code < 0xe000) {
    code = 0xfffd; // half of a pair
  }
  char bytes[UNI_MAX_UTF8_BYTES_PER_CODE_POINT], *end = bytes;
  if (llvm::ConvertCodePointToUTF8(code, end))
    value.append(bytes, end);
  return true;
}

bool TraceText::readString(std::string &value) {
  value.clear();
  if (!expect('"'))
    return false;
  while (at_ < text_.size()) {
    size_t end = text_.find_first_of("\"\\", at_);
    value += text_.slice(at_, end);
    at_ = std::min(end, text_.size());
    if (at_ == text_.size())
      break;
    if (text_[at_++] == '"')
      return true;
    if (!readEscape(value))
      return false;
  }
  return fail("a string has no end");
}

bool TraceText::readNumber(double &value) {
  const char first = peek();
  if (first != '-' && !llvm::isDigit(first))
    return fail("expected a number");
  size_t end = at_;
  while (end < text_.size() && (llvm::isDigit(text_[end]) || llvm::is_contained({'+', '-', '.', 'e', 'E'}, text_[end])))
    ++end;
  llvm::StringRef number = text_.slice(at_, end);
  if (number.getAsDouble(value))
    return fail("'" + number.take_front(40).str() + "' is no number");
  at_ = end;
  return true;
}

bool TraceText::skipWord(llvm::StringRef word) {
  llvm::StringRef rest = text_.substr(at_);
  if (!rest.starts_with(word)) {
    if (word.starts_with(rest)) // it is cut
      at_ = text_.size();
    return fail("expected a value");
  }
  at_ += word.size();
  return true;
}

/// A value that is no array and no object.
bool TraceText::skipScalar() {
  std::string text;
  double number = 0;
  switch (const char next = peek()) {
  case '"':
    return readString(text);
  case 't':
    return skipWord("true");
  case 'f':
    return skipWord("false");
  case 'n':
    return skipWord("null");
  default:
    return next == '-' || llvm::isDigit(next) ? readNumber(number) : fail("expected a value");
  }
}

/// Where the innermost of the open arrays and objects begins or goes on: the key, if it is an object.
bool TraceText::skipKey(char closing) {
  std::string key;
  return closing == ']' || (readString(key) && expect(':'));
}

bool TraceText::skipValue() {
  constexpr size_t deepest = 100;
  std::string open; // what closes the arrays and objects around the place
  do {
    if (const char next = peek(); next == '{' || next == '[') {
      ++at_;
      open += next == '{' ? '}' : ']';
      if (open.size() > deepest)
        return fail("values are nested more than " + std::to_string(deepest) + " deep");
      if (peek() != open.back()) {
        if (!skipKey(open.back()))
          return false;
        continue; // with its first value
      }
    } else if (!skipScalar()) {
      return false;
    }
    while (!open.empty() && take(open.back()))
      open.pop_back();
    if (!open.empty() && !(expect(',') && skipKey(open.back())))
      return false;
  } while (!open.empty());
  return true;
}

} // namespace fuselage

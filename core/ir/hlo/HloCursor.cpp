#include "core/ir/hlo/HloCursor.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

using llvm::StringRef;

namespace fuselage::hlo {

static bool isBlank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
static bool isWordChar(char c) { return llvm::isAlnum(c) || c == '_' || c == '-' || c == '.'; }

/// The bracket that closes `open`; 0: it opens nothing.
static char closing(char open) { return open == '(' ? ')' : open == '[' ? ']' : open == '{' ? '}' : 0; }

void Cursor::skipBlanks() {
  for (;;) {
    while (at_ < text_.size() && isBlank(text_[at_]))
      ++at_;
    StringRef rest = text_.drop_front(at_);
    if (rest.starts_with("/*")) {
      size_t end = rest.find("*/", 2);
      at_ = end == StringRef::npos ? text_.size() : at_ + end + 2;
    } else if (rest.starts_with("//")) {
      at_ += std::min(rest.find('\n'), rest.size());
    } else {
      return;
    }
  }
}

bool Cursor::atEnd() {
  skipBlanks();
  return at_ == text_.size();
}

char Cursor::peek() { return atEnd() ? 0 : text_[at_]; }

bool Cursor::consume(char c) {
  if (peek() != c)
    return false;
  ++at_;
  return true;
}

bool Cursor::consume(StringRef text) {
  if (!isNext(text))
    return false;
  at_ += text.size();
  return true;
}

bool Cursor::consumeWord(StringRef word) {
  size_t end = offset() + word.size();
  if (!isNext(word))
    return false;
  end = at_ + word.size();
  if (end < text_.size() && isWordChar(text_[end]))
    return false;
  at_ = end;
  return true;
}

StringRef Cursor::word() {
  skipBlanks();
  StringRef word = text_.drop_front(at_).take_while(isWordChar);
  at_ += word.size();
  return word;
}

StringRef Cursor::name() {
  consume('%');
  return word();
}

std::optional<int64_t> Cursor::number() {
  skipBlanks();
  StringRef rest = text_.drop_front(at_);
  size_t sign = rest.starts_with("-");
  size_t length = sign + rest.drop_front(sign).take_while(llvm::isDigit).size();
  int64_t number = 0;
  if (rest.take_front(length).getAsInteger(10, number))
    return std::nullopt;
  at_ += length;
  return number;
}

/// After the string at `begin`; the end of the text if it is not closed.
size_t Cursor::endOfString(size_t begin) const {
  for (size_t at = begin + 1; at < text_.size(); ++at) {
    if (text_[at] == '"')
      return at + 1;
    at += text_[at] == '\\';
  }
  return text_.size();
}

std::optional<size_t> Cursor::endOfBracket(size_t begin) const {
  llvm::SmallVector<char, 16> open;
  for (size_t at = begin; at < text_.size();) {
    char c = text_[at];
    if (c == '"') {
      at = endOfString(at);
      continue;
    }
    if (char close = closing(c)) {
      open.push_back(close);
    } else if (c == ')' || c == ']' || c == '}') {
      if (open.pop_back_val() != c)
        return std::nullopt;
      if (open.empty())
        return at + 1;
    }
    ++at;
  }
  return std::nullopt;
}

std::optional<StringRef> Cursor::bracketed(char open) {
  if (peek() != open)
    return std::nullopt;
  std::optional<size_t> end = endOfBracket(at_);
  if (!end)
    return std::nullopt;
  StringRef found = text_.slice(at_, *end);
  at_ = *end;
  return found;
}

StringRef Cursor::value() {
  skipBlanks();
  size_t begin = at_;
  while (at_ < text_.size() && !isBlank(text_[at_]) && !StringRef(",)]}").contains(text_[at_])) {
    if (text_[at_] == '"') {
      at_ = endOfString(at_);
    } else if (closing(text_[at_])) {
      std::optional<size_t> end = endOfBracket(at_);
      if (!end)
        break; // the caller finds a bracket where a comma should be
      at_ = *end;
    } else {
      ++at_;
    }
  }
  return text_.slice(begin, at_);
}

StringRef Cursor::line() {
  size_t end = std::min(text_.find('\n', at_), text_.size());
  StringRef line = text_.slice(at_, end);
  at_ = end;
  return line.trim();
}

std::string unquoted(StringRef text) {
  if (text.size() < 2 || !text.starts_with("\"") || !text.ends_with("\""))
    return text.str();
  std::string plain;
  text = text.drop_front().drop_back();
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 1 < text.size())
      ++i;
    plain += text[i];
  }
  return plain;
}

} // namespace fuselage::hlo

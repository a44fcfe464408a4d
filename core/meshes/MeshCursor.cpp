#include "core/meshes/MeshCursor.h"
#include "llvm/ADT/StringExtras.h"

namespace fuselage {

bool MeshCursor::take(llvm::StringRef token) {
  if (!text_.consume_front(token))
    return false;
  skip();
  return true;
}

std::optional<int64_t> MeshCursor::number() {
  llvm::StringRef digits = text_.take_while(llvm::isDigit);
  int64_t value = 0;
  if (digits.empty() || digits.getAsInteger(10, value) || value > int64_t(1) << 31)
    return std::nullopt;
  text_ = text_.drop_front(digits.size());
  skip();
  return value;
}

std::optional<std::string> MeshCursor::string() {
  if (!text_.starts_with("\""))
    return std::nullopt;
  std::string value;
  for (size_t i = 1; i < text_.size(); ++i) {
    if (text_[i] == '"') {
      text_ = text_.drop_front(i + 1);
      skip();
      return value;
    }
    bool isHex =
        text_[i] == '\\' && i + 2 < text_.size() && llvm::isHexDigit(text_[i + 1]) && llvm::isHexDigit(text_[i + 2]);
    if (isHex) {
      value += char(llvm::hexFromNibbles(text_[i + 1], text_[i + 2]));
      i += 2;
    } else {
      i += text_[i] == '\\' && i + 1 < text_.size();
      value += text_[i];
    }
  }
  return std::nullopt;
}

std::optional<std::string> MeshCursor::word() {
  text_.consume_front("@");
  if (text_.starts_with("\""))
    return string();
  llvm::StringRef name =
      text_.take_while([](char c) { return llvm::isAlnum(c) || c == '_' || c == '.' || c == '$' || c == '-'; });
  if (name.empty())
    return std::nullopt;
  text_ = text_.drop_front(name.size());
  skip();
  return name.str();
}

llvm::Expected<std::vector<int64_t>> MeshCursor::numbersTo(llvm::StringRef close) {
  std::vector<int64_t> numbers;
  while (!take(close)) {
    if (!numbers.empty() && !take(","))
      return expected("',' or '" + close.str() + "'");
    std::optional<int64_t> value = number();
    if (!value)
      return expected("a number");
    numbers.push_back(*value);
  }
  return numbers;
}

llvm::Error MeshCursor::expected(llvm::StringRef what) const {
  std::string found =
      text_.empty() ? "its end" : "'" + text_.take_front(16).str() + (text_.size() > 16 ? ".." : "") + "'";
  std::string shown = whole_.take_front(120).str() + (whole_.size() > 120 ? ".." : "");
  return fail("in '" + shown + "', " + what.str() + " is expected where " + found + " is");
}

} // namespace fuselage

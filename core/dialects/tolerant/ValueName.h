// Names of values as an op's text has them. Internal.
#pragma once
#include "core/support/NameChars.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include <algorithm>

namespace fuselage {

/// `%name` or `%name#3` at `begin`.
struct ValueName {
  llvm::StringRef name, number;
  llvm::StringRef all() const { return {name.data(), name.size() + (number.empty() ? 0 : number.size() + 1)}; }
};

inline ValueName nameAt(llvm::StringRef text, size_t begin) {
  size_t end = begin + 1;
  while (end < text.size() && isNameChar(text[end]))
    ++end;
  ValueName value{.name = text.slice(begin, end), .number = {}};
  if (end < text.size() && text[end] == '#')
    value.number = text.drop_front(end + 1).take_while(llvm::isDigit);
  return value;
}

/// After the string at `begin`, which is closed before the end of the text; npos if it is not.
inline size_t stringEnd(llvm::StringRef text, size_t begin) {
  for (size_t i = begin + 1; i < text.size() && text[i] != '\n'; ++i) {
    if (text[i] == '"')
      return i + 1;
    i += text[i] == '\\';
  }
  return llvm::StringRef::npos;
}

/// Calls `visit` with each value name in an op's text.
template <typename Visit> void visitNames(llvm::StringRef text, Visit visit) {
  for (size_t i = 0; i < text.size();) {
    if (text[i] == '"') {
      i = std::min(stringEnd(text, i), text.size());
    } else if (text[i] == '%') {
      ValueName value = nameAt(text, i);
      visit(value);
      i += value.all().size();
    } else {
      ++i;
    }
  }
}

} // namespace fuselage

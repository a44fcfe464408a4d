// Which characters MLIR's names are made of.
#pragma once

namespace fuselage {

inline bool isDigit(char c) { return c >= '0' && c <= '9'; }
inline bool isLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
/// A character of an op name or keyword behind the first.
inline bool isWordChar(char c) { return isLetter(c) || isDigit(c) || c == '$' || c == '.'; }
/// A character of a value, block, symbol or alias name.
inline bool isNameChar(char c) { return isWordChar(c) || c == '-'; }

} // namespace fuselage

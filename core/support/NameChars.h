// Which characters MLIR's names are made of, as functions of one type that algorithms take.
#pragma once
#include "core/text/MlirLexer.h"

namespace fuselage {

inline bool isDigit(char c) { return mlir_text::isDigit(c); }
inline bool isLetter(char c) { return mlir_text::isLetter(c); }
/// A character of an op name or keyword after the first.
inline bool isWordChar(char c) { return mlir_text::isWord(c); }
/// A character of a value, block, symbol or alias name.
inline bool isNameChar(char c) { return mlir_text::isName(c); }

} // namespace fuselage

// Splits a line of MLIR text into coloured pieces.
#pragma once
#include "views/common/Theme.h"

namespace fuselage {

/// UTF-16 columns [begin, begin + length).
struct Token {
  int begin = 0, length = 0;
  TokenKind kind = TokenKind::Plain;
};

/// A line at a time, without context: MLIR has no token that spans lines. Pieces that need no colour
/// are left out. Never fails; unknown text is plain.
QList<Token> tokenizeMlir(QStringView line);

} // namespace fuselage

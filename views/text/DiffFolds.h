// What folds in two lines that stand beside each other.
#pragma once
#include "views/common/DiffData.h"
#include "views/text/LineFolds.h"

namespace fuselage {

/// As many on the left as on the right: those of a number belong together.
struct FoldPairs {
  QList<LineFold> left, right;
};

/// The folds of both lines in which nothing differs but blanks and the numbers of names, which the diff does not
/// compare. Where a word differs, is missing or is new, what is around it stays open, on both sides.
FoldPairs foldsOfBoth(const QString &left, const QString &right, const QList<ByteSpan> &leftSpans,
                      const QList<ByteSpan> &rightSpans);

} // namespace fuselage

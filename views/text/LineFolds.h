// Parts of a line of MLIR text that say little and take much room.
#pragma once
#include <QList>
#include <QString>
#include <functional>

namespace fuselage {

/// UTF-16 columns [begin, end), shown as one character.
struct LineFold {
  int begin = 0, end = 0;
  bool operator==(const LineFold &) const = default;
};

/// What is between the brackets of long dense<..> and array<..>, of long lists in attributes, and of long dictionaries;
/// in order, none in another. Operands, types and regions stay as they are. Never fails; a line that does not
/// close its brackets has no folds there. What `mayFold` refuses stays as it is; what is in it may fold.
QList<LineFold> foldsOf(QStringView line, const std::function<bool(const LineFold &)> &mayFold = {});

/// What is folded, as far as it fits, for a tooltip.
QString foldToolTip(QStringView line, const LineFold &fold);

} // namespace fuselage

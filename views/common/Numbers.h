// Numbers as people read them.
#pragma once
#include <QString>

namespace fuselage {

/// "1,234,567"
QString groupedNumber(qint64 number);
/// "1 step", "2,000 steps"
QString counted(qint64 number, const QString &one, const QString &many);

/// Of an axis: 1, 2 or 5 times a power of ten, so that about `steps` of them fill `range`.
double niceStep(double range, int steps);

} // namespace fuselage

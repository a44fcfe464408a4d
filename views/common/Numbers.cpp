#include "views/common/Numbers.h"
#include <QLocale>
#include <algorithm>
#include <cmath>

namespace fuselage {

QString groupedNumber(qint64 number) { return QLocale(QLocale::English).toString(number); }

QString counted(qint64 number, const QString &one, const QString &many) {
  return groupedNumber(number) + u' ' + (number == 1 ? one : many);
}

double niceStep(double range, int steps) {
  const double raw = range / std::max(1, steps);
  const double power = std::pow(10.0, std::floor(std::log10(raw)));
  const double rest = raw / power;
  return power * (rest <= 1 ? 1 : rest <= 2 ? 2 : rest <= 5 ? 5 : 10);
}

} // namespace fuselage

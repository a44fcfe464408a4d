#include "views/common/Numbers.h"
#include <QLocale>

namespace fuselage {

QString groupedNumber(qint64 number) { return QLocale(QLocale::English).toString(number); }

QString counted(qint64 number, const QString &one, const QString &many) {
  return groupedNumber(number) + u' ' + (number == 1 ? one : many);
}

} // namespace fuselage

#include "views/locator/LocatorEntry.h"
#include <QAction>
#include <QCoreApplication>

using namespace Qt::StringLiterals;

namespace fuselage {

namespace {
struct KindLook {
  const char *word;
  const char *icon;
};
} // namespace

static const KindLook &lookOf(LocatorKind kind) {
  static const KindLook looks[] = {
      {QT_TRANSLATE_NOOP("LocatorEntry", "symbol"), "text"},
      {QT_TRANSLATE_NOOP("LocatorEntry", "layer"), "layered"},
      {QT_TRANSLATE_NOOP("LocatorEntry", "dispatch"), "dispatches"},
      {QT_TRANSLATE_NOOP("LocatorEntry", "weight"), "constants"},
      {QT_TRANSLATE_NOOP("LocatorEntry", "op"), "ops"},
      {QT_TRANSLATE_NOOP("LocatorEntry", "value"), "trace"},
      {QT_TRANSLATE_NOOP("LocatorEntry", "command"), "run"},
      {QT_TRANSLATE_NOOP("LocatorEntry", "setting"), "check"},
      {QT_TRANSLATE_NOOP("LocatorEntry", "step"), "steps"},
      {QT_TRANSLATE_NOOP("LocatorEntry", "pass"), "pipeline"},
      {QT_TRANSLATE_NOOP("LocatorEntry", "help"), "help"},
      {QT_TRANSLATE_NOOP("LocatorEntry", "location"), "text"},
      {QT_TRANSLATE_NOOP("LocatorEntry", "line"), "text"},
      {QT_TRANSLATE_NOOP("LocatorEntry", "find"), "search"},
      {QT_TRANSLATE_NOOP("LocatorEntry", "history"), "diff"},
      {QT_TRANSLATE_NOOP("LocatorEntry", "prefix"), "filter"},
  };
  return looks[int(kind)];
}

QString kindWord(LocatorKind kind) { return QCoreApplication::translate("LocatorEntry", lookOf(kind).word); }
QString kindIcon(LocatorKind kind) { return QLatin1String(lookOf(kind).icon); }

void LocatorEntry::makeSearchable() {
  lowerName = name.toLower().toUtf8();
  lowerAll = detail.isEmpty() ? QByteArray() : (name + u' ' + detail).toLower().toUtf8();
}

QString LocatorEntry::key() const {
  if (action)
    return u"%1 %2 %3"_s.arg(int(kind)).arg(detail, name);
  return u"%1 %2 %3 %4 %5"_s.arg(int(kind)).arg(name).arg(row).arg(op).arg(line);
}

} // namespace fuselage

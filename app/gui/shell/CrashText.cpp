#include "app/gui/shell/CrashText.h"
#include <QCoreApplication>

namespace fuselage {

namespace {
struct Words {
  Q_DECLARE_TR_FUNCTIONS(CrashText)
};
} // namespace

QString crashText(const CrashReport &report) {
  const QString end = report.cancelled ? Words::tr("was stopped") : Words::tr("died with %1").arg(report.exit.reason());
  if (report.step)
    return Words::tr("Step %1 %2 %3")
        .arg(report.step->index)
        .arg(report.step->name.isEmpty() ? report.step->pass : report.step->name, end);
  if (!report.activity.isEmpty())
    return Words::tr("The engine %1 while %2").arg(end, report.activity);
  return Words::tr("The engine %1").arg(end);
}

} // namespace fuselage

#include "app/gui/log/LogController.h"
#include "app/gui/shell/CrashText.h"
#include "views/panels/LogPanel.h"

using namespace Qt::StringLiterals;

namespace fuselage {

LogController::LogController(Shell &shell)
    : Controller(shell), panel_(new LogPanel),
      dock_(shell.docks().add({.name = u"log"_s, .title = tr("Log"), .shortcut = u"Alt+6"_s, .beside = u"pipeline"_s},
                              panel_)) {
  connect(&session(), &EngineSession::logged, panel_, &LogPanel::append);
}

void LogController::raise() { shell().docks().raise(dock_); }
void LogController::engineDied(const CrashReport &report) { panel_->append(crashText(report)); }

} // namespace fuselage

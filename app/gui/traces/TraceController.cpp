#include "app/gui/traces/TraceController.h"
#include "app/gui/shell/Settings.h"
#include "app/gui/steps/StepsController.h"
#include "app/gui/traces/TracePanel.h"
#include "core/protocol/methods/TraceMethods.h"
#include "views/charts/TraceTimeline.h"
#include <QDockWidget>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>

using namespace Qt::StringLiterals;

namespace fuselage {

TraceController::TraceController(Shell &shell, StepsController &steps)
    : Controller(shell),
      dock_(shell.docks().add({.name = u"trace"_s, .title = tr("Trace"), .beside = u"run"_s, .extent = 260},
                              panel_.place())),
      steps_(steps) {
  QAction *open = command(tr("Open T&race\u2026"), u"open"_s);
  open->setToolTip(tr("Show where time went: a trace of a command, of mlir-opt or of another tool"));
  shell.menus().add(Place::FileOpen, {open});
  on(open, [this] { chooseFile(); });
  panel_.tell([this, open](TracePanel &panel) {
    connect(&panel, &TracePanel::openRequested, open, &QAction::trigger);
    connect(&panel, &TracePanel::stepRequested, this, &TraceController::showStep);
    connect(&panel.timeline(), &TraceTimeline::rangeChanged, this, &TraceController::requestPieces);
  });
}

TracePanel &TraceController::panel() { return panel_.get(); }

void TraceController::raise() { shell().docks().raise(dock_); }

void TraceController::chooseFile() {
  const QString path = QFileDialog::getOpenFileName(&shell().window(), tr("Open trace"), settings().text(u"traces"_s),
                                                    tr("Traces in the Trace Event Format (*.json);;All files (*)"));
  if (path.isEmpty())
    return;
  settings().setText(u"traces"_s, QFileInfo(path).path());
  openTrace(path);
}

bool TraceController::takeFile(const QString &path) {
  QFile file(path);
  if (!path.endsWith(".json"_L1, Qt::CaseInsensitive) || !file.open(QIODevice::ReadOnly))
    return false;
  constexpr qint64 looked = 4096;
  const QByteArray start = file.read(looked);
  if (!start.contains("\"traceEvents\"") && !start.contains("\"ph\""))
    return false;
  openTrace(path);
  return true;
}

void TraceController::openTrace(const QString &path) {
  raise();
  const QString absolute = QFileInfo(path).absoluteFilePath();
  session().client().call<method::OpenTrace>(
      {.path = absolute}, this,
      [this, absolute](const protocol::TraceSummary &trace) {
        path_ = absolute;
        panel_->setTrace(trace);
      },
      [this](const protocol::Error &error) { panel_->setMessage(error.message); }, u"trace"_s);
}

void TraceController::requestPieces(double begin, double end, int columns) {
  if (path_.isEmpty())
    return;
  session().client().call<method::TracePieces>(
      {.begin = begin, .end = end, .columns = columns}, this,
      [this](const protocol::TracePieces &pieces) { panel_->timeline().setPieces(pieces); },
      [](const protocol::Error &) {}, u"trace"_s);
}

/// The engine that had it is gone.
void TraceController::engineRecovered(int) {
  if (!path_.isEmpty())
    openTrace(path_);
}

/// Of a recording with so many steps, which may be another one than the trace is of: its own are numbered alike.
void TraceController::showStep(int step) {
  if (step < session().steps().size())
    steps_.select(step + 1);
}

} // namespace fuselage

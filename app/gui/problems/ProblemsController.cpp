#include "app/gui/problems/ProblemsController.h"
#include "app/gui/graph/GraphController.h"
#include "app/gui/navigation/NavigationController.h"
#include "app/gui/shell/CrashText.h"
#include "app/gui/steps/StepsController.h"
#include "core/protocol/methods/TextMethods.h"
#include "views/common/Numbers.h"
#include "views/graph/GraphView.h"
#include "views/panels/ProblemsPanel.h"
#include "views/panels/StepsPanel.h"
#include "views/widgets/Icons.h"
#include <QApplication>
#include <QClipboard>
#include <QFileInfo>
#include <QToolButton>

using namespace Qt::StringLiterals;

namespace fuselage {

ProblemsController::ProblemsController(Shell &shell, StepsController &steps, GraphController &graph,
                                       NavigationController &navigation)
    : Controller(shell), panel_(new ProblemsPanel(&model_)),
      dock_(shell.docks().add({.name = u"problems"_s, .title = tr("Problems"), .shortcut = u"Alt+3"_s}, panel_)),
      button_(new QToolButton), steps_(steps), graph_(graph), navigation_(navigation) {
  buildButton();
  connectPanel();
  connect(&shell, &Shell::errorReported, this, &ProblemsController::report);
  connect(&shell, &Shell::errorOver, &model_, &ProblemsModel::clear);
  connect(&graph.scenes(), &GraphScenes::failed, this, &ProblemsController::graphFailed);
  connect(&session(), &EngineSession::recordingStarted, this, [this] {
    model_.clear(u"record"_s);
    model_.clear(u"read"_s);
  });
  connect(&session(), &EngineSession::recorded, this, [this](const protocol::Recording &recording) {
    listSteps(recording.steps);
    if (recording.failed)
      raise();
  });
}

void ProblemsController::buildButton() {
  button_->setAutoRaise(true);
  button_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  button_->setIcon(lineIcon(u"problems"_s));
  button_->setIconSize(QSize(14, 14));
  button_->setAccessibleName(tr("Show problems"));
  shell().addStatus(StatusPlace::Problems, button_);
  connect(button_, &QToolButton::clicked, this, &ProblemsController::raise);
  for (auto signal : {&QAbstractItemModel::rowsInserted, &QAbstractItemModel::rowsRemoved})
    connect(&model_, signal, this, &ProblemsController::count);
  count();
}

void ProblemsController::connectPanel() {
  connect(panel_, &ProblemsPanel::opActivated, this, &ProblemsController::goToOp);
  connect(&steps_.panel(), &StepsPanel::opRequested, this, &ProblemsController::goToOp);
  connect(panel_, &ProblemsPanel::placeActivated, this,
          [this](const QString &file, int line, int) { goToPlace(file, line); });
}

void ProblemsController::raise() { shell().docks().raise(dock_); }

void ProblemsController::count() {
  const int errors = model_.errorCount(), warnings = model_.warningCount();
  QStringList counts;
  if (errors > 0)
    counts.append(counted(errors, tr("error"), tr("errors")));
  if (warnings > 0)
    counts.append(counted(warnings, tr("warning"), tr("warnings")));
  button_->setText(counts.isEmpty() ? tr("No problems") : counts.join(u", "_s));
}

void ProblemsController::opened(const protocol::Document &document) {
  model_.clearAll(); // they are of the last one
  model_.setDiagnostics(u"open"_s, document.diagnostics);
  listSteps(document.steps);
}

void ProblemsController::listSteps(const QList<protocol::Step> &steps) {
  model_.clear(u"record"_s);
  for (const protocol::Step &step : steps)
    for (const protocol::Diagnostic &diagnostic : step.diagnostics)
      model_.add(u"record"_s, diagnostic, step.index);
}

void ProblemsController::report(const QString &source, const QString &what, const protocol::Error &error) {
  QList<protocol::Diagnostic> list = error.diagnostics;
  // "cannot open 'a.mlir': expected .." says no more than the diagnostic with the place.
  if (list.isEmpty() || !error.message.contains(list.first().message))
    list.prepend(
        {.severity = u"error"_s, .message = error.message.isEmpty() ? what : error.message, .file = {}, .notes = {}});
  model_.setDiagnostics(source, list);
  shell().tell(what);
  raise();
}

void ProblemsController::engineDied(const CrashReport &report) {
  if (!report.cancelled)
    model_.setDiagnostics(u"engine"_s,
                          {{.severity = u"error"_s, .message = crashText(report), .file = {}, .notes = {}}});
}

void ProblemsController::graphShown(int) {
  model_.clear(u"graph"_s);
  readSnapshot();
}

void ProblemsController::graphFailed(const protocol::Error &error) {
  if (!session().showsLog() && !steps_.showsPlace()) {
    report(u"graph"_s, tr("The graph cannot be drawn"), error);
    return;
  }
  // The text is there all the same, of a dump that is no MLIR as of IR in the middle of a step.
  graph_.view().clear();
  if (steps_.showsPlace())
    graph_.view().setEmptyText(tr("There is no graph here"), tr("%1\nThe IR and the diff show it.").arg(error.message));
  else
    graph_.view().setEmptyText(tr("This dump cannot be read as MLIR"),
                               tr("The text view shows it as it is; Problems says what is wrong with it."));
  readSnapshot();
}

/// Lists what reading the dump on screen said.
void ProblemsController::readSnapshot() {
  model_.clear(u"read"_s);
  if (!session().showsLog())
    return;
  const int row = steps_.currentRow();
  session().client().call<method::ReadSnapshot>(
      {.snapshot = graph_.scenes().snapshot()}, this,
      [this, row](const protocol::SnapshotRead &read) {
        if (row != steps_.currentRow() || !session().showsLog())
          return;
        QList<protocol::Diagnostic> list = read.diagnostics;
        if (!read.parsed && list.isEmpty())
          list.append({.severity = u"error"_s, .message = read.problem, .file = {}, .notes = {}});
        model_.setDiagnostics(u"read"_s, list, row - 1);
        if (read.gaps > 0)
          shell().tell(tr("%1 in this dump").arg(counted(read.gaps, tr("gap"), tr("gaps"))));
      },
      {}, u"read"_s);
}

void ProblemsController::goToOp(int step, qint64 op, int line) {
  if (session().showsLog()) // the dump itself
    navigation_.goTo({.snapshot = steps_.model().snapshotAt(step + 1), .line = line, .view = {}});
  else // the snapshot before the step
    navigation_.goTo({.snapshot = steps_.model().snapshotAt(step), .op = op});
}

void ProblemsController::goToPlace(const QString &file, int line) {
  if (showLine_ && showLine_(file, line))
    return;
  if (session().hasDocument() && QFileInfo(file).fileName() == QFileInfo(session().document().path).fileName()) {
    navigation_.goTo({.snapshot = 0, .line = line - 1, .view = {}});
    return;
  }
  QApplication::clipboard()->setText(u"%1:%2"_s.arg(file).arg(line));
  shell().tell(tr("%1:%2 is not open here; its place was copied").arg(file).arg(line));
}

} // namespace fuselage

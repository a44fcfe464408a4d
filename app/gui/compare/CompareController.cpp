#include "app/gui/compare/CompareController.h"
#include "app/gui/graph/GraphController.h"
#include "app/gui/navigation/NavigationController.h"
#include "app/gui/shell/Settings.h"
#include "app/gui/steps/StepsController.h"
#include "app/gui/text/TextController.h"
#include "core/protocol/methods/CompareMethods.h"
#include "core/protocol/methods/DocumentMethods.h"
#include "views/graph/GraphView.h"
#include "views/panels/ComparePanel.h"
#include "views/widgets/StepChip.h"
#include <QDockWidget>
#include <QFileDialog>
#include <QPushButton>

using namespace Qt::StringLiterals;

namespace fuselage {

CompareController::CompareController(Shell &shell, StepsController &steps, GraphController &graph, TextController &text,
                                     NavigationController &navigation)
    : Controller(shell), panel_([this] { return new ComparePanel(&model_); }),
      dock_(shell.docks().add(
          {.name = u"compare"_s, .title = tr("Compare"), .shortcut = u"Alt+C"_s, .beside = u"run"_s, .extent = 280},
          panel_.place())),
      steps_(steps), graph_(graph), text_(text), navigation_(navigation) {
  connect(&shell.docks().chip(dock_), &StepChip::clicked, this, &CompareController::compare);
  panel_.tell([this](const ComparePanel &panel) {
    connect(&panel, &ComparePanel::compareRequested, this, &CompareController::compare);
    connect(&panel, &ComparePanel::cancelRequested, this, &CompareController::cancel);
    connect(&panel, &ComparePanel::fileRequested, this, &CompareController::chooseFile);
    connect(&panel, &ComparePanel::rowSelected, this, &CompareController::select);
    connect(&panel, &ComparePanel::dispatchActivated, this, &CompareController::goTo);
  });
  connect(dock_, &QDockWidget::visibilityChanged, this, [this](bool visible) {
    if (visible)
      requestTools();
  });
  connect(&session(), &EngineSession::runFinished, this, [this](const protocol::RunReport &report) {
    report_ = report;
    ranProgram_ = session().programKey();
    showTimes();
  });
  connect(&session(), &EngineSession::recordingStarted, this, &CompareController::showTimes);
  connect(&session(), &EngineSession::historyMoved, this, &CompareController::showTimes);
  connect(&session(), &EngineSession::fused, this, &CompareController::showTimes);
  connect(&steps.model(), &QAbstractItemModel::modelReset, this, &CompareController::listSteps);
  connect(&steps.model(), &QAbstractItemModel::rowsInserted, this, &CompareController::listSteps);
}

void CompareController::raise() { shell().docks().raise(dock_); }

ComparePanel &CompareController::panel() { return panel_.get(); }

void CompareController::setOpenFiles(const QStringList &files) {
  panel_.tell(u"files"_s, [files](ComparePanel &panel) { panel.setOpenFiles(files); });
}

/// Steps that changed something, the input before them.
void CompareController::listSteps() {
  QList<QPair<QString, int>> rows;
  const StepModel &model = steps_.model();
  for (int row = 0; row < model.rowCount(); ++row) {
    const protocol::Step *step = model.stepAt(row);
    if (row == 0)
      rows.append({tr("The input"), model.snapshotAt(0)});
    else if (step && step->changed && step->after >= 0)
      rows.append({tr("Step %1, %2").arg(step->index).arg(step->name), step->after});
  }
  panel_.tell(u"steps"_s, [rows = rows + whatIfs_](ComparePanel &panel) { panel.setSteps(rows); });
}

void CompareController::setWhatIfs(const QList<QPair<QString, int>> &whatIfs) {
  whatIfs_ = whatIfs;
  listSteps();
}

void CompareController::requestTools() {
  if (session().state() != EngineSession::State::Ready || std::exchange(hasTools_, true))
    return;
  session().client().call<method::ListTools>(
      {}, this,
      [this](const protocol::Tools &found) {
        QStringList commands;
        for (const protocol::Tool &tool : found.tools)
          commands.append(tool.command);
        panel_->setTools(commands);
      },
      [this](const protocol::Error &) { hasTools_ = false; });
}

void CompareController::chooseFile() {
  const QString path = QFileDialog::getOpenFileName(
      &shell().window(), tr("Compare with"), settings().text(u"compare"_s),
      tr("Modules, logs and dumps of XLA (*.mlir *.mlirbc *.log *.txt *.hlo);;All files (*)"));
  if (path.isEmpty())
    return;
  settings().setText(u"compare"_s, path);
  compareWithFile(path);
}

void CompareController::compareWithFile(const QString &path) {
  raise();
  panel_->addFile(path);
  compare();
}

void CompareController::compare() {
  if (!isReady() || asked_)
    return;
  const CompareRequest request = panel_->request();
  protocol::Request<method::Compare> params{.snapshot = snapshot_, .fuseAll = request.fuseAll};
  if (!request.path.isEmpty())
    params.path = request.path;
  else if (!request.tool.isEmpty())
    params.tool = request.tool;
  else
    params.other = request.snapshot;
  model_.setComparison({});
  compared_.clear();
  showWhere();
  panel_->showSummary();
  panel_->setBusy(true);
  panel_->setHint(tr("Comparing\u2026"), request.tool.isEmpty() ? tr("Dispatches of both sides are being matched.")
                                                                : tr("Waiting for %1.").arg(request.tool));
  asked_ = session().client().call<method::Compare>(
      params, this,
      [this](const protocol::DispatchComparison &comparison) {
        finish();
        model_.setComparison(comparison);
        compared_ = steps_.nameOf(int(comparison.a.snapshot));
        isOver_ = false;
        emit shell().errorOver(u"compare"_s);
        showWhere();
        if (comparison.rows.isEmpty())
          panel_->setHint(tr("There are no dispatches"), tr("Neither has ops that would make one."));
        panel_->showSummary();
      },
      [this](const protocol::Error &error) {
        finish();
        if (error.code == protocol::Error::Cancelled) {
          panel_->setHint(tr("Cancelled"), {});
          return;
        }
        panel_->setHint(tr("There is nothing to compare with"), error.message.section(u'\n', 0, 4));
        if (error.code != protocol::Error::EngineGone)
          emit shell().errorReported(u"compare"_s, tr("Nothing was compared"), error);
      });
}

void CompareController::cancel() {
  if (asked_)
    session().client().cancel(asked_);
}

void CompareController::finish() {
  asked_ = 0;
  panel_.tell(u"busy"_s, [](ComparePanel &panel) { panel.setBusy(false); });
}

/// Those of a side that is on screen: of A, of B, or of both, where both are one step.
void CompareController::select(int row) {
  const protocol::DispatchComparison &comparison = model_.comparison();
  QList<NodeId> ops;
  if (comparison.a.snapshot == snapshot_)
    ops += model_.opsOf(row, false);
  if (comparison.b.snapshot == snapshot_)
    ops += model_.opsOf(row, true);
  if (ops.isEmpty())
    return;
  text_.select(ops.first(), true);
  const QHash<NodeId, NodeId> &hidden = graph_.view().scene().hiddenOps;
  for (NodeId &op : ops) // in a closed box, that
    op = hidden.value(op, op);
  graph_.view().setSelection(ops);
}

/// A dispatch of a side that is a step of this document, there.
void CompareController::goTo(bool ofB, int dispatch) {
  const protocol::ComparedSide &side = ofB ? model_.comparison().b : model_.comparison().a;
  if (dispatch < 0 || dispatch >= side.dispatches.size())
    return;
  if (side.snapshot < 0) {
    shell().tell(tr("%1 is no step of this document: its dispatches are in the cards").arg(side.name));
    return;
  }
  navigation_.goTo({.snapshot = side.snapshot, .op = side.dispatches[dispatch].op});
}

void CompareController::showTimes() {
  const bool holds = !ranProgram_.isEmpty() && ranProgram_ == session().programKey();
  model_.setTimes(holds ? report_.kernels : QList<protocol::Kernel>());
  panel_.tell(u"summary"_s, &ComparePanel::showSummary);
}

void CompareController::opened(const protocol::Document &) {
  report_ = {};
  ranProgram_.clear();
  model_.setComparison({});
  compared_.clear();
  showWhere();
  showTimes();
}

void CompareController::stepsReplaced(int) {
  isOver_ |= model_.comparison().a.snapshot > 0 || model_.comparison().b.snapshot > 0;
  showWhere();
}

void CompareController::stepShown(const ShownStep &step) {
  snapshot_ = step.snapshot;
  showWhere();
}

void CompareController::showWhere() {
  StepChip &chip = shell().docks().chip(dock_);
  if (compared_.isEmpty() || (!isOver_ && model_.comparison().a.snapshot == snapshot_))
    chip.clear();
  else
    chip.tell(isOver_ ? tr("%1, before the steps changed").arg(compared_) : compared_,
              tr("The comparison is of this step. A click compares the current one"));
}

void CompareController::sessionChanged() {
  panel_.tell(u"ready"_s, [isReady = isReady()](ComparePanel &panel) { panel.compareButton()->setEnabled(isReady); });
  if (dock_->isVisible())
    requestTools();
}

void CompareController::engineDied(const CrashReport &) {
  finish();
  hasTools_ = false;
}

} // namespace fuselage

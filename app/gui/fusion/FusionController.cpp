// How the window explains and fuses: the docks, the commands, and what the engine answers.
#include "app/gui/fusion/FusionVerdicts.h"
#include "app/gui/graph/GraphScenes.h"
#include "app/gui/shell/MainWindow.h"
#include "app/gui/shell/Settings.h"
#include "app/gui/text/TextController.h"
#include "views/common/Numbers.h"
#include "views/graph/GraphView.h"
#include "views/models/Format.h"
#include "views/panels/FusionPanel.h"
#include "views/panels/ReasonPanel.h"
#include "views/panels/RunPanel.h"
#include "views/panels/StepsPanel.h"
#include <QDockWidget>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>
#include <QProgressBar>
#include <QToolButton>

using namespace Qt::StringLiterals;

namespace fuselage {

void MainWindow::buildFusion() {
  fusionPanel_ = new FusionPanel(&fusions_);
  fusionPanel_->setObjectName("fusions"_L1);
  fusionDock_ = addDock(Qt::BottomDockWidgetArea, u"fusion"_s, tr("Missed Fusions"), fusionPanel_, u"Alt+7"_s);
  tabifyDockWidget(problemsDock_, fusionDock_);
  resizeDocks({fusionDock_}, {280}, Qt::Vertical);
  fusionDock_->hide();
  reasons_ = new ReasonHelp(session_, u"fusion/help"_s,
                            tr("Why are two ops not fused? Each reason has a page: what it means, the smallest example that "
                               "triggers it, the evidence, and the transforms that may unlock it."),
                            this);
  reasonDock_ = addDock(Qt::RightDockWidgetArea, u"reasons"_s, tr("Why Not Fused"), &reasons_->panel(), {}); // Shift+F1
  tabifyDockWidget(detailsDock_, reasonDock_);
  reasonDock_->hide();
  const WindowActions &a = *actions_;
  fusionPanel_->setCommands({a.fuseEdge, a.fuseAll, a.cleanUp, nullptr, a.undoFusion, a.redoFusion, a.saveFusion});
  fusion_ = new FusionController(session_,
                                 {.graph = *graph_, .panel = *fusionPanel_, .model = fusions_, .graphs = *graphController_, .texts = *textController_},
                                 this);
}

void MainWindow::connectFusion() {
  const WindowActions &a = *actions_;
  const auto on = [this](QAction *action, auto slot) { connect(action, &QAction::triggered, this, slot); };
  const auto fuse = [this](auto what) {
    noteStart(stepsPanel_->currentRow());
    what();
  };
  on(a.fuseEdge, [this, fuse] { fuse([this] { fusion_->fuseSelected(); }); });
  on(a.fuseAll, [this, fuse] { fuse([this] { fusion_->fuseAll(); }); });
  on(a.cleanUp, [this, fuse] { fuse([this] { fusion_->cleanUp(); }); });
  on(a.undoFusion, [this] { session_.undoFusion(); });
  on(a.redoFusion, [this] { session_.redoFusion(); });
  on(a.saveFusion, &MainWindow::saveFusion);
  const auto walk = [this](int step) {
    raise(fusionDock_);
    fusionPanel_->move(step);
  };
  on(a.nextMissed, [walk] { walk(1); });
  on(a.previousMissed, [walk] { walk(-1); });
  on(a.whyNotFused, [this] {
    const protocol::FusionEdge *edge = fusion_->selectedEdge();
    explainReason(edge ? reasonPageOf(*edge) : QString());
  });
  on(a.helpReasons, [this] { explainReason({}); });
  const auto visibility = [this] { fusion_->setShown(actions_->verdicts->isChecked(), fusionDock_->isVisible()); };
  connect(a.verdicts, &QAction::toggled, this, visibility);
  connect(fusionDock_, &QDockWidget::visibilityChanged, this, visibility);

  connect(graph_, &GraphView::edgeMenuRequested, this, [this](int, const QPoint &position) { showEdgeMenu(position); });
  connect(fusionPanel_, &FusionPanel::fuseRequested, a.fuseEdge, &QAction::trigger);
  connect(fusionPanel_, &FusionPanel::reasonRequested, this, &MainWindow::explainReason);
  connect(fusionPanel_, &FusionPanel::unlockRequested, this, [this](const QString &name) { applyTransform(name); });
  connect(fusionPanel_, &FusionPanel::policyChanged, this,
          [this](const QString &policy) { settings_.setText(u"fusionPolicy"_s, policy); });
  connect(fusionPanel_, &FusionPanel::measureRequested, this, [this] { fusion_->measure(runPanel_->device()); });
  fusionPanel_->setPolicy(settings_.text(u"fusionPolicy"_s, u"aggressive"_s));
  connect(stepsPanel_, &StepsPanel::reasonRequested, this, &MainWindow::explainReason);
  connect(fusionButton_, &QToolButton::clicked, this, &MainWindow::showFusionPanel);
  connect(fusion_, &FusionController::selectionChanged, this, &MainWindow::updateFusionState);
  connect(fusion_, &FusionController::reportChanged, this, &MainWindow::updateFusionState);

  connect(&session_, &EngineSession::fuseProgress, this, &MainWindow::showFuseProgress);
  connect(&session_, &EngineSession::fused, this, &MainWindow::fusionDone);
  connect(&session_, &EngineSession::historyMoved, this, [this](int snapshot) {
    showStepSource();
    showHistory(session_.showsLog() ? 0 : snapshot);
    listStepProblems(session_.steps());
    fusionPanel_->setMessage({}, false);
  });
  connect(&session_, &EngineSession::fuseFailed, this, [this](const protocol::Error &error) {
    if (error.code == protocol::Error::Cancelled) {
      fusionPanel_->setMessage(tr("Cancelled"), false);
      return;
    }
    fusionPanel_->setMessage(error.message, true);
    reportError(u"fuse"_s, tr("The edge was not fused"), error);
    raise(fusionDock_);
  });
  connect(&session_, &EngineSession::crashed, this, [this](const CrashReport &) {
    if (!fusionPanel_->message().isEmpty())
      fusionPanel_->setMessage(crashText_, true);
  });
  connect(&session_, &EngineSession::runFinished, fusion_, &FusionController::setReport);
}

void MainWindow::applyTransform(const QString &name) {
  if (!actions_->fuseAll->isEnabled())
    return;
  noteStart(stepsPanel_->currentRow());
  fusion_->applyTransform(name);
}

void MainWindow::updateFusionState() {
  if (!fusion_)
    return;
  const bool isReady = session_.state() == EngineSession::State::Ready && session_.hasDocument();
  const protocol::FusionEdge *edge = fusion_->selectedEdge();
  actions_->fuseEdge->setEnabled(isReady && edge && edge->separate);
  actions_->whyNotFused->setEnabled(edge && edge->separate);
  actions_->fuseAll->setEnabled(isReady);
  actions_->cleanUp->setEnabled(isReady);
  actions_->undoFusion->setEnabled(isReady && session_.undoLevels() > 0);
  actions_->redoFusion->setEnabled(isReady && session_.redoLevels() > 0);
  actions_->saveFusion->setEnabled(isReady && session_.keptSteps() > 0);
  actions_->nextMissed->setEnabled(fusions_.rowCount() > 0);
  actions_->previousMissed->setEnabled(fusions_.rowCount() > 0);
  if (session_.state() != EngineSession::State::Fusing)
    fusionPanel_->setProgress(-1, 0);
  const QString summary = fusion_->shortSummary();
  fusionButton_->setText(summary);
  fusionButton_->setVisible(!summary.isEmpty());
}

void MainWindow::showFusionPanel() {
  raise(fusionDock_);
  fusion_->selectDearest();
}

void MainWindow::showEdgeMenu(const QPoint &position) {
  QMenu menu(this);
  const protocol::FusionEdge *edge = fusion_->selectedEdge();
  menu.addActions({actions_->fuseEdge, actions_->whyNotFused});
  if (edge && !edge->unlocks.isEmpty()) {
    QMenu *unlocks = menu.addMenu(tr("Apply One Transform"));
    for (const QString &name : edge->unlocks)
      unlocks->addAction(name, this, [this, name] { applyTransform(name); });
    unlocks->setEnabled(actions_->fuseAll->isEnabled());
  }
  menu.addSeparator();
  menu.addAction(tr("Show in Missed Fusions"), this, &MainWindow::showFusionPanel);
  if (edge) {
    menu.addAction(tr("Go to Producer"), this, [this, op = edge->from] { textController_->select(op, true); });
    menu.addAction(tr("Go to Consumer"), this, [this, op = edge->to] { textController_->select(op, true); });
  }
  menu.exec(position);
}

void MainWindow::showFuseProgress(const protocol::FuseProgress &progress) {
  QString text = progress.phase == "search"_L1  ? tr("Looking for a way: tried %1, now %2").arg(progress.done).arg(progress.what)
                 : progress.phase == "apply"_L1 ? tr("Running %1").arg(progress.what)
                                                : tr("Checking %1 on the host").arg(progress.what);
  fusionPanel_->setMessage(text, false);
  fusionPanel_->setProgress(progress.done, progress.total);
  progress_->setRange(0, progress.total);
  progress_->setValue(progress.done);
}

/// "max abs error 3.8e-06, max rel error 9.4e-08 on the host", or why nobody knows.
static QString proofText(const protocol::Step &step) {
  if (!step.fusion)
    return {};
  if (!step.fusion->checked)
    return MainWindow::tr("not checked: %1").arg(step.fusion->note);
  const QString errors = MainWindow::tr("max abs error %1, max rel error %2 on the host")
                             .arg(formatError(step.fusion->maxAbsError), formatError(step.fusion->maxRelError));
  return step.fusion->ok ? errors : MainWindow::tr("WRONG: %1").arg(errors);
}

void MainWindow::fusionDone(const protocol::FuseResult &result) {
  problems_.clear(u"fuse"_s);
  if (!result.fused) {
    QString text = tr("This edge cannot be fused; passes tried: %1").arg(result.tries);
    if (result.gaveUp)
      text += tr(", then the search ended");
    fusionPanel_->setMessage(text + (result.reasons.isEmpty() ? QString() : u". "_s + result.reasons.first()), true);
    raise(fusionDock_);
    return;
  }
  if (result.first >= result.history.steps.size()) {
    fusionPanel_->setMessage(result.dropped.isEmpty() ? tr("Nothing to do: it is fused already")
                                                      : tr("Nothing pays: %1").arg(result.dropped.join(u"; "_s)),
                             false);
    return;
  }
  showStepSource();
  showHistory(int(result.history.steps.size()));
  listStepProblems(result.history.steps);
  const protocol::Step &last = result.history.steps.last();
  const qsizetype steps = result.history.steps.size() - result.first;
  QString text = tr("%1 \u2192 %2 in %3; %4")
                           .arg(result.dispatchesBefore)
                           .arg(countedDispatches(result.dispatchesAfter), counted(steps, tr("step"), tr("steps")), proofText(last));
  if (!result.dropped.isEmpty())
    text += tr("; left out: %1").arg(result.dropped.join(u"; "_s));
  fusionPanel_->setMessage(text, last.fusion && !last.fusion->ok);
  tell(text);
}

/// The session's steps, from snapshot 0 on other ones than before; selects a row.
void MainWindow::showHistory(int row) {
  // Whoever looks at the input of a module goes on doing so.
  if (row > 0 || graphController_->snapshot() > 0 || session_.document().log)
    fusion_->reset();
  textController_->dropSteps();
  graphController_->dropSteps();
  if (session_.document().log)
    showDocument();
  stepModel_.setSteps({});
  stepModel_.setSteps(session_.steps());
  selectStep(std::min(row, int(session_.steps().size())));
}

void MainWindow::explainReason(const QString &code) {
  raise(reasonDock_);
  reasons_->explain(code);
}

void MainWindow::saveFusion() {
  const QFileInfo file(session_.document().path);
  QString filter;
  const QString script = tr("Transform script (*.mlir)");
  const QString path = QFileDialog::getSaveFileName(this, tr("Save what was fused"), file.dir().filePath(file.completeBaseName() + u".fusion.txt"_s),
                                                    tr("Pipeline (*.txt)") + u";;"_s + script, &filter);
  if (path.isEmpty())
    return;
  const bool isScript = filter == script || QFileInfo(path).suffix() == "mlir"_L1;
  session_.client().call<protocol::WrittenFile>(
      u"fusion/save"_s, {{u"path"_s, path}, {u"format"_s, isScript ? u"transform"_s : u"pipeline"_s}}, this,
      [this](const protocol::WrittenFile &written) { tell(tr("Wrote %1").arg(written.path)); },
      [this](const protocol::Error &error) { reportError(u"export"_s, tr("What was fused was not saved"), error); });
}

} // namespace fuselage

#include "app/gui/fusion/FusionController.h"
#include "app/gui/document/DocumentName.h"
#include "app/gui/fusion/EdgeDetails.h"
#include "app/gui/fusion/FusionVerdicts.h"
#include "app/gui/graph/GraphController.h"
#include "app/gui/problems/ProblemsController.h"
#include "app/gui/reasons/ReasonHelp.h"
#include "app/gui/run/RunController.h"
#include "app/gui/shell/CrashText.h"
#include "app/gui/shell/Settings.h"
#include "app/gui/steps/StepsController.h"
#include "app/gui/text/TextController.h"
#include "core/protocol/methods/FusionMethods.h"
#include "views/common/Marks.h"
#include "views/common/Numbers.h"
#include "views/graph/GraphView.h"
#include "views/models/Format.h"
#include "views/panels/DetailsPanel.h"
#include "views/panels/FusionPanel.h"
#include "views/panels/RunPanel.h"
#include "views/panels/StepsPanel.h"
#include "views/widgets/EdgeCard.h"
#include "views/widgets/Icons.h"
#include <QDockWidget>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>
#include <QToolButton>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace fuselage {

FusionController::FusionController(Shell &shell, StepsController &steps, GraphController &graph, TextController &text,
                                   ProblemsController &problems, RunController &run)
    : Controller(shell), panel_(new FusionPanel(&model_)), button_(new QToolButton), steps_(steps), graph_(graph),
      text_(text), problems_(problems), run_(run),
      verdicts_(new FusionVerdicts(
          session(),
          {.graph = graph.view(), .panel = *panel_, .model = model_, .graphs = graph.scenes(), .texts = text}, this)) {
  panel_->setObjectName("fusions"_L1);
  addDocks();
  buildButton();
  makeActions();
  placeActions();
  addPreferences();
  connectActions();
  connectPanel();
  connectCard();
  followSession(session());
}

void FusionController::addDocks() {
  dock_ = shell().docks().add({.name = u"fusion"_s,
                               .title = tr("Missed Fusions"),
                               .shortcut = u"Alt+7"_s,
                               .beside = u"problems"_s,
                               .extent = 280},
                              panel_);
  reasons_ =
      new ReasonHelp(shell(), ReasonHelp::Reasons::Fusion,
                     tr("Why are two ops not fused? Each reason has a page: what it means, the smallest example that "
                        "triggers it, the evidence, and the transforms that may unlock it."),
                     this);
  reasonDock_ = shell().docks().add( // Shift+F1
      {.area = Qt::RightDockWidgetArea, .name = u"reasons"_s, .title = tr("Why Not Fused"), .beside = u"details"_s},
      reasons_->place());
  connect(dock_, &QDockWidget::visibilityChanged, this, &FusionController::updateShown);
}

void FusionController::buildButton() {
  button_->setAutoRaise(true);
  button_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  button_->setIcon(lineIcon(u"fuse"_s));
  button_->setIconSize(QSize(14, 14));
  button_->setAccessibleName(tr("Show missed fusions"));
  button_->setVisible(false);
  shell().addStatus(StatusPlace::Fusion, button_);
  connect(button_, &QToolButton::clicked, this, &FusionController::showDearest);
}

void FusionController::makeActions() {
  Actions &a = actions_;
  a.fuseEdge = command(tr("&Fuse This Edge"), u"fuse"_s, {QKeySequence(u"Ctrl+E"_s)});
  a.fuseEdge->setToolTip(tr("Fuse only this edge: of several identical places, this one"));
  a.fusePlaces = command(tr("Fuse All &Places"), u"fuse"_s, {QKeySequence(u"Ctrl+Alt+Shift+E"_s)});
  a.fuseAll = command(tr("Fuse &All"), u"fuseall"_s, {QKeySequence(u"Ctrl+Shift+E"_s)});
  a.fuseAll->setIconText(tr("Fuse All"));
  a.fuseFaster = command(tr("Fuse All That Is &Faster"), u"fuseall"_s, {QKeySequence(u"Ctrl+Alt+E"_s)});
  a.fuseFaster->setToolTip(
      tr("Measure before and after on the Run panel's device, alternating, and keep every fusion that is not slower"));
  a.cleanUp = command(tr("&Clean Up"), u"cleanup"_s, {QKeySequence(u"Ctrl+Shift+C"_s)});
  a.cleanUp->setToolTip(
      tr("Remove what needlessly prevents fusion: unit dimensions, transposes, broadcasts, reshapes"));
  a.undo = command(tr("&Undo Fusion"), u"undo"_s);
  a.redo = command(tr("&Redo Fusion"), u"redo"_s);
  a.save = command(tr("&Save What Was Fused…"), u"save"_s);
  for (QAction *action : {a.undo, a.redo, a.save})
    action->setPriority(QAction::LowPriority);
  a.nextMissed = command(tr("&Next Missed Fusion"), {}, {QKeySequence(u"F7"_s)});
  a.previousMissed = command(tr("&Previous Missed Fusion"), {}, {QKeySequence(u"Shift+F7"_s)});
  a.nextPlace = command(tr("Next P&lace of It"), {}, {QKeySequence(u"Ctrl+F7"_s)});
  a.nextPlace->setToolTip(tr("The next identical edge"));
  a.previousPlace = command(tr("Previous Place of I&t"), {}, {QKeySequence(u"Ctrl+Shift+F7"_s)});
  a.why = command(tr("&Why Not Fused?"), u"help"_s, {QKeySequence(u"Shift+F1"_s)});
  a.decision = command(tr("Go Where It Was &Decided"), u"fuse"_s, {QKeySequence(u"Ctrl+Shift+G"_s)});
  a.decision->setToolTip(tr("For formed dispatches: go to the step before them, and to the edge there"));
  a.verdicts = toggle(tr("Fusion &Verdicts on the Graph"), u"verdicts"_s, {QKeySequence(u"Ctrl+Shift+V"_s)});
  remember(a.verdicts, u"verdicts"_s);
  a.reasons = command(tr("&Reasons Not to Fuse"));
}

void FusionController::addPreferences() {
  shell().addPreference(
      {.section = tr("Fusion"),
       .name = tr("Fusion policy"),
       .hint = tr("What the compiler is willing to fuse"),
       .kind = Preference::Kind::Choice,
       .choices = {{u"aggressive"_s, u"aggressive"_s}, {u"conservative"_s, u"conservative"_s}, {u"none"_s, u"none"_s}},
       .value = [this] { return panel_->policy(); },
       .set = [this](const QString &policy) { panel_->setPolicy(policy); }});
}

void FusionController::placeActions() {
  const Actions &a = actions_;
  Menus &menus = shell().menus();
  menus.add(Place::FuseEdges, {a.fuseEdge, a.fusePlaces, a.fuseAll, a.fuseFaster, a.cleanUp});
  menus.add(Place::FuseHistory, {a.save}); // undo and redo are of the Edit menu
  menus.add(Place::FuseMissed,
            {a.nextMissed, a.previousMissed, a.nextPlace, a.previousPlace, a.why, a.decision, a.verdicts});
  menus.add(Place::HelpReasons, {a.reasons});
  menus.add(Place::BarFuse, {a.fuseAll});
  menus.addKeys({{tr("In the missed fusions"), tr("Fuse the edges of the row"), {QKeySequence(Qt::Key_Return)}}});
  panel_->setCommands({a.fuseEdge, a.fusePlaces, a.fuseAll, a.fuseFaster, a.cleanUp, nullptr, a.undo, a.redo, a.save});
}

void FusionController::connectActions() {
  const Actions &a = actions_;
  const auto fuse = [this](QAction *action, void (FusionVerdicts::*what)()) {
    on(action, [this, what] {
      steps_.noteStart(steps_.currentRow());
      (verdicts_->*what)();
    });
  };
  fuse(a.fuseEdge, &FusionVerdicts::fuseSelected);
  fuse(a.fusePlaces, &FusionVerdicts::fuseSelectedEverywhere);
  fuse(a.fuseAll, &FusionVerdicts::fuseAll);
  fuse(a.cleanUp, &FusionVerdicts::cleanUp);
  on(a.fuseFaster, [this] {
    steps_.noteStart(steps_.currentRow());
    verdicts_->fuseFaster(run_.panel().device());
  });
  on(a.undo, [this] { session().undoFusion(); });
  on(a.redo, [this] { session().redoFusion(); });
  on(a.save, [this] { save(); });
  on(a.nextMissed, [this] { walk(1); });
  on(a.previousMissed, [this] { walk(-1); });
  on(a.nextPlace, [this] { walkPlaces(1); });
  on(a.previousPlace, [this] { walkPlaces(-1); });
  on(a.why, [this] {
    const protocol::FusionEdge *edge = verdicts_->selectedEdge();
    explain(edge ? reasonPageOf(*edge) : QString());
  });
  on(a.decision, [this] { verdicts_->findDecision(verdicts_->selectedEdge() ? noNode : text_.selected()); });
  on(a.reasons, [this] { explain({}); });
  connect(a.verdicts, &QAction::toggled, this, &FusionController::updateShown);
}

void FusionController::connectPanel() {
  connect(panel_, &FusionPanel::fuseRequested, this,
          [this] { (panel_->isGroupSelected() ? actions_.fusePlaces : actions_.fuseEdge)->trigger(); });
  connect(panel_, &FusionPanel::reasonRequested, this, &FusionController::explain);
  connect(panel_, &FusionPanel::unlockRequested, this, &FusionController::applyTransform);
  connect(panel_, &FusionPanel::policyChanged, this,
          [this](const QString &policy) { settings().setText(u"fusionPolicy"_s, policy); });
  connect(panel_, &FusionPanel::measureRequested, this, [this] { verdicts_->measure(run_.panel().device()); });
  connect(&steps_.panel(), &StepsPanel::reasonRequested, this, &FusionController::explain);
  connect(&graph_.view(), &GraphView::edgeMenuRequested, this,
          [this](int, const QPoint &position) { showEdgeMenu(position); });
  connect(panel_, &FusionPanel::decisionRequested, actions_.decision, &QAction::trigger);
  connect(&text_, &TextController::decisionRequested, this, [this](qint64 op) { verdicts_->findDecision(op); });
  connect(verdicts_, &FusionVerdicts::decisionFound, this, &FusionController::showDecision);
  connect(verdicts_, &FusionVerdicts::decisionMissing, this, [this](const QString &why) { this->shell().tell(why); });
  connect(verdicts_, &FusionVerdicts::foldedEdgeSelected, this,
          [this](const QString &where) { this->shell().tell(where); });
  connect(verdicts_, &FusionVerdicts::hiddenEdgeSelected, &graph_, &GraphController::openAround);
  connect(&text_, &TextController::selectionChanged, this, &FusionController::updateActions);
  connect(verdicts_, &FusionVerdicts::selectionChanged, this, &FusionController::updateActions);
  connect(verdicts_, &FusionVerdicts::reportChanged, this, &FusionController::updateActions);
}

/// The card in Details follows the selected edge.
void FusionController::connectCard() {
  EdgeCard &card = text_.detailsPanel().card();
  edge_ = new EdgeDetails(session(), graph_, card, this);
  card.setCommands(actions_.fuseEdge, actions_.why);
  const auto show = [this] { edge_->show(verdicts_->selectedEdge(), model_.report()); };
  connect(verdicts_, &FusionVerdicts::selectionChanged, this, show);
  connect(verdicts_, &FusionVerdicts::selectionChanged, this, &FusionController::edgeChanged);
  connect(&graph_.view(), &GraphView::edgeSelected, this, show);
  connect(&text_, &TextController::selectionChanged, this, show);
  connect(&card, &EdgeCard::linkActivated, this, [this](const QString &target) {
    if (target.startsWith("why:"_L1))
      explain(target.mid(4));
    else if (target.startsWith("apply:"_L1))
      applyTransform(target.mid(6));
    else if (target.startsWith("decided:"_L1))
      actions_.decision->trigger();
    else if (target.startsWith("tried:"_L1))
      emit patternsRequested(target.mid(6).toLongLong(), true);
    else if (target.startsWith("patterns:"_L1))
      emit patternsRequested(target.mid(9).toLongLong(), false);
  });
  connect(panel_, &FusionPanel::patternsRequested, this, &FusionController::patternsRequested);
}

void FusionController::followSession(EngineSession &session) {
  connect(&session, &EngineSession::fuseProgress, this, &FusionController::showProgress);
  connect(&session, &EngineSession::fused, this, &FusionController::fused);
  connect(&session, &EngineSession::historyMoved, this, &FusionController::historyMoved);
  connect(&session, &EngineSession::fuseFailed, this, &FusionController::failed);
  connect(&session, &EngineSession::runFinished, verdicts_, &FusionVerdicts::setReport);
}

const protocol::FusionEdge *FusionController::selectedEdge() const { return verdicts_->selectedEdge(); }

bool FusionController::isSettled() const { return verdicts_->isSettled(); }
void FusionController::graphShown(int) { verdicts_->sceneShown(); }
void FusionController::opened(const protocol::Document &) { verdicts_->reset(); }
void FusionController::engineRecovered(int) { verdicts_->reset(); }

void FusionController::stepShown(const ShownStep &step) { verdicts_->leaveFor(step.snapshot); }

void FusionController::stepsReplaced(int row) {
  // Whoever looks at the input of a module goes on doing so.
  if (row > 0 || graph_.scenes().snapshot() > 0 || session().document().log)
    verdicts_->reset();
}

void FusionController::engineDied(const CrashReport &report) {
  if (!panel_->message().isEmpty())
    panel_->setMessage(crashText(report), true);
}

void FusionController::restoreState(const Settings &settings) {
  panel_->setPolicy(settings.text(u"fusionPolicy"_s, u"aggressive"_s));
  Controller::restoreState(settings);
}

void FusionController::updateShown() { verdicts_->setShown(actions_.verdicts->isChecked(), dock_->isVisible()); }

void FusionController::walk(int step) {
  shell().docks().raise(dock_);
  panel_->move(step);
}

void FusionController::walkPlaces(int step) {
  shell().docks().raise(dock_);
  panel_->movePlace(step);
}

void FusionController::showDearest() {
  shell().docks().raise(dock_);
  verdicts_->selectDearest();
}

void FusionController::explain(const QString &code) {
  shell().docks().raise(reasonDock_);
  reasons_->explain(code);
}

void FusionController::showDecision(int snapshot, const QString &step) {
  const int row = steps_.model().rowOf(snapshot);
  if (row < 0)
    return;
  shell().docks().raise(dock_);
  shell().tell(tr("Decided in step %1, shown before it").arg(step));
  steps_.select(row);
}

void FusionController::applyTransform(const QString &name) {
  if (!actions_.fuseAll->isEnabled())
    return;
  steps_.noteStart(steps_.currentRow());
  verdicts_->applyTransform(name);
}

void FusionController::sessionChanged() { updateActions(); }

/// What fusing all places of an edge changes besides: to be said before it happens.
QString FusionController::wholeFunctionText(const protocol::FusionEdge *edge) const {
  if (!edge || !edge->missed)
    return tr("Run the transforms that fuse the selected edge on its whole function");
  qint64 others = 0;
  // Those of a group have the same function, the same verdict and the same transforms.
  for (const int row : model_.missedGroups()) {
    const protocol::FusionEdge &other = *model_.edgeAt(row);
    if (other.group != edge->group && other.function == edge->function &&
        std::any_of(other.unlocks.begin(), other.unlocks.end(),
                    [&](const QString &name) { return edge->unlocks.contains(name); }))
      others += model_.placesOf(row).size();
  }
  const QString what = edge->unlocks.isEmpty() ? tr("Looks for transforms, and runs them on the whole function")
                                               : tr("Runs %1 on the whole function").arg(edge->unlocks.first());
  return others == 0 ? tr("%1: edges besides these may change").arg(what)
                     : tr("%1: %2 with the same transform changes, too")
                           .arg(what, counted(others, tr("other missed fusion"), tr("other missed fusions")));
}

void FusionController::updateActions() {
  const Actions &a = actions_;
  const protocol::FusionEdge *edge = verdicts_->selectedEdge();
  const qsizetype places = edge ? verdicts_->placesOfSelected() : 0;
  a.fusePlaces->setText(places > 1 ? tr("Fuse All %1 &Places").arg(groupedNumber(places))
                                   : tr("Fuse &in the Whole Function"));
  a.fusePlaces->setToolTip(wholeFunctionText(edge));
  a.fusePlaces->setStatusTip(a.fusePlaces->toolTip());
  a.fuseEdge->setEnabled(isReady() && edge && edge->missed);
  a.fusePlaces->setEnabled(isReady() && edge && edge->missed);
  a.nextPlace->setEnabled(places > 1);
  a.previousPlace->setEnabled(places > 1);
  a.why->setEnabled(edge && edge->missed);
  a.decision->setEnabled(edge ? isDecided(*edge) : text_.selected() >= 0);
  a.fuseAll->setEnabled(isReady());
  a.fuseFaster->setEnabled(isReady());
  a.cleanUp->setEnabled(isReady());
  a.undo->setEnabled(isReady() && session().undoLevels() > 0);
  a.redo->setEnabled(isReady() && session().redoLevels() > 0);
  a.save->setEnabled(isReady() && session().keptSteps() > 0);
  a.nextMissed->setEnabled(model_.rowCount() > 0);
  a.previousMissed->setEnabled(model_.rowCount() > 0);
  if (session().state() != EngineSession::State::Fusing)
    panel_->setProgress(-1, 0);
  const QString summary = verdicts_->shortSummary();
  button_->setText(summary);
  button_->setVisible(!summary.isEmpty());
}

/// "Tried without success: fuse-all, fusion-cleanup", above the commands.
QString FusionController::stateText(const protocol::FusionEdge &edge) {
  QString words = fusionWords(markOf(edge));
  words[0] = words[0].toUpper();
  const QStringList names = edge.state == protocol::FusionState::Possible ? edge.unlocks : edge.tried;
  constexpr qsizetype most = 3;
  QString list = names.mid(0, most).join(u", "_s);
  if (names.size() > most)
    list += tr(" and %1 more").arg(names.size() - most);
  return list.isEmpty()                                  ? words
         : edge.state == protocol::FusionState::Possible ? tr("%1 by %2").arg(words, list)
                                                         : tr("%1; tried: %2").arg(words, list);
}

void FusionController::showEdgeMenu(const QPoint &position) {
  QMenu menu(&shell().window());
  const protocol::FusionEdge *edge = verdicts_->selectedEdge();
  menu.setToolTipsVisible(true);
  if (edge && edge->missed) {
    QAction *state = menu.addAction(stateText(*edge));
    state->setEnabled(false);
  }
  menu.addActions({actions_.fuseEdge, actions_.fusePlaces, actions_.why, actions_.decision});
  if (edge && !edge->unlocks.isEmpty()) {
    QMenu *unlocks = menu.addMenu(tr("Apply One Transform"));
    for (const QString &name : edge->unlocks)
      unlocks->addAction(name, this, [this, name] { applyTransform(name); });
    unlocks->setEnabled(actions_.fuseAll->isEnabled());
  }
  menu.addSeparator();
  menu.addAction(tr("Show in Missed Fusions"), this, &FusionController::showDearest);
  if (edge) {
    menu.addAction(tr("Go to Producer"), this, [this, op = edge->from] { text_.select(op, true); });
    menu.addAction(tr("Go to Consumer"), this, [this, op = edge->to] { text_.select(op, true); });
  }
  menu.addSeparator();
  menu.addActions(edgeMenuEnd_);
  menu.exec(position);
}

void FusionController::showProgress(const protocol::FuseProgress &progress) {
  QString text = !progress.found.isEmpty() ? tr("Profitable fusions found; looking for more. Cancel keeps them")
                 : progress.phase == "search"_L1
                     ? tr("Looking for an unlock: %1 tried, now %2").arg(progress.done).arg(progress.what)
                 : progress.phase == "apply"_L1   ? tr("Running %1").arg(progress.what)
                 : progress.phase == "measure"_L1 ? tr("Measuring on %1").arg(progress.what)
                                                  : tr("Checking %1 on the host").arg(progress.what);
  panel_->setMessage(text, false);
  panel_->setProgress(progress.done, progress.total);
}

void FusionController::save() {
  QString filter;
  const QString script = tr("Transform script (*.mlir)");
  const QString path = QFileDialog::getSaveFileName(&shell().window(), tr("Save what was fused"),
                                                    besideDocument(session().document(), u".fusion.txt"_s),
                                                    tr("Pipeline (*.txt)") + u";;"_s + script, &filter);
  if (path.isEmpty())
    return;
  const bool isScript = filter == script || QFileInfo(path).suffix() == "mlir"_L1;
  session().client().call<method::SaveFusion>(
      {.path = path, .format = isScript ? method::FusionFormat::Transform : method::FusionFormat::Pipeline}, this,
      [this](const protocol::WrittenFile &written) { shell().tellExported(written.path); },
      [this](const protocol::Error &error) {
        emit shell().errorReported(u"export"_s, tr("What was fused was not saved"), error);
      });
}

} // namespace fuselage

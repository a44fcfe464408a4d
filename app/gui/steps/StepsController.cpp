#include "app/gui/steps/StepsController.h"
#include "app/gui/document/DocumentName.h"
#include "app/gui/shell/Settings.h"
#include "core/protocol/methods/SearchMethods.h"
#include "views/common/Numbers.h"
#include "views/messages/SearchTypes.h"
#include "views/panels/StepsPanel.h"
#include "views/widgets/StepChip.h"
#include <QApplication>
#include <QDockWidget>
#include <QLineEdit>
#include <QTimer>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace fuselage {

StepsController::StepsController(Shell &shell)
    : Controller(shell), panel_(new StepsPanel(&model_)), dock_(shell.docks().add({.area = Qt::LeftDockWidgetArea,
                                                                                   .name = u"steps"_s,
                                                                                   .title = tr("Steps"),
                                                                                   .shortcut = u"Alt+1"_s,
                                                                                   .extent = 320,
                                                                                   .isOpen = true,
                                                                                   .keepsKeyboard = true},
                                                                                  panel_)) {
  addCommands();
  follow(session());
  connect(panel_, &StepsPanel::rowSelected, this, &StepsController::showStep);
  connect(panel_, &StepsPanel::hideUnchangedChanged, this, [this](bool hide) {
    hideUnchanged_->setChecked(hide);
    settings().setFlag(u"hideUnchanged"_s, hide);
  });
  connect(panel_, &StepsPanel::touchedRequested, this, &StepsController::requestTouched);
  for (auto signal : {&QAbstractItemModel::rowsInserted, &QAbstractItemModel::rowsRemoved})
    connect(&model_, signal, panel_, &StepsPanel::forgetTouched);
  connect(&shell, &Shell::documentOpened, this, &StepsController::showDocument);
}

/// Steps whose diff has a line with the op, or with one of the dispatch.
void StepsController::requestTouched(const QString &op) {
  if (!isReady())
    return;
  protocol::Request<method::SearchHistory> subject;
  if (op.startsWith(StepFilter::dispatchSign())) {
    subject.dispatch = op.mid(StepFilter::dispatchSign().size());
    subject.snapshot = model_.snapshotAt(std::max(0, currentRow()));
  } else {
    subject.name = op;
  }
  session().client().call<method::SearchHistory>(
      subject, this,
      [this, op](const protocol::History &history) {
        QSet<int> steps;
        for (const protocol::HistoryEvent &event : history.events)
          if (event.change != protocol::HistoryChange::Present)
            steps.insert(event.step);
        panel_->setTouched(op, steps);
      },
      {}, u"touched"_s);
}

void StepsController::addCommands() {
  next_ = command(tr("&Next Step"), u"next"_s, {QKeySequence(u"J"_s)});
  previous_ = command(tr("&Previous Step"), u"previous"_s, {QKeySequence(u"K"_s)});
  hideUnchanged_ = toggle(tr("&Hide Unchanged Steps"), u"hide"_s, {QKeySequence(u"H"_s)});
  filter_ = command(tr("&Filter Steps"), u"filter"_s, {QKeySequence(u"/"_s)});
  for (const auto &[action, by] : {std::pair(next_, 1), std::pair(previous_, -1)})
    on(action, [this, by] {
      emit walked();
      if (!innerWalk_ || !innerWalk_(by))
        panel_->move(by);
    });
  on(hideUnchanged_, [this](bool hide) { panel_->setHideUnchanged(hide); });
  on(filter_, [this] {
    shell().docks().raise(dock_);
    panel_->filterEdit()->setFocus(Qt::ShortcutFocusReason);
  });
  addPreference(hideUnchanged_);
  QAction *home = command(tr("&Back to the Current Step"), {}, {QKeySequence(u"Alt+Home"_s)});
  home->setToolTip(
      tr("Return a view that shows something else to the current step; the panel with the keyboard focus comes first"));
  on(home, [this] { dropChip(); });
  shell().menus().add(Place::StepMove, {next_, previous_, filter_, hideUnchanged_, home});
  for (QAction *action : {previous_, next_})
    action->setPriority(QAction::LowPriority);
  shell().menus().add(Place::BarStep, {previous_, next_});
}

void StepsController::follow(EngineSession &session) {
  // The old recording is void: back to the input, or to the last fusion, which stay.
  connect(panel_, &StepsPanel::offerAccepted, this, [this] { record({}, currentRow()); });
  connect(&session, &EngineSession::recordingStarted, this, [this] {
    panel_->setOffer({});
    before_ = stepTexts();
    leftPlace_ = showsPlace_;
  });
  connect(&session, &EngineSession::recordingStarted, this, [this] { showHistory(this->session().keptSteps()); });
  connect(&session, &EngineSession::stepStarted, this, [this](const protocol::StepStarted &step) {
    model_.setRunning(step);
    panel_->setProgress(step.index, step.total);
  });
  connect(&session, &EngineSession::stepFinished, &model_, &StepModel::append);
  connect(&session, &EngineSession::toolStepsReplaced, this, [this] {
    const int row = currentRow();
    showDocument();
    select(std::min(row, int(this->session().steps().size())));
  });
  connect(&session, &EngineSession::recorded, this, &StepsController::recordingFinished);
  connect(&session, &EngineSession::recordFailed, this, &StepsController::stopProgress);
  connect(&session, &EngineSession::gaveUp, this, &StepsController::stopProgress);
}

int StepsController::currentRow() const { return panel_->currentRow(); }
void StepsController::select(int row) { panel_->setCurrentRow(row); }

void StepsController::goTo(int snapshot) {
  const int row = model_.rowOf(snapshot);
  if (row == currentRow() && showsPlace_)
    showStep(row);
  else if (row >= 0)
    select(row);
}

QString StepsController::nameOf(int snapshot) const {
  const protocol::Step *step = model_.stepAt(model_.rowOf(snapshot));
  return step ? tr("Step %1, %2").arg(step->index).arg(step->name) : tr("The input");
}

QStringList StepsController::stepTexts() const {
  QStringList texts;
  for (int row = 0; row < model_.rowCount(); ++row)
    if (const protocol::Step *step = model_.stepAt(row))
      texts.append(step->name + u' ' + step->pipeline);
  return texts;
}

void StepsController::stepShown(const ShownStep &step) { showsPlace_ = step.isPlace; }

/// Of the panel that has the keyboard, else of the views, else of any panel.
void StepsController::dropChip() {
  Docks &docks = shell().docks();
  QList<StepChip *> chips{&shell().centre().placeChip(), &shell().centre().baseChip()};
  chips += docks.chips();
  if (const QDockWidget *dock = docks.around(QApplication::focusWidget()))
    chips.prepend(&docks.chip(dock));
  const auto shown = std::find_if(chips.begin(), chips.end(), [](const StepChip *chip) { return chip->isVisible(); });
  if (shown != chips.end())
    (*shown)->click();
  else
    shell().tell(tr("Every view shows the current step"));
}

void StepsController::showStep(int row) {
  if (model_.crashedAt(row))
    row--; // to its input
  const protocol::Step *step = model_.stepAt(row);
  if (row > 0 && !step)
    return; // the running one has no snapshot yet
  emit shell().stepShown({.row = row, .snapshot = model_.snapshotAt(row), .step = step});
  previous_->setEnabled(row > 0);
}

void StepsController::opened(const protocol::Document &document) {
  startName_.clear();
  // A log has its steps already; recording a very large module is for the user to ask for.
  constexpr qint64 manyOps = 20000;
  const bool isLarge = document.ops > manyOps;
  awaitsGraph_ = !document.log && !isLarge;
  panel_->setOffer(document.log || !isLarge
                       ? QString()
                       : tr("Nothing is recorded yet: the module has %1 ops, so each pass takes time and memory.")
                             .arg(groupedNumber(document.ops)));
}

void StepsController::showDocument() {
  emit shell().documentReset();
  const protocol::Document &document = session().document();
  model_.setDocument(startName_.isEmpty() || session().showsLog() ? fuselage::nameOf(document) : startName_);
  model_.setSteps(session().steps());
  showSource();
  // Asks for graph and text: of a module as it was normalized, of a log's first dump.
  select(session().showsLog() ? 0 : session().keptSteps());
}

void StepsController::showSource() {
  panel_->setRecordsFrom(session().showsLog());
  emit sourceChanged();
}

void StepsController::showHistory(int row) {
  emit shell().stepsReplaced(row);
  if (session().document().log)
    showDocument();
  model_.setSteps({});
  model_.setSteps(session().steps());
  select(std::min(row, int(session().steps().size())));
  if (showsPlace_) // of the steps that are gone; the row may be the one that was selected
    showStep(currentRow());
}

void StepsController::graphShown(int) {
  if (!awaitsGraph_)
    return;
  // After the first paint: the graph is what the user waits for.
  QTimer::singleShot(0, this, [this] {
    if (std::exchange(awaitsGraph_, false))
      session().record({});
  });
}

void StepsController::nameRemoved(Sides step, const QStringList &names) {
  if (const protocol::Step *current = model_.stepAt(currentRow());
      current && Sides{current->before, current->after} == step)
    panel_->setRemovedOps(names);
}

void StepsController::noteStart(int row) {
  if (!session().showsLog())
    return;
  const protocol::Step *step = model_.stepAt(row);
  startName_ = step ? tr("step %1, %2").arg(step->index).arg(step->name) : tr("the first dump");
}

void StepsController::record(RecordRequest request, int row) {
  const int start = std::max(row, 0);
  noteStart(start);
  if (session().showsLog())
    request.from = model_.snapshotAt(start);
  session().record(request);
}

void StepsController::recordingFinished(const protocol::Recording &recording) {
  panel_->setProgress(0, 0);
  // Where no step ran, the row that was shown is still there. What a failed step left is nothing to look at: its row
  // says why, and what was shown, or the last good step, stays on screen.
  const int last = int(recording.steps.size()) - (recording.failed ? 1 : 0);
  const int row = std::min(currentRow(), std::max(0, last));
  model_.setSteps(recording.steps);
  if (row >= 0 && currentRow() != row)
    select(row);
  if (recording.failed) {
    shell().tell(tr("Step %1 failed; every step before it is kept").arg(recording.steps.size() - 1));
  } else if (recording.cancelled) {
    shell().tell(
        tr("Cancelled; %1 recorded before are kept").arg(counted(recording.steps.size(), tr("step"), tr("steps"))));
  } else if (!recording.steps.isEmpty()) {
    isSame_ = stepTexts() == before_;
    const QString steps = counted(recording.steps.size(), tr("step"), tr("steps"));
    shell().tell(isSame_ ? tr("%1 recorded, the same as before").arg(steps) : tr("%1 recorded").arg(steps));
  }
}

void StepsController::stopProgress() {
  model_.clearRunning();
  panel_->setProgress(0, 0);
}

void StepsController::sessionChanged() {
  next_->setEnabled(session().hasDocument());
  previous_->setEnabled(currentRow() > 0);
}

void StepsController::engineDied(const CrashReport &report) {
  stopProgress();
  // A transform of a schedule is no step; its panel marks it.
  if (report.cancelled || !report.step || report.exit.request == "schedule/trace"_L1)
    return;
  const protocol::StepStarted &step = *report.step;
  model_.setCrashed({.name = step.name.isEmpty() ? step.pass : step.name,
                     .pipeline = step.pipeline,
                     .reason = report.exit.reason(),
                     .stack = report.exit.stack});
}

void StepsController::engineRecovered(int) {
  const std::optional<CrashedStep> crashed = model_.crashed();
  model_.setSteps(session().steps());
  if (crashed)
    model_.setCrashed(*crashed);
  showSource();
  if (currentRow() < 0)
    select(0);
}

void StepsController::restoreState(const Settings &settings) {
  Controller::restoreState(settings);
  panel_->setHideUnchanged(settings.flag(u"hideUnchanged"_s, false));
}

void StepsController::saveDocument(QJsonObject &state) const { state.insert("row"_L1, currentRow()); }

void StepsController::restoreDocument(const QJsonObject &state) {
  if (const int row = state["row"_L1].toInt(); row > 0 && row < model_.rowCount())
    select(row);
}

} // namespace fuselage

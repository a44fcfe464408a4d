#include "app/gui/text/SidesController.h"
#include "app/gui/graph/GraphController.h"
#include "app/gui/graph/SideGraph.h"
#include "app/gui/steps/StepsController.h"
#include "app/gui/text/TextController.h"
#include "views/panels/SidesBar.h"
#include "views/text/DiffView.h"
#include "views/widgets/StepChip.h"
#include <QComboBox>
#include <QTimer>

using namespace Qt::StringLiterals;

namespace fuselage {

SidesController::SidesController(Shell &shell, StepsController &steps, GraphController &graph, TextController &text)
    : Controller(shell), steps_(steps), graph_(graph), text_(text), bar_(text.sidesBar()), listing_(new QTimer(this)) {
  listing_->setSingleShot(true);
  listing_->setInterval(0);
  connect(listing_, &QTimer::timeout, this, &SidesController::listSteps);
  // Once for all steps that come together.
  connect(&steps.model(), &QAbstractItemModel::modelReset, listing_, qOverload<>(&QTimer::start));
  connect(&steps.model(), &QAbstractItemModel::rowsInserted, listing_, qOverload<>(&QTimer::start));
  connect(&steps.model(), &QAbstractItemModel::dataChanged, listing_, qOverload<>(&QTimer::start));
  connectBar(*bar_);
  connect(&shell.centre().baseChip(), &StepChip::clicked, this, [this] { pin(-1); });
  addCommands();
}

void SidesController::connectBar(SidesBar &bar) {
  connect(&bar, &SidesBar::leftChosen, this, &SidesController::pin);
  connect(&bar, &SidesBar::rightChosen, this, &SidesController::select);
  connect(&bar, &SidesBar::ownChosen, this, [this] { pin(-1); });
}

void SidesController::addCommands() {
  compare_ = command(tr("Compare with S&tep\u2026"), {}, {QKeySequence(u"Ctrl+D"_s)});
  compare_->setToolTip(tr("Choose two steps to compare, as graphs side by side or as a diff"));
  pin_ = toggle(tr("P&in as Left Side"), {}, {QKeySequence(u"Ctrl+Alt+P"_s)});
  pin_->setToolTip(tr("Compare every step shown from now on with this one; choose it again to stop"));
  two_ = toggle(tr("T&wo Graphs"), u"diff"_s, {QKeySequence(u"Ctrl+Alt+D"_s)});
  two_->setToolTip(tr("The graph of the step that is compared with, beside that of the step on screen"));
  on(compare_, [this] {
    const bool inGraph = shell().centre().shownView() == View::Graph;
    if (inGraph)
      two_->setChecked(true);
    else
      shell().showView(View::Diff);
    (inGraph ? graphBar_ : bar_)->leftBox()->setFocus(Qt::ShortcutFocusReason);
  });
  connect(two_, &QAction::toggled, this, &SidesController::showBoth);
  on(pin_, [this](bool on) { pin(on ? shown_ : -1); });
  shell().menus().add(Place::StepChange, {compare_, two_, pin_});
}

void SidesController::listSteps() {
  QList<QPair<QString, int>> rows;
  const StepModel &model = steps_.model();
  for (int row = 0; row < model.rowCount(); ++row) {
    const protocol::Step *step = model.stepAt(row);
    if (row == 0)
      rows.append({tr("The input"), model.snapshotAt(0)});
    else if (step && step->after >= 0)
      rows.append({tr("Step %1, %2").arg(step->index).arg(step->name), step->after});
  }
  bar_->setSteps(rows);
  if (graphBar_)
    graphBar_->setSteps(rows);
  apply();
}

void SidesController::showBoth(bool both) {
  if (both && !side_) {
    graphBar_ = new SidesBar(true);
    connectBar(*graphBar_);
    connect(graphBar_, &SidesBar::closed, this, [this] { two_->setChecked(false); });
    side_ = new SideGraph(session(), graph_, graphBar_, this);
    connect(side_, &SideGraph::partnerMeant, this, [this](qint64 id) { text_.select(id, true); });
    connect(&text_, &TextController::selectionChanged, side_, &SideGraph::followMain);
    listSteps();
  }
  if (!side_)
    return;
  side_->setVisible(both);
  if (both) {
    shell().showView(View::Graph);
    pinnedBefore_ = pinned_;
    compareGraphs();
  } else {
    pin(pinnedBefore_);
  }
}

/// What is marked in the graphs.
void SidesController::compareGraphs() {
  if (side_)
    side_->compare(sides(), graphBar_->leftBox()->currentText(), graphBar_->rightBox()->currentText());
}

void SidesController::select(int snapshot) {
  if (const int row = steps_.model().rowOf(snapshot); row >= 0)
    steps_.select(row);
}

Sides SidesController::sides() const { return pinned_ < 0 ? ownSides() : Sides{.before = pinned_, .after = shown_}; }

Sides SidesController::ownSides() const {
  const protocol::Step *step = steps_.currentStep();
  return step ? Sides{.before = step->before, .after = step->after} : Sides();
}

void SidesController::pin(int snapshot) {
  if (snapshot == pinned_)
    return apply();
  pinned_ = snapshot;
  apply();
  text_.compareWith(pinned_);
  graph_.scenes().show(shown_, sides());
  compareGraphs();
}

/// What the bar and the command say.
void SidesController::apply() {
  const Sides own = ownSides();
  for (SidesBar *bar : {bar_, graphBar_})
    if (bar)
      bar->setSides(pinned_ >= 0 ? pinned_ : own.before, shown_, pinned_ < 0);
  pin_->setChecked(pinned_ >= 0);
  StepChip &chip = shell().centre().baseChip();
  if (pinned_ >= 0)
    chip.tell(pinned_ == 0 ? tr("Compared with the input") : tr("Compared with %1").arg(steps_.nameOf(pinned_)),
              tr("Graph and diff compare every step with it. A click compares with what was before each step again"));
  else
    chip.clear();
}

void SidesController::documentReset() {
  pinned_ = shown_ = pinnedBefore_ = -1;
  if (side_)
    side_->reset();
  text_.compareWith(-1);
  apply();
}

void SidesController::stepsReplaced(int) {
  if (pinned_ > 0)
    pinned_ = -1;
  pinnedBefore_ = -1;
  if (side_)
    side_->reset();
  text_.compareWith(pinned_);
}

void SidesController::stepShown(const ShownStep &step) {
  shown_ = step.snapshot;
  pin_->setEnabled(!step.isPlace);
  two_->setEnabled(!step.isPlace);
  if (step.isPlace) { // a schedule tells what it did by itself
    two_->setChecked(false);
    shell().centre().baseChip().clear(); // and is compared with what was before
    return;
  }
  apply();
  if (pinned_ >= 0)
    graph_.scenes().show(shown_, sides());
  compareGraphs();
}

void SidesController::engineRecovered(int) {
  if (side_)
    side_->refresh();
}

bool SidesController::isSettled() const { return !side_ || side_->isSettled(); }

void SidesController::saveDocument(QJsonObject &state) const {
  if (pinned_ >= 0 || two_->isChecked())
    state.insert("sides"_L1, QJsonObject{{u"pinned"_s, pinned_}, {u"graphs"_s, two_->isChecked()}});
}

void SidesController::restoreDocument(const QJsonObject &state) {
  const QJsonObject sides = state["sides"_L1].toObject();
  if (const int pinned = sides["pinned"_L1].toInt(-1); steps_.model().rowOf(pinned) >= 0)
    pin(pinned);
  if (sides["graphs"_L1].toBool() && shell().centre().shownView() == View::Graph)
    two_->setChecked(true);
}

} // namespace fuselage

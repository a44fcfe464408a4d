#include "app/gui/text/SidesController.h"
#include "app/gui/graph/GraphController.h"
#include "app/gui/steps/StepsController.h"
#include "app/gui/text/TextController.h"
#include "views/panels/SidesBar.h"
#include "views/text/DiffView.h"
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
  connect(bar_, &SidesBar::leftChosen, this, &SidesController::pin);
  connect(bar_, &SidesBar::rightChosen, this, &SidesController::select);
  connect(bar_, &SidesBar::ownChosen, this, [this] { pin(-1); });
  addCommands();
}

void SidesController::addCommands() {
  compare_ = command(tr("Compare with S&tep\u2026"), {}, {QKeySequence(u"Ctrl+D"_s)});
  compare_->setToolTip(tr("Choose any two steps for the diff and for the marks on the graph"));
  pin_ = toggle(tr("P&in as Left Side"), {}, {QKeySequence(u"Ctrl+Alt+P"_s)});
  pin_->setToolTip(tr("Compare every step that is shown from now on with this one; once more ends that"));
  on(compare_, [this] {
    shell().showView(View::Diff);
    bar_->leftBox()->setFocus(Qt::ShortcutFocusReason);
  });
  on(pin_, [this](bool on) { pin(on ? shown_ : -1); });
  shell().menus().add(Place::StepChange, {compare_, pin_});
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
  apply();
}

void SidesController::select(int snapshot) {
  if (const int row = steps_.model().rowOf(snapshot); row >= 0)
    steps_.select(row);
}

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
  graph_.scenes().show(shown_, pinned_ < 0 ? ownSides() : Sides{.before = pinned_, .after = shown_});
  if (pinned_ >= 0)
    shell().tell(tr("Every step is compared with %1").arg(bar_->leftBox()->currentText()));
}

/// What the bar and the command say.
void SidesController::apply() {
  const Sides own = ownSides();
  bar_->setSides(pinned_ >= 0 ? pinned_ : own.before, shown_, pinned_ < 0);
  pin_->setChecked(pinned_ >= 0);
}

void SidesController::documentReset() {
  pinned_ = shown_ = -1;
  text_.compareWith(-1);
  apply();
}

void SidesController::stepsReplaced(int) {
  if (pinned_ > 0)
    pinned_ = -1;
  text_.compareWith(pinned_);
}

void SidesController::stepShown(const ShownStep &step) {
  shown_ = step.snapshot;
  pin_->setEnabled(!step.isPlace);
  if (step.isPlace) // a schedule tells what it did by itself
    return;
  apply();
  if (pinned_ >= 0)
    graph_.scenes().show(shown_, {.before = pinned_, .after = shown_});
}

} // namespace fuselage

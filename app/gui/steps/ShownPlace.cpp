#include "app/gui/steps/ShownPlace.h"
#include "views/widgets/StepChip.h"

namespace fuselage {

ShownPlace::ShownPlace(Shell &shell, QObject *parent) : QObject(parent), shell_(shell) {
  connect(&shell.centre().placeChip(), &StepChip::clicked, this, &ShownPlace::leave);
}

void ShownPlace::show(int snapshot, int before, const QString &did, const QString &what) {
  place_ = snapshot;
  protocol::Step led;
  led.index = -1;
  led.before = before;
  led.after = place_;
  led.name = did;
  emit shell_.stepShown({.row = step_.row, .snapshot = place_, .step = before >= 0 ? &led : nullptr, .isPlace = true});
  const QString back =
      step_.row > 0 ? tr("A click leads back to step %1").arg(step_.row - 1) : tr("A click leads back to the input");
  shell_.centre().placeChip().tell(what, tr("Graph, text and diff show it. %1").arg(back));
}

void ShownPlace::forget() {
  if (!isShown())
    return;
  place_ = -1;
  shell_.centre().placeChip().clear();
}

void ShownPlace::forgetDocument() {
  forget();
  step_ = {};
}

void ShownPlace::leave() {
  if (!isShown())
    return;
  forget();
  emit shell_.stepShown(step_);
}

void ShownPlace::stepShown(const ShownStep &step) {
  if (step.isPlace) {
    if (step.snapshot != place_)
      place_ = -1; // and the chip is theirs
    return;
  }
  forget();
  step_ = step;
  if (step.step)
    led_ = *step.step;
  step_.step = step.step ? &led_ : nullptr;
}

} // namespace fuselage

#include "app/gui/steps/ShownPlace.h"
#include "views/widgets/Banner.h"

namespace fuselage {

ShownPlace::ShownPlace(Shell &shell, QObject *parent) : QObject(parent), shell_(shell) {}

void ShownPlace::show(int snapshot, int before, const QString &did, const QString &message) {
  place_ = snapshot;
  protocol::Step led;
  led.index = -1;
  led.before = before;
  led.after = place_;
  led.name = did;
  emit shell_.stepShown({.row = step_.row, .snapshot = place_, .step = before >= 0 ? &led : nullptr, .isPlace = true});
  shell_.banner().showMessage(Banner::Kind::Info, message);
  shell_.banner().addButton(step_.row > 0 ? tr("Back to Step %1").arg(step_.row - 1) : tr("Back to the Input"), this,
                            [this] { leave(); });
}

void ShownPlace::forget() {
  if (!isShown())
    return;
  place_ = -1;
  shell_.banner().hide();
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
      place_ = -1; // and the banner is theirs
    return;
  }
  forget();
  step_ = step;
  if (step.step)
    led_ = *step.step;
  step_.step = step.step ? &led_ : nullptr;
}

} // namespace fuselage

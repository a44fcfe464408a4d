// A payload that is no step of the list, in graph, text and diff.
#pragma once
#include "app/gui/shell/Shell.h"

namespace fuselage {

/// Shows it as a step of the list is shown, under a chip that leads back to that.
class ShownPlace : public QObject {
  Q_OBJECT
public:
  ShownPlace(Shell &shell, QObject *parent);

  /// `before` is what the diff compares with, and `did` led from there; negative: nothing did. `what` is shown, for the
  /// chip.
  void show(int snapshot, int before, const QString &did, const QString &what);
  /// Back to the step of the list.
  void leave();
  /// Another document is there: its steps are still to come.
  void forgetDocument();
  /// Of the list, or a place, which may be somebody else's.
  void stepShown(const ShownStep &step);
  bool isShown() const { return place_ >= 0; }
  /// The snapshot on screen; -1: it is that of the step.
  int snapshot() const { return place_; }
  /// The snapshot of the step of the list.
  int stepSnapshot() const { return step_.snapshot; }

private:
  void forget();

  Shell &shell_;
  ShownStep step_; ///< of the list; `step` is led_, or null
  protocol::Step led_;
  int place_ = -1;
};

} // namespace fuselage

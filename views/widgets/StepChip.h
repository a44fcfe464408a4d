// A chip on a view that does not show the current step: it says what the view shows, and a click ends that.
#pragma once
#include <QAbstractButton>

namespace fuselage {

/// Hidden while there is nothing to say. Space, Return, Delete and Escape are clicks.
class StepChip : public QAbstractButton {
  Q_OBJECT
public:
  explicit StepChip(QWidget *parent = nullptr);
  /// `what` the view shows, such as "Step 3, Form dispatches"; `tip` says what a click does.
  void tell(const QString &what, const QString &tip);
  /// The view shows the current step.
  void clear();

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

protected:
  void paintEvent(QPaintEvent *event) override;
  void keyPressEvent(QKeyEvent *event) override;

private:
  QSize sizeFor(int textWidth) const;
};

} // namespace fuselage

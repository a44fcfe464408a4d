// A status bar whose message ends where the widgets at its right begin.
#pragma once
#include <QStatusBar>

namespace fuselage {

/// QStatusBar cuts a message that is too long; this one ends it in an ellipsis and has it whole in its tool tip.
class StatusBar : public QStatusBar {
  Q_OBJECT
public:
  explicit StatusBar(QWidget *parent = nullptr);
  /// What there is room for of the message.
  QString shownMessage() const;

protected:
  void paintEvent(QPaintEvent *event) override;

private:
  QRect room() const;
};

} // namespace fuselage

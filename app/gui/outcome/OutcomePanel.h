// The card that a fusion or a recorded pipeline ends with.
#pragma once
#include "app/gui/outcome/Outcome.h"
#include <QWidget>

class QAction;
class QGridLayout;
class QLabel;
class QPushButton;
class QScrollArea;

namespace fuselage {

class OutcomePanel : public QWidget {
  Q_OBJECT
public:
  explicit OutcomePanel(QWidget *parent = nullptr);

  void show(const Outcome &outcome);
  void clear();
  /// Buttons that do what these commands do, and are enabled as they are.
  void setCommands(const QList<QAction *> &actions);
  /// "Dispatches: 3 before, 1 after, −2", .., as a screen reader says them.
  QStringList texts() const;
  QString title() const;
  QList<QPushButton *> buttons() const { return buttons_; }

signals:
  void closeRequested();

protected:
  void keyPressEvent(QKeyEvent *event) override;
  bool eventFilter(QObject *watched, QEvent *event) override;

private:
  void addRow(const OutcomeRow &row);
  void fitWidth();
  QLabel *cell(const QString &text, Qt::Alignment alignment = {});

  QLabel *title_, *note_, *hint_;
  QScrollArea *area_;
  QWidget *table_;
  QGridLayout *grid_;
  QList<QPushButton *> buttons_;
  QWidget *bar_;
  QList<OutcomeRow> rows_;
};

} // namespace fuselage

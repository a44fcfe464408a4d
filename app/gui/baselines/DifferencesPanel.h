// Two runs to choose, and what differs: a tab of the Run panel.
#pragma once
#include "app/gui/baselines/DifferenceModel.h"
#include "app/gui/baselines/KeptRun.h"
#include <QWidget>

class QAction;
class QComboBox;
class QLabel;
class QMenu;
class QTableView;
class QToolButton;

namespace fuselage {

class EmptyHint;

class DifferencesPanel : public QWidget {
  Q_OBJECT
public:
  explicit DifferencesPanel(QWidget *parent = nullptr);

  /// What can be chosen, baselines first. `before` and `after` are indices; -1: none.
  void setRuns(const QList<KeptRun> &runs, int before, int after);
  /// Indices of what is chosen; -1: nothing.
  int before() const;
  int after() const;
  void choose(int before, int after);
  DifferenceModel &model() { return model_; }
  QComboBox *beforeBox() const { return before_; }
  QComboBox *afterBox() const { return after_; }
  QTableView *table() const { return table_; }
  /// The sums and how they compare, and what makes the runs hard to compare.
  QString summary() const;
  QToolButton *csvButton() const { return csv_; }
  QToolButton *baselinesButton() const { return baselines_; }
  /// What the menu of the button has.
  void setBaselineActions(const QList<QAction *> &actions);

signals:
  /// By the user's hand.
  void chosen();
  void csvRequested();

private:
  void show();

  QList<KeptRun> runs_;
  DifferenceModel model_;
  QComboBox *before_, *after_;
  QLabel *summary_;
  QTableView *table_;
  EmptyHint *hint_;
  QToolButton *baselines_, *csv_;
  QMenu *menu_;
};

} // namespace fuselage

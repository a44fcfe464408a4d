// The list of steps, its filter, and the paragraph that explains the selected one.
#pragma once
#include "views/models/StepModel.h"
#include <QWidget>

class QLabel;
class QLineEdit;
class QProgressBar;
class QPushButton;
class QStringListModel;
class QTextBrowser;
class QTimer;
class QToolButton;
class QTreeView;

namespace fuselage {

class StepsPanel : public QWidget {
  Q_OBJECT
public:
  explicit StepsPanel(StepModel *model, QWidget *parent = nullptr);

  /// The selected row of the model, which is the number of a snapshot; -1: none.
  int currentRow() const;
  /// Selects a row of the model; one that the filter hides is shown by clearing the filter.
  void setCurrentRow(int row);
  /// To the next or previous visible row that has a snapshot.
  void move(int rows);
  /// The row that move() would select; -1: none.
  int rowAt(int rows) const;
  void setHideUnchanged(bool hide);
  /// 0 of 0: no recording runs.
  void setProgress(int done, int total);
  /// Ops that the selected step removed, shown under its paragraph.
  void setRemovedOps(const QStringList &ops);
  /// Why nothing is recorded, above the list with a button that asks for it; empty: nothing is missing.
  void setOffer(const QString &why);
  QPushButton *offerButton() const { return offerButton_; }
  /// Steps of a log can be recorded on from.
  void setRecordsFrom(bool records) { recordsFrom_ = records; }
  /// Names of dispatches that can be filtered by.
  void setDispatches(const QStringList &names) { dispatches_ = names; }
  /// Steps that touched an op or a dispatch that the filter names.
  void setTouched(const QString &name, const QSet<int> &steps);
  /// The steps are others.
  void forgetTouched() { filter_.forgetTouched(); }
  QLineEdit *filterEdit() const { return filterEdit_; }
  QTreeView *list() const { return list_; }

signals:
  /// The filter asks for the steps that touched this op, or "dispatch:name".
  void touchedRequested(const QString &op);
  void rowSelected(int row);
  void hideUnchangedChanged(bool hide);
  void offerAccepted();
  void reproducerRequested(int step);
  /// To record a pipeline from what this row shows.
  void recordFromRequested(int row);
  /// Of a step of a fusion: the page of the reason that it is against.
  void reasonRequested(const QString &code);
  /// The op that a diagnostic of a step lies on, and its line, in the snapshot before the step.
  void opRequested(int step, qint64 op, int line);
  /// Of the step that crashed.
  void crashReproducerRequested();

protected:
  bool eventFilter(QObject *watched, QEvent *event) override;
  void resizeEvent(QResizeEvent *event) override;

private:
  QModelIndex indexAt(int rows) const;
  void applyFilter();
  void requestTouched();
  void completeFilter();
  void showMatches();
  void showTeaching();
  void showDumpedStep(const protocol::Step &step);
  void showRecordedStep(const protocol::Step &step);
  void showCrashedStep(const CrashedStep &step);
  void goToProblem(int number);
  void showTimes();
  void showMenu(const QPoint &position);

  StepModel *model_;
  StepFilter filter_;
  QLineEdit *filterEdit_;
  QStringListModel *completions_;
  QTimer *pause_; ///< after the last letter of the filter
  QToolButton *hide_;
  QTreeView *list_;
  QTextBrowser *teaching_;
  QProgressBar *progress_;
  QWidget *offer_;
  QLabel *offerText_, *noMatch_;
  QPushButton *offerButton_;
  QStringList removedOps_, dispatches_;
  bool recordsFrom_ = false;
};

} // namespace fuselage

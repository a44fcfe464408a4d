// Missed fusions: the table, the evidence of the selected edge, and what can be done about it.
#pragma once
#include "views/models/FusionModel.h"
#include "views/panels/FusionEvidence.h"
#include <QWidget>

class QAction;
class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QProgressBar;
class QTableView;
class QTextBrowser;

namespace fuselage {

class EmptyHint;
class WrapRow;

class FusionPanel : public QWidget {
  Q_OBJECT
public:
  explicit FusionPanel(FusionModel *model, QWidget *parent = nullptr);

  /// Buttons for commands of the window, in this order; null: the end of a group.
  void setCommands(const QList<QAction *> &commands);
  QString policy() const;
  void setPolicy(const QString &policy);
  /// The line over the table: dispatches, edges, what is missed. `bandwidth`: where the time comes from.
  void showSummary(const QString &bandwidth);
  void clearSummary();
  /// In place of the summary, while a report is made or there is none.
  void setHint(const QString &title, const QString &hint);
  void setMessage(const QString &message, bool isError);
  /// -1: none under way; `total` 0: no end in sight.
  void setProgress(int done, int total);
  /// How ops are called in the evidence.
  void setNames(OpNames names) { names_ = std::move(names); }

  /// What is noted about a row, as lines of plain text, to be shown with the evidence.
  void setNotes(std::function<QStringList(int)> notes);
  /// Where the selected row is, if the graph has no line for it; empty: it has one.
  void setWhere(const QString &where);
  /// The notes have changed.
  void updateNotes() { showEvidence(); }

  /// Whether the selected row stands for several edges, and none of them was picked.
  bool isGroupSelected() const;
  /// Row of the model, of those that the selected row stands for; -1: none. Rows that the filter hides are shown by
  /// clearing it.
  int currentRow() const;
  /// Without rowSelected.
  void setCurrentRow(int row);
  /// To the row of another group, `step` groups down the table; without a row, to the first one.
  void move(int step);
  /// To the edge `step` after the current one of those that are the same but for where they are; rowSelected() tells.
  void movePlace(int step);
  QTableView *table() const { return table_; }
  QTextBrowser *evidence() const { return evidence_; }
  QComboBox *policyBox() const { return policy_; }
  QLineEdit *filterEdit() const { return filterEdit_; }
  QCheckBox *eachBox() const { return each_; }
  QString message() const;

signals:
  /// By the user's hand.
  void rowSelected(int row);
  void policyChanged(const QString &policy);
  void opActivated(qint64 op);
  /// Of an op: those that the step tried, or those that would apply to it now.
  void patternsRequested(qint64 op, bool tried);
  /// Please show the selected edge where it was decided.
  void decisionRequested();
  void reasonRequested(const QString &code);
  /// A transform by its short name: "absorb-transpose".
  void unlockRequested(const QString &transform);
  /// Of the memory of the device that kernels run on.
  void measureRequested();
  /// Return, or a double click, on a row.
  void fuseRequested();

protected:
  void changeEvent(QEvent *event) override;

private:
  void showEvidence();
  void buildTable();
  QLayout *buildTools();

  int tableRow() const;
  void pickPlace(int row);
  QString describeRow(int row) const;
  QString describePlaces(int row) const;

  FusionModel *model_;
  int place_ = -1;  ///< the edge of the selected row that is looked at, where the row stands for several; -1: the first
  int picked_ = -1; ///< the edge that was picked last among those of its row; -1: none since a row was selected
  FusionFilter filter_;
  OpNames names_;
  std::function<QStringList(int)> notes_;
  QComboBox *policy_;
  QCheckBox *each_;
  QLineEdit *filterEdit_;
  QLabel *summary_, *message_;
  QProgressBar *progress_;
  WrapRow *tools_;
  QTableView *table_;
  EmptyHint *hint_;
  QTextBrowser *evidence_;
  QString where_;
  bool quiet_ = false;
};

} // namespace fuselage

// Two programs side by side: what B is, the totals, and a row for each set of dispatches that do the same.
#pragma once
#include "views/models/CompareModel.h"
#include <QWidget>

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QTableView;

namespace fuselage {

class DispatchCards;
class EmptyHint;

/// What the shown step is compared with: one of these.
struct CompareRequest {
  int snapshot = -1;
  QString path;
  QString tool; ///< a command that the user has chosen
  bool fuseAll = false;
};

class ComparePanel : public QWidget {
  Q_OBJECT
public:
  explicit ComparePanel(CompareModel *model, QWidget *parent = nullptr);

  /// Steps of the recording: their names, and the snapshots behind them.
  void setSteps(const QList<QPair<QString, int>> &steps);
  /// Commands of compilers that are here.
  void setTools(const QStringList &commands);
  /// Files of the documents that are open in other tabs.
  void setOpenFiles(const QStringList &paths);
  /// Adds a file to what can be chosen, and chooses it.
  void addFile(const QString &path);
  /// Of what is chosen.
  CompareRequest request() const;
  void showSummary();
  void setHint(const QString &title, const QString &hint);
  void setBusy(bool busy);
  DispatchCards *cards() const { return cards_; }
  QTableView *table() const { return table_; }
  QComboBox *withBox() const { return with_; }
  QPushButton *compareButton() const { return compare_; }
  QLabel *summary() const { return summary_; }
  QLineEdit *filterEdit() const { return filterEdit_; }
  QCheckBox *sameBox() const { return same_; }
  QCheckBox *eachBox() const { return each_; }

signals:
  void compareRequested();
  void fileRequested();
  void cancelRequested();
  /// By the user's hand; a row of the model.
  void rowSelected(int row);
  /// A dispatch of a side, by its index there.
  void dispatchActivated(bool ofB, int dispatch);

private:
  void fill();
  void choose(int index);
  CompareModel *model_;
  CompareFilter filter_;
  QComboBox *with_;
  QCheckBox *fuse_, *same_, *each_;
  QPushButton *compare_;
  QLineEdit *filterEdit_;
  QLabel *summary_;
  QTableView *table_;
  DispatchCards *cards_;
  EmptyHint *hint_;
  QList<QPair<QString, int>> steps_;
  QStringList tools_, files_, open_;
  bool busy_ = false;
};

} // namespace fuselage

// The results of kernel bundles that ran elsewhere: what each file is of, and its dispatches side by side.
#pragma once
#include "app/gui/bundles/BundleResultsModel.h"
#include <QSortFilterProxyModel>
#include <QWidget>

class QComboBox;
class QLabel;
class QPushButton;
class QTableView;

namespace fuselage {

class BundleResultsPanel : public QWidget {
  Q_OBJECT
public:
  explicit BundleResultsPanel(BundleResultsModel *model, QWidget *parent = nullptr);

  /// After the model has other files.
  void showFiles();
  /// What went wrong with a file; empty: nothing.
  void setMessage(const QString &message);
  QString message() const;
  /// Which file tints the graph, and which one Close closes; -1: there is none.
  int currentFile() const;
  void setCurrentFile(int file);
  /// By program, without rowSelected(); -1: none.
  void setCurrentRow(int row);
  int currentRow() const;
  void setReady(bool ready);
  QTableView *table() const { return table_; }
  QString facts() const;
  QPushButton *openButton() const { return open_; }
  QPushButton *closeButton() const { return close_; }

signals:
  void openRequested();
  void closeRequested(int file);
  void currentFileChanged(int file);
  /// By the user's hand; a row of the model.
  void rowSelected(int row);

private:
  QString nameOf(int file) const;
  QString factsOf(int file) const;

  BundleResultsModel *model_;
  QSortFilterProxyModel sorted_;
  QPushButton *open_, *close_;
  QLabel *tintLabel_, *facts_, *message_;
  QComboBox *current_;
  QTableView *table_;
  QStringList fitted_;       ///< columns and files that the widths were made for
  int scrolled_ = 0;         ///< before the model was reset
  bool isSelecting_ = false; ///< by program
};

} // namespace fuselage

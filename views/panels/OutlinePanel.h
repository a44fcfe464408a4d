// The outline of a model: a tree that sorts, filters, and leads to graph, text and tables.
#pragma once
#include "views/models/OutlineModel.h"
#include <QWidget>

class QLineEdit;
class QTreeView;

namespace fuselage {

class EmptyHint;

class OutlinePanel : public QWidget {
  Q_OBJECT
public:
  explicit OutlinePanel(OutlineModel *model, QWidget *parent = nullptr);

  /// In place of rows, while there are none.
  void setHint(const QString &title, const QString &hint);
  /// Row of the model; -1: none. Without rowSelected; a row that the filter hides stays so.
  void setCurrentRow(int row);
  int currentRow() const;
  /// After another outline is in the model: opens what one sees first, and what was open before by its name.
  void restoreOpen();
  QTreeView *tree() const { return tree_; }
  QLineEdit *filterEdit() const { return filterEdit_; }

signals:
  /// By the user's hand.
  void rowSelected(int row);
  /// Return: go there.
  void rowActivated(int row);
  /// Double click: open it where it is drawn, too.
  void rowExpanded(int row);

private:
  int rowOf(const QModelIndex &index) const;
  void buildTree();
  void noteOpen(const QModelIndex &index, bool open);

  OutlineModel *model_;
  OutlineFilter filter_;
  QLineEdit *filterEdit_;
  QTreeView *tree_;
  EmptyHint *hint_;
  QSet<QString> open_; ///< names of rows
  bool quiet_ = false;
};

} // namespace fuselage

// The selected op: title, and a tree of what is known about it.
#pragma once
#include "views/models/DetailsModel.h"
#include <QElapsedTimer>
#include <QWidget>

class QLabel;
class QTreeView;

namespace fuselage {

class EdgeCard;
class EmptyHint;

class DetailsPanel : public QWidget {
  Q_OBJECT
public:
  explicit DetailsPanel(DetailsModel *model, QWidget *parent = nullptr);
  QTreeView *tree() const { return tree_; }
  /// Above the tree, which is of the edge's consumer then.
  EdgeCard &card() { return *card_; }
  /// What is selected is not known yet, and the engine has other work.
  void setWaiting(bool isWaiting);

signals:
  /// There is something to see.
  void filled();
  /// Neither an op nor an edge is shown any more.
  void emptied();
  void opActivated(qint64 op);
  /// A line of the opened document, from 0.
  void originActivated(int line);
  /// Please show where it was decided what is fused here.
  void decisionActivated();

protected:
  void resizeEvent(QResizeEvent *event) override;

private:
  void fitNames();
  void follow(const QModelIndex &index);
  void showMenu(const QPoint &position);
  DetailsModel *model_;
  QTreeView *tree_;
  EmptyHint *hint_;
  EdgeCard *card_;
  QElapsedTimer followed_; ///< a link, by the mouse
};

} // namespace fuselage

// Diagnostics; a double click goes to the line.
#pragma once
#include "views/models/ProblemsModel.h"
#include <QWidget>

class QTreeView;

namespace fuselage {

class ProblemsPanel : public QWidget {
  Q_OBJECT
public:
  explicit ProblemsPanel(ProblemsModel *model, QWidget *parent = nullptr);
  QTreeView *list() const { return list_; }

signals:
  /// An op of the snapshot in front of `step` (-1: unknown), or a place in a file (from 1).
  void opActivated(int step, qint64 op, int line);
  void placeActivated(const QString &file, int line, int column);

private:
  void showMenu(const QPoint &position);
  ProblemsModel *model_;
  QTreeView *list_;
};

} // namespace fuselage

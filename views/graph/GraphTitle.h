// What stands over one of two graphs that are compared: which step it is of, and what is marked in it.
#pragma once
#include "views/common/SceneData.h"
#include <QHash>
#include <QLabel>

namespace fuselage {

class GraphTitle : public QLabel {
  Q_OBJECT
public:
  explicit GraphTitle(QWidget *parent = nullptr);
  void show(const QString &step, const QHash<NodeId, Change> &changes);
  void clear();
  /// Ops that are marked so, in boxes that are closed too.
  int count(Change change) const { return counts_[int(change)]; }

protected:
  void changeEvent(QEvent *event) override;

private:
  void write();
  QString step_;
  int counts_[4] = {};
};

} // namespace fuselage

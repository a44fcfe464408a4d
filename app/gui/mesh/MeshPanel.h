// Meshes of devices: how values lie on them, and what collectives move.
#pragma once
#include "app/gui/mesh/MeshModel.h"
#include <QWidget>

class QLabel;
class QTableView;

namespace fuselage {

class EmptyHint;
class MeshView;

class MeshPanel : public QWidget {
  Q_OBJECT
public:
  explicit MeshPanel(MeshModel *model, QWidget *parent = nullptr);

  /// The model has another report.
  void showReport();
  /// There is none, and why.
  void setMessage(const QString &title, const QString &hint);
  /// -1: none is selected, and the mesh is shown alone.
  void setCurrentRow(int row);
  int currentRow() const;
  const MeshView &view() const { return *view_; }
  QString details() const;
  /// Room for a grid of two rows under its names.
  QSize sizeHint() const override { return {720, 280}; }

signals:
  /// By the user's hand.
  void rowSelected(int row);

private:
  void showRow(int row);

  MeshModel *model_;
  QTableView *table_;
  MeshView *view_;
  QLabel *details_;
  EmptyHint *hint_;
  bool isSelecting_ = false;
};

} // namespace fuselage

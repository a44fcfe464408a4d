// The kernels of the last run as a table.
#pragma once
#include "app/bridge/ProtocolTypes.h"
#include <QAbstractTableModel>

namespace fuselage {

/// SortRole carries the plain numbers, so that a QSortFilterProxyModel sorts by value.
class KernelModel : public QAbstractTableModel {
  Q_OBJECT
public:
  enum Column { Dispatch, Median, Min, P95, Gflops, Gbps, AbsError, RelError, Grid, Block, Shared, ColumnCount };
  enum Role { SortRole = Qt::UserRole, OkRole, DispatchIndexRole };

  using QAbstractTableModel::QAbstractTableModel;
  void setKernels(const QList<protocol::Kernel> &kernels);
  const QList<protocol::Kernel> &kernels() const { return kernels_; }

  int rowCount(const QModelIndex &parent = {}) const override;
  int columnCount(const QModelIndex &parent = {}) const override;
  QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
  QList<protocol::Kernel> kernels_;
};

} // namespace fuselage

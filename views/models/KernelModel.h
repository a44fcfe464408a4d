// What the last run did, in its order, as a table: kernels, and the ops between them that ran on the host.
#pragma once
#include "views/messages/RunTypes.h"
#include "views/models/TableModel.h"

namespace fuselage {

/// SortRole carries the plain numbers, so that a QSortFilterProxyModel sorts by value.
class KernelModel : public TableModel {
  Q_OBJECT
public:
  enum Column { Dispatch, Device, Median, Min, P95, Gflops, Gbps, AbsError, RelError, Grid, Block, Shared, ColumnCount };
  /// VerdictRole is a protocol::RunVerdict, -1 where nothing is compared.
  enum Role { SortRole = Qt::UserRole, OkRole, DispatchIndexRole, VerdictRole, StaleRole };

  explicit KernelModel(QObject *parent = nullptr);
  void setKernels(const QList<protocol::Kernel> &kernels);
  const QList<protocol::Kernel> &kernels() const { return kernels_; }
  /// They are of a program that has changed since.
  void setStale(bool stale);
  bool isStale() const { return stale_; }

  int rowCount(const QModelIndex &parent = {}) const override;
  QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;

private:
  QList<protocol::Kernel> kernels_;
  bool stale_ = false;
};

} // namespace fuselage

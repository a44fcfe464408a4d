// What the events of a trace come to, by name.
#pragma once
#include "views/messages/TraceTypes.h"
#include <QAbstractTableModel>

namespace fuselage {

class TraceModel : public QAbstractTableModel {
  Q_OBJECT
public:
  enum Column { Name, Category, Count, Total, Self, Longest, ColumnCount };
  /// Carries the plain numbers.
  static constexpr int SortRole = Qt::UserRole;

  using QAbstractTableModel::QAbstractTableModel;
  void setRows(const QList<protocol::TraceRow> &rows);
  const protocol::TraceRow &row(int row) const { return rows_[row]; }
  /// -1: there is none of that name.
  int rowOf(const QString &name) const;

  int rowCount(const QModelIndex &parent = {}) const override { return parent.isValid() ? 0 : int(rows_.size()); }
  int columnCount(const QModelIndex &parent = {}) const override { return parent.isValid() ? 0 : ColumnCount; }
  QVariant data(const QModelIndex &index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
  QList<protocol::TraceRow> rows_;
};

} // namespace fuselage

// What bufferization did with every operand, as a table.
#pragma once
#include "views/messages/BufferTypes.h"
#include "views/models/TableModel.h"

namespace fuselage {

/// A row for every tensor operand, and for every op that moves data by itself. SortRole carries the plain
/// numbers, so that a QSortFilterProxyModel sorts by value.
class BufferModel : public TableModel {
  Q_OBJECT
public:
  enum Column { Op, Operand, Place, Bytes, Reason, ColumnCount };
  /// CostsRole: whether the row stands for a copy or a new buffer. CopyRole: for a copy. OpRole: its id.
  enum Role { SortRole = Qt::UserRole, CostsRole, CopyRole, OpRole, LineRole };

  explicit BufferModel(QObject *parent = nullptr);
  void setReport(const protocol::BuffersReport &report);
  const protocol::BuffersReport &report() const { return report_; }
  /// The operand of a row; null for an op that moves data.
  const protocol::BufferOperand *operandAt(int row) const;
  const protocol::BufferMove *moveAt(int row) const;
  /// The row of an operand, or of an op's own copy (operand -1); -1: none.
  int rowOf(qint64 op, int operand) const;

  int rowCount(const QModelIndex &parent = {}) const override;
  QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;

private:
  qint64 opAt(int row) const;
  const protocol::BufferBytes *bytesAt(int row) const;
  QString display(int row, int column) const;
  QString toolTip(int row) const;

  protocol::BuffersReport report_;
};

/// "384 KiB", "at least 16 KiB", "unknown".
QString formatBytes(const protocol::BufferBytes &size);
/// "linalg.matmul", or "op 7" where the report does not know it.
QString opName(const protocol::BuffersReport &report, qint64 op);

} // namespace fuselage

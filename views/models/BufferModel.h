// What bufferization did with every operand, as a table.
#pragma once
#include "views/messages/BufferTypes.h"
#include "views/models/TableModel.h"

namespace fuselage {

/// A row for every tensor operand, and for every op that moves data by itself; grouped, one for those that are the same
/// but for where they are. SortRole carries the plain
/// numbers, so that a QSortFilterProxyModel sorts by value.
class BufferModel : public TableModel {
  Q_OBJECT
public:
  enum Column { Op, Operand, Place, Places, Bytes, Total, Reason, Where, ColumnCount };
  /// CostsRole: whether the row stands for a copy or a new buffer. CopyRole: for a copy. OpRole: its id.
  enum Role { SortRole = Qt::UserRole, CostsRole, CopyRole, OpRole, LineRole };

  explicit BufferModel(QObject *parent = nullptr);
  void setReport(const protocol::BuffersReport &report);
  const protocol::BuffersReport &report() const { return report_; }
  void setGrouped(bool grouped);
  /// Whether some row stands, or would stand, for several.
  bool hasGroups() const { return hasGroups_; }
  /// The operand of a row, of several the first; null for an op that moves data.
  const protocol::BufferOperand *operandAt(int row) const;
  const protocol::BufferMove *moveAt(int row) const;
  /// The row of an operand, or of an op's own copy (operand -1), or the one that stands for it; -1: none.
  int rowOf(qint64 op, int operand) const;

  int rowCount(const QModelIndex &parent = {}) const override;
  QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;

private:
  /// Of operands the index in the report, of moves that after all operands.
  using Entry = int;
  struct Row {
    QList<Entry> all;            ///< that it stands for, never empty
    protocol::BufferBytes total; ///< of all of them
    QString where{};             ///< they are, in short
  };
  void makeRows();
  qint64 opOf(Entry entry) const;
  qint64 opAt(int row) const { return opOf(rows_[row].all.first()); }
  QString whereText(int row, size_t most) const;
  const protocol::BufferBytes *bytesAt(int row) const;
  QString display(int row, int column) const;
  QString toolTip(int row) const;

  protocol::BuffersReport report_;
  bool grouped_ = true, hasGroups_ = false;
  QList<Row> rows_;
};

/// "384 KiB", "at least 16 KiB", "unknown".
QString formatBytes(const protocol::BufferBytes &size);
/// "linalg.matmul", or "op 7" where the report does not know it.
QString opName(const protocol::BuffersReport &report, qint64 op);

} // namespace fuselage

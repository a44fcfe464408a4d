#include "app/gui/traces/TraceModel.h"
#include "views/models/Format.h"

namespace fuselage {

void TraceModel::setRows(const QList<protocol::TraceRow> &rows) {
  beginResetModel();
  rows_ = rows;
  endResetModel();
}

int TraceModel::rowOf(const QString &name) const {
  for (int i = 0; i < rows_.size(); ++i)
    if (rows_[i].name == name)
      return i;
  return -1;
}

static QVariant valueOf(const protocol::TraceRow &row, int column) {
  switch (column) {
  case TraceModel::Name:
    return row.name;
  case TraceModel::Category:
    return row.category;
  case TraceModel::Count:
    return qint64(row.count);
  case TraceModel::Total:
    return row.totalUs;
  case TraceModel::Self:
    return row.selfUs;
  default:
    return row.longestUs;
  }
}

QVariant TraceModel::data(const QModelIndex &index, int role) const {
  const int column = index.column();
  const QVariant value = valueOf(rows_[index.row()], column);
  if (role == SortRole)
    return value;
  if (role == Qt::ToolTipRole && column == Name)
    return value;
  if (role == Qt::TextAlignmentRole && column >= Count)
    return int(Qt::AlignRight | Qt::AlignVCenter);
  if (role != Qt::DisplayRole)
    return {};
  return column >= Total ? formatMicroseconds(value.toDouble()) : value;
}

QVariant TraceModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal)
    return {};
  const QString names[] = {tr("Name"), tr("Category"), tr("Count"), tr("Total"), tr("Self"), tr("Longest")};
  const QString about[] = {tr("Events of one name are one row"),
                           tr("What kind of events they are"),
                           tr("How many there are"),
                           tr("Their time with what is inside of them"),
                           tr("Their time without what is inside of them"),
                           tr("The time of the longest one")};
  if (role == Qt::DisplayRole)
    return names[section];
  if (role == Qt::ToolTipRole)
    return about[section];
  if (role == Qt::TextAlignmentRole && section >= Count)
    return int(Qt::AlignRight | Qt::AlignVCenter);
  return {};
}

} // namespace fuselage

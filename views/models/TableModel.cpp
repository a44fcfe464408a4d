#include "views/models/TableModel.h"

namespace fuselage {

TableModel::TableModel(QList<TableColumn> columns, QObject *parent)
    : QAbstractTableModel(parent), columns_(std::move(columns)) {}

int TableModel::columnCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : int(columns_.size()); }

QVariant TableModel::alignment(int column) const {
  return int((columns_.value(column).isNumber ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
}

QVariant TableModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || section < 0 || section >= columns_.size())
    return {};
  switch (role) {
  case Qt::DisplayRole:
    return columns_[section].title;
  case Qt::TextAlignmentRole:
    return alignment(section);
  case Qt::ToolTipRole:
    return columns_[section].toolTip.isEmpty() ? QVariant() : columns_[section].toolTip;
  default:
    return {};
  }
}

} // namespace fuselage

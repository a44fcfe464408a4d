// What all tables of ours have: columns with a title, numbers at the right.
#pragma once
#include <QAbstractTableModel>

namespace fuselage {

struct TableColumn {
  QString title{};
  bool isNumber = false;
  QString toolTip{};
};

/// The columns of a table; what its rows are is up to the derived class.
class TableModel : public QAbstractTableModel {
  Q_OBJECT
public:
  int columnCount(const QModelIndex &parent = {}) const final;
  QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const final;

protected:
  TableModel(QList<TableColumn> columns, QObject *parent);
  /// For Qt::TextAlignmentRole, of the header and of cells.
  QVariant alignment(int column) const;

private:
  QList<TableColumn> columns_;
};

} // namespace fuselage

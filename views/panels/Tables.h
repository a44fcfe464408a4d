// How tables of rows look and behave in every panel.
#pragma once
#include <QString>

class QAbstractItemModel;
class QTableView;

namespace fuselage {

/// Sorted by a click on a column, one row selected at a time, nothing to edit; Tab leaves it.
QTableView *makeTable(QAbstractItemModel *model, const QString &accessibleName);

} // namespace fuselage

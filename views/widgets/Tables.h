// How tables of rows look and behave in every panel.
#pragma once
#include <QList>
#include <QString>

class QAbstractItemModel;
class QTableView;

namespace fuselage {

/// Columns that are as wide as what is in them go by so many rows, those in sight first: to lay out a thousand takes
/// longer than a frame.
inline constexpr int measuredRows = 100;

/// Sorted by a click on a column, one row selected at a time, nothing to edit; Tab leaves it.
QTableView *makeTable(QAbstractItemModel *model, const QString &accessibleName);

/// Shares the width out: a column of weight 0 is as wide as what is in it, the rest is divided by weight.
/// Goes on while the table is resized or gets other rows, until somebody moves a border.
void fitColumns(QTableView *table, const QList<int> &weights);

} // namespace fuselage

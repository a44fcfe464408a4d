#include "views/panels/Tables.h"
#include <QHeaderView>
#include <QTableView>

namespace fuselage {

QTableView *makeTable(QAbstractItemModel *model, const QString &accessibleName) {
  auto *table = new QTableView;
  table->setModel(model);
  table->setAccessibleName(accessibleName);
  table->setFrameShape(QFrame::NoFrame);
  table->setSortingEnabled(true);
  table->setShowGrid(false);
  table->setAlternatingRowColors(true);
  table->setSelectionBehavior(QAbstractItemView::SelectRows);
  table->setSelectionMode(QAbstractItemView::SingleSelection);
  table->setEditTriggers(QAbstractItemView::NoEditTriggers);
  table->setWordWrap(false);
  table->setTabKeyNavigation(false);
  table->verticalHeader()->hide();
  table->verticalHeader()->setDefaultSectionSize(table->fontMetrics().height() + 8);
  table->horizontalHeader()->setHighlightSections(false);
  return table;
}

} // namespace fuselage

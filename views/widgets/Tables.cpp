#include "views/widgets/Tables.h"
#include <QEvent>
#include <QHeaderView>
#include <QScopedValueRollback>
#include <QTableView>
#include <algorithm>

namespace fuselage {

namespace {
/// Lives with its table.
class ColumnFitter : public QObject {
public:
  ColumnFitter(QTableView *table, const QList<int> &weights) : QObject(table), table_(table), weights_(weights) {
    table->viewport()->installEventFilter(this);
    connect(table->model(), &QAbstractItemModel::modelReset, this, &ColumnFitter::fit, Qt::QueuedConnection);
    connect(table->horizontalHeader(), &QHeaderView::sectionResized, this, [this](int, int before, int after) {
      if (before == 0 || after == 0) // it is being hidden or shown, which is nobody's choice of a width
        QMetaObject::invokeMethod(
            this, [this] { fit(); }, Qt::QueuedConnection);
      else
        isOver_ |= !fitting_;
    });
    fit();
  }

protected:
  bool eventFilter(QObject *watched, QEvent *event) override {
    if (event->type() == QEvent::Resize)
      fit();
    return QObject::eventFilter(watched, event);
  }

private:
  void fit() {
    if (isOver_ || fitting_)
      return;
    const QScopedValueRollback fitting(fitting_, true);
    int room = table_->viewport()->width(), total = 0;
    for (int column = 0; column < weights_.size(); ++column) {
      if (table_->isColumnHidden(column))
        continue;
      total += weights_[column];
      if (weights_[column] > 0)
        continue;
      table_->resizeColumnToContents(column);
      room -= table_->columnWidth(column);
    }
    for (int column = 0; column < weights_.size(); ++column)
      if (weights_[column] > 0 && !table_->isColumnHidden(column))
        table_->setColumnWidth(column, std::max(leastWidth * weights_[column], room * weights_[column] / total));
  }

  static constexpr int leastWidth = 24; // a weight
  QTableView *table_;
  QList<int> weights_;
  bool fitting_ = false, isOver_ = false;
};
} // namespace

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
  table->horizontalHeader()->setResizeContentsPrecision(measuredRows);
  return table;
}

void fitColumns(QTableView *table, const QList<int> &weights) { new ColumnFitter(table, weights); }

} // namespace fuselage

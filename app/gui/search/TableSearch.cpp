#include "app/gui/search/TableSearch.h"
#include <QDockWidget>
#include <QRegularExpression>
#include <algorithm>

namespace fuselage {

void TableSearch::setView(QAbstractItemView *view) {
  view_ = view;
  rows_.clear();
  current_ = -1;
}

QAbstractItemView *TableSearch::viewOf(QWidget *focus) {
  for (QWidget *at = focus; at; at = at->parentWidget()) {
    if (auto *view = qobject_cast<QAbstractItemView *>(at))
      return view;
    if (!qobject_cast<QDockWidget *>(at))
      continue;
    const QList<QAbstractItemView *> views = at->findChildren<QAbstractItemView *>();
    const auto seen = std::find_if(views.begin(), views.end(),
                                   [](QAbstractItemView *view) { return view->isVisible() && view->model(); });
    return seen == views.end() ? nullptr : *seen;
  }
  return nullptr;
}

/// Rows below `parent` in the order in which an open tree shows them.
static void collect(const QAbstractItemModel &model, const QModelIndex &parent, const QRegularExpression &pattern,
                    QList<QPersistentModelIndex> &rows, int &seen) {
  constexpr int most = 5000, mostSeen = 200'000; // while one types
  for (int row = 0; row < model.rowCount(parent) && rows.size() < most && seen < mostSeen; ++row, ++seen) {
    const QModelIndex first = model.index(row, 0, parent);
    for (int column = 0; column < model.columnCount(parent); ++column)
      if (pattern.match(first.siblingAtColumn(column).data().toString()).hasMatch()) {
        rows.append(QPersistentModelIndex(first));
        break;
      }
    collect(model, first, pattern, rows, seen);
  }
}

int TableSearch::search(const QRegularExpression &pattern) {
  rows_.clear();
  current_ = -1;
  int seen = 0;
  if (view_ && view_->model() && pattern.isValid() && !pattern.pattern().isEmpty())
    collect(*view_->model(), {}, pattern, rows_, seen);
  return count();
}

void TableSearch::step(int direction) {
  if (!view_)
    return;
  rows_.removeIf([](const QPersistentModelIndex &row) { return !row.isValid(); });
  if (rows_.isEmpty())
    return;
  if (current_ < 0) { // the first one at or after the selected row, in a list
    const int selected = view_->currentIndex().parent().isValid() ? -1 : view_->currentIndex().row();
    const auto behind = std::find_if(rows_.begin(), rows_.end(), [selected](const QPersistentModelIndex &row) {
      return !row.parent().isValid() && row.row() >= selected;
    });
    const int at = behind == rows_.end() ? 0 : int(behind - rows_.begin());
    current_ = direction > 0 ? at : (at - 1 + count()) % count();
  } else {
    current_ = (current_ + direction + count()) % count();
  }
  view_->setCurrentIndex(rows_[current_]);
  view_->scrollTo(rows_[current_]);
}

} // namespace fuselage

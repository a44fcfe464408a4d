// The rows of a list, table or tree that have a pattern in one of their columns.
#pragma once
#include <QAbstractItemView>
#include <QPersistentModelIndex>
#include <QPointer>

class QRegularExpression;

namespace fuselage {

class TableSearch {
public:
  /// Null: none.
  void setView(QAbstractItemView *view);
  QAbstractItemView *view() const { return view_; }
  /// Of a list that can be seen, what has the keyboard or belongs to what has it; null: the keyboard is elsewhere.
  static QAbstractItemView *viewOf(QWidget *focus);

  /// How many rows have it; rows inside of others count, too.
  int search(const QRegularExpression &pattern);
  int count() const { return int(rows_.size()); }
  int current() const { return current_; }
  /// Selects the next or previous one, from the selected row on.
  void step(int direction);

private:
  QPointer<QAbstractItemView> view_;
  QList<QPersistentModelIndex> rows_;
  int current_ = -1;
};

} // namespace fuselage

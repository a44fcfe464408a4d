#include "views/widgets/WrapRow.h"
#include <QHBoxLayout>
#include <QWidget>
#include <algorithm>

namespace fuselage {

WrapRow::~WrapRow() {
  while (const QLayoutItem *item = takeAt(0)) // a layout among them takes itself out
    delete item;
}

void WrapRow::addGroup(const QList<QWidget *> &widgets) {
  auto *group = new QHBoxLayout;
  group->setSpacing(spacing());
  for (QWidget *widget : widgets)
    group->addWidget(widget);
  addChildLayout(group);
  addItem(group);
}

/// All in one line.
QSize WrapRow::sizeHint() const {
  const QMargins margins = contentsMargins();
  QSize size(margins.left() + margins.right() - spacing(), 0);
  for (const QLayoutItem *item : items_)
    if (!item->isEmpty()) {
      size.rwidth() += item->sizeHint().width() + spacing();
      size.setHeight(std::max(size.height(), item->sizeHint().height()));
    }
  return {std::max(0, size.width()), size.height() + margins.top() + margins.bottom()};
}

QSize WrapRow::minimumSize() const {
  const QMargins margins = contentsMargins();
  QSize size;
  for (const QLayoutItem *item : items_)
    if (!item->isEmpty())
      size = size.expandedTo(item->minimumSize());
  return size.grownBy(margins);
}

void WrapRow::setGeometry(const QRect &rect) {
  QLayout::setGeometry(rect);
  place(rect, /*moves=*/true);
}

int WrapRow::place(const QRect &rect, bool moves) const {
  const QRect room = rect.marginsRemoved(contentsMargins());
  QList<std::pair<QLayoutItem *, QRect>> line;
  int x = room.left(), y = room.top(), height = 0;
  const auto endLine = [&] {
    for (const auto &placed : line)
      if (moves)
        placed.first->setGeometry({placed.second.x(), y, placed.second.width(), height});
    line.clear();
  };
  for (QLayoutItem *item : items_) {
    if (item->isEmpty())
      continue;
    const QSize size(std::min(item->sizeHint().width(), room.width()), item->sizeHint().height());
    if (!line.isEmpty() && x + size.width() > room.right() + 1) {
      endLine();
      x = room.left();
      y += height + spacing();
      height = 0;
    }
    line.append({item, QRect({x, y}, size)});
    x += size.width() + spacing();
    height = std::max(height, size.height());
  }
  endLine();
  return y + height - rect.top() + contentsMargins().bottom();
}

} // namespace fuselage

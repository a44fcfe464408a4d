#include "views/text/RowScroll.h"
#include <algorithm>
#include <cmath>

namespace fuselage {

/// Steps of the scroll bar for an item that wraps.
static constexpr int unit = 256;
static constexpr double mostPixels = 2.0e9;

/// The row of an item of so many rows that is at a part of its share, and the other way round.
static int rowAt(int part, int rows) { return int(qint64(part) * rows / unit); }
static int partOf(int row, int rows) { return int((qint64(row) * unit + rows - 1) / rows); }

int RowScroll::first(int value) const { return wraps_ ? value / unit : int(value / rowHeight_); }

QList<RowScroll::Item> RowScroll::shown(int value, int height) const {
  QList<Item> items;
  int item = first(value), y = 0;
  if (!wraps_)
    y = int(item * rowHeight_) - value;
  else if (item < count_)
    y = -int(rowAt(value % unit, rowsOf(item)) * rowHeight_);
  for (; item < count_ && y < height; ++item) {
    const int tall = int(rowsOf(item) * rowHeight_);
    items.append({item, y, tall});
    y += tall;
  }
  return items;
}

int RowScroll::valueFor(int item, double y) const {
  if (!wraps_)
    return int(std::clamp(item * rowHeight_ - y, -mostPixels, mostPixels));
  int rows = int(std::lround(y / rowHeight_)), row = 0;
  for (; rows > 0 && item > 0; rows -= std::min(rows, rowsOf(item)))
    if (const int above = rowsOf(--item); above > rows)
      row = above - rows;
  for (row -= std::min(0, rows); item < count_ && row >= rowsOf(item); ++item)
    row -= rowsOf(item);
  return int(std::min<qint64>(qint64(item) * unit + (item < count_ ? partOf(row, rowsOf(item)) : 0), INT32_MAX));
}

int RowScroll::moved(int value, double pixels) const {
  if (!wraps_)
    return int(std::clamp(value + pixels, -mostPixels, mostPixels));
  const int item = first(value);
  if (item >= count_)
    return value;
  return valueFor(item, -(rowAt(value % unit, rowsOf(item)) * rowHeight_ + pixels));
}

int RowScroll::maximum(int height) const {
  if (wraps_)
    return count_ == 0 ? 0 : valueFor(count_, std::floor(height / rowHeight_) * rowHeight_);
  return std::max(0, int(std::min(count_ * rowHeight_ + 4, mostPixels)) - height);
}

int RowScroll::pageStep(int height) const { return wraps_ ? std::max(1, int(height / rowHeight_)) * unit : height; }
int RowScroll::singleStep() const { return wraps_ ? 3 * unit : int(rowHeight_) * 3; }

} // namespace fuselage

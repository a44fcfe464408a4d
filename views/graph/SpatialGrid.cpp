#include "views/graph/SpatialGrid.h"
#include <algorithm>
#include <cmath>

namespace fuselage {

void SpatialGrid::build(const std::vector<QRectF> &rects, const QRectF &bounds, double cellSize) {
  rects_ = rects;
  seen_.assign(rects.size(), 0);
  stamp_ = 0;
  bounds_ = bounds.adjusted(-1, -1, 1, 1);
  // Very long scenes get larger cells, else empty cells would outnumber the items.
  auto countFor = [&](double length) { return std::clamp(int(std::ceil(length / cellSize)), 1, 1024); };
  columns_ = countFor(bounds_.width());
  rows_ = countFor(bounds_.height());
  cellWidth_ = bounds_.width() / columns_;
  cellHeight_ = bounds_.height() / rows_;

  starts_.assign(size_t(columns_) * rows_ + 1, 0);
  auto eachCell = [&](const QRectF &rect, auto visit) {
    Cells cells = cellsOf(rect);
    for (int row = cells.top; row <= cells.bottom; ++row)
      for (int column = cells.left; column <= cells.right; ++column)
        visit(size_t(row) * columns_ + column);
  };
  for (const QRectF &rect : rects_)
    eachCell(rect, [&](size_t cell) { ++starts_[cell + 1]; });
  for (size_t cell = 1; cell < starts_.size(); ++cell)
    starts_[cell] += starts_[cell - 1];
  items_.resize(starts_.back());
  std::vector<unsigned> next(starts_.begin(), starts_.end() - 1);
  for (size_t item = 0; item < rects_.size(); ++item)
    eachCell(rects_[item], [&](size_t cell) { items_[next[cell]++] = unsigned(item); });
}

SpatialGrid::Cells SpatialGrid::cellsOf(const QRectF &rect) const {
  auto cell = [](double offset, double size, int count) {
    return int(std::clamp(std::floor(offset / size), 0.0, double(count - 1)));
  };
  return {cell(rect.left() - bounds_.left(), cellWidth_, columns_),
          cell(rect.top() - bounds_.top(), cellHeight_, rows_),
          cell(rect.right() - bounds_.left(), cellWidth_, columns_),
          cell(rect.bottom() - bounds_.top(), cellHeight_, rows_)};
}

} // namespace fuselage

// Finds what lies in a rectangle without looking at everything.
#pragma once
#include <QRectF>
#include <vector>

namespace fuselage {

/// Items by index, each in every cell that its rectangle touches. Cells are stored flat (CSR), so a
/// grid of 100k items is three arrays.
class SpatialGrid {
public:
  void build(const std::vector<QRectF> &rects, const QRectF &bounds, double cellSize);
  const QRectF &rect(int index) const { return rects_[index]; }
  /// Calls `visit(index)` once for every item whose rectangle intersects `area`, in index order
  /// within a cell.
  template <typename Visit> void query(const QRectF &area, Visit visit) const;

private:
  struct Cells {
    int left, top, right, bottom;
  };
  Cells cellsOf(const QRectF &rect) const;
  std::vector<QRectF> rects_;
  std::vector<unsigned> starts_, items_;
  mutable std::vector<unsigned> seen_;
  mutable unsigned stamp_ = 0;
  QRectF bounds_;
  double cellWidth_ = 1, cellHeight_ = 1;
  int columns_ = 0, rows_ = 0;
};

template <typename Visit> void SpatialGrid::query(const QRectF &area, Visit visit) const {
  if (columns_ == 0 || area.right() < bounds_.left() || area.left() > bounds_.right() ||
      area.bottom() < bounds_.top() || area.top() > bounds_.bottom())
    return;
  if (area.contains(bounds_)) {
    for (size_t item = 0; item < rects_.size(); ++item)
      visit(int(item));
    return;
  }
  ++stamp_;
  Cells cells = cellsOf(area);
  for (int row = cells.top; row <= cells.bottom; ++row) {
    for (int column = cells.left; column <= cells.right; ++column) {
      size_t cell = size_t(row) * columns_ + column;
      for (unsigned place = starts_[cell]; place < starts_[cell + 1]; ++place) {
        unsigned item = items_[place];
        const QRectF &rect = rects_[item];
        if (seen_[item] == stamp_ || rect.left() > area.right() || rect.right() < area.left() ||
            rect.top() > area.bottom() || rect.bottom() < area.top())
          continue;
        seen_[item] = stamp_;
        visit(int(item));
      }
    }
  }
}

} // namespace fuselage

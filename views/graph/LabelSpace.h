// Where words can stand in the part of a graph that is in sight.
#pragma once
#include <QPolygonF>
#include <QRectF>
#include <vector>

namespace fuselage {

/// A raster over an area: cells are taken by what no label may cover (boxes, arrow heads, titles, other labels), or
/// crossed by lines. To take a box, and to look for room for one, costs the cells under it, however many boxes and
/// lines meet there.
class LabelSpace {
public:
  /// `cell`: the side of a cell; it is made larger if the area would have more than a few million cells.
  LabelSpace(const QRectF &area, double cell);

  void take(const QRectF &box) { mark(box, Taken); }
  /// Of a line through points, what is in the area.
  void cross(const QPolygonF &points);
  /// Whether nothing is taken of the part of `box` in the area.
  bool isFree(const QRectF &box) const { return !has(box, Taken); }
  /// Cells that lines cross under a box.
  int crossed(const QRectF &box) const;
  /// Cells looked at or marked so far.
  size_t work() const { return work_; }

private:
  enum Mark : unsigned char { Taken = 1, Crossed = 2 };
  struct Cells {
    int left, top, right, bottom; ///< inclusive; right < left: none
  };
  Cells cellsOf(const QRectF &box) const;
  void mark(const QRectF &box, Mark mark);
  bool has(const QRectF &box, Mark mark) const;

  QRectF area_;
  double cell_;
  int columns_, rows_;
  std::vector<unsigned char> marks_;
  mutable size_t work_ = 0;
};

} // namespace fuselage

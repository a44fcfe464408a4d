#include "views/graph/LabelSpace.h"
#include "views/graph/LineClip.h"
#include <algorithm>
#include <cmath>

namespace fuselage {

LabelSpace::LabelSpace(const QRectF &area, double cell) : area_(area), cell_(cell) {
  constexpr double mostCells = 4e6;
  while (std::ceil(area.width() / cell_) * std::ceil(area.height() / cell_) > mostCells)
    cell_ *= 2;
  columns_ = int(area.width() / cell_) + 1;
  rows_ = int(area.height() / cell_) + 1;
  marks_.assign(size_t(columns_) * size_t(rows_), 0);
}

LabelSpace::Cells LabelSpace::cellsOf(const QRectF &box) const {
  const QRectF part = box & area_;
  if (part.isEmpty())
    return {0, 0, -1, -1};
  const auto cell = [&](double length, int count) { return std::clamp(int(length / cell_), 0, count - 1); };
  return {cell(part.left() - area_.left(), columns_), cell(part.top() - area_.top(), rows_),
          cell(part.right() - area_.left(), columns_), cell(part.bottom() - area_.top(), rows_)};
}

void LabelSpace::mark(const QRectF &box, Mark mark) {
  const Cells cells = cellsOf(box);
  for (int row = cells.top; row <= cells.bottom; ++row)
    for (int column = cells.left; column <= cells.right; ++column, ++work_)
      marks_[size_t(row) * columns_ + column] |= mark;
}

bool LabelSpace::has(const QRectF &box, Mark mark) const {
  const Cells cells = cellsOf(box);
  for (int row = cells.top; row <= cells.bottom; ++row)
    for (int column = cells.left; column <= cells.right; ++column, ++work_)
      if (marks_[size_t(row) * columns_ + column] & mark)
        return true;
  return false;
}

int LabelSpace::crossed(const QRectF &box) const {
  const Cells cells = cellsOf(box);
  int count = 0;
  for (int row = cells.top; row <= cells.bottom; ++row)
    for (int column = cells.left; column <= cells.right; ++column, ++work_)
      count += (marks_[size_t(row) * columns_ + column] & Crossed) != 0;
  return count;
}

void LabelSpace::cross(const QPolygonF &points) {
  for (qsizetype i = 1; i < points.size(); ++i) {
    const QPointF a = points[i - 1], way = points[i] - a;
    double from, to;
    if (!clipLine(area_, a, points[i], from, to))
      continue;
    const int steps = std::max(1, int(std::ceil(std::hypot(way.x(), way.y()) * (to - from) / cell_)));
    for (int step = 0; step <= steps; ++step)
      mark(QRectF(a + way * (from + (to - from) * step / steps), QSizeF(1e-3, 1e-3)), Crossed);
  }
}

} // namespace fuselage

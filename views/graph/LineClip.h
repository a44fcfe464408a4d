// What of a straight line is in a rectangle.
#pragma once
#include <QRectF>
#include <algorithm>
#include <cmath>

namespace fuselage {

/// The part of the line from `a` to `b` that is in `area`, as shares of the way from 0 to 1. False: none is.
inline bool clipLine(const QRectF &area, QPointF a, QPointF b, double &from, double &to) {
  from = 0;
  to = 1;
  const QPointF way = b - a;
  const auto cut = [&](double at, double step, double low, double high) {
    if (std::abs(step) < 1e-9)
      return at >= low && at <= high;
    const double first = (low - at) / step, second = (high - at) / step;
    from = std::max(from, std::min(first, second));
    to = std::min(to, std::max(first, second));
    return from <= to;
  };
  return cut(a.x(), way.x(), area.left(), area.right()) && cut(a.y(), way.y(), area.top(), area.bottom());
}

} // namespace fuselage

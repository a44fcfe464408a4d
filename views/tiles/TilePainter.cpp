#include "views/tiles/TilePainter.h"
#include <QCoreApplication>
#include <algorithm>
#include <cmath>

using namespace Qt::StringLiterals;

namespace fuselage {

QColor haloColor(const Theme &theme) { return theme.halo; }

static qint64 extent(const QList<qint64> &shape, int dim) { return dim < 0 ? 1 : std::max<qint64>(1, shape[dim]); }

QSizeF pictureSize(const QList<qint64> &shape, const TilePlane &plane, const QSizeF &space) {
  // The shorter side of very long tensors gets a quarter of the longer one: else it would be a line.
  constexpr double longest = 4;
  const double ratio =
      std::clamp(double(extent(shape, plane.column)) / double(extent(shape, plane.row)), 1 / longest, longest);
  const double height = std::min(space.height(), space.width() / ratio);
  return {height * ratio, height};
}

namespace {

/// Where elements of one dimension lie in pixels.
struct Scale {
  double from = 0, length = 0;
  qint64 size = 1;
  double at(qint64 element) const { return from + length * double(element) / double(size); }
  double pixels(qint64 elements) const { return length * double(elements) / double(size); }
};

/// Spans of a dimension to fill; blocks that are too small to tell apart become one.
QList<std::pair<double, double>> spansOf(const protocol::TileAxis &axis, const Scale &scale) {
  constexpr double least = 2.5; // pixels from block to block
  QList<std::pair<double, double>> spans;
  for (const protocol::TileRun &run : axis) {
    if (run.stride == 1 || scale.pixels(run.stride) < least) {
      spans.append({scale.at(run.offset), scale.at(run.end())});
      continue;
    }
    for (qint64 block = 0; block < run.size; ++block)
      spans.append({scale.at(run.offset + block * run.stride), scale.at(run.offset + block * run.stride + run.width)});
  }
  // What is there must be seen: at least a pixel and a half.
  constexpr double visible = 1.5;
  for (auto &[from, to] : spans)
    if (to - from < visible) {
      const double middle =
          std::clamp((from + to) / 2, scale.from + visible / 2, scale.from + scale.length - visible / 2);
      from = middle - visible / 2;
      to = middle + visible / 2;
    }
  return spans;
}

bool isDense(const protocol::TileAxis &axis) {
  return std::all_of(axis.begin(), axis.end(), [](const protocol::TileRun &run) { return run.stride == 1; });
}

void fillPieces(QPainter &painter, const QList<protocol::TilePiece> &pieces, const TilePlane &plane, const Scale &x,
                const Scale &y, const QBrush &brush) {
  const protocol::TileAxis single{{.offset = 0, .size = 1}};
  for (const protocol::TilePiece &piece : pieces) {
    const protocol::TileAxis rows = plane.row < 0 ? single : piece.value(plane.row);
    const protocol::TileAxis columns = plane.column < 0 ? single : piece.value(plane.column);
    const auto across = spansOf(columns, x);
    for (const auto &[top, bottom] : spansOf(rows, y))
      for (const auto &[left, right] : across)
        painter.fillRect(QRectF(QPointF(left, top), QPointF(right, bottom)), brush);
  }
}

/// Whether some dimension is touched with gaps that are too small to be drawn.
bool hidesGaps(const QList<protocol::TilePiece> &pieces, const TilePlane &plane, const Scale &x, const Scale &y) {
  for (const protocol::TilePiece &piece : pieces)
    for (auto [dim, scale] : {std::pair(plane.row, &y), std::pair(plane.column, &x)})
      if (dim >= 0 && !isDense(piece.value(dim)) && scale->pixels(piece.value(dim).first().stride) < 2.5)
        return true;
  return false;
}

void paintStack(QPainter &painter, const QRectF &rect, const Theme &theme, bool isStack) {
  painter.setPen(QPen(theme.border, 1));
  if (isStack)
    for (double offset : {6.0, 3.0}) {
      painter.setBrush(theme.surfaceMuted);
      painter.drawRect(rect.translated(offset, -offset));
    }
  painter.setPen(QPen(theme.borderStrong, 1));
  painter.setBrush(theme.surface);
  painter.drawRect(rect);
}

} // namespace

void paintFootprint(QPainter &painter, const QRectF &rect, const protocol::TileFootprint &footprint,
                    const TilePlane &plane, const Theme &theme) {
  paintStack(painter, rect, theme, plane.isStack);
  const QRectF inside = rect.adjusted(0.5, 0.5, -0.5, -0.5);
  const Scale x{.from = inside.left(), .length = inside.width(), .size = extent(footprint.shape, plane.column)};
  const Scale y{.from = inside.top(), .length = inside.height(), .size = extent(footprint.shape, plane.row)};
  painter.save();
  painter.setClipRect(inside);
  painter.setPen(Qt::NoPen);
  QColor fill = footprint.role == "producer"_L1 ? theme.success : theme.accent;
  if (!footprint.exact)
    fill = theme.textFaint;
  const bool gaps = hidesGaps(footprint.pieces, plane, x, y);
  fillPieces(painter, footprint.pieces, plane, x, y, gaps ? QBrush(fill, Qt::Dense4Pattern) : QBrush(fill));
  if (!footprint.halo.isEmpty()) {
    fillPieces(painter, footprint.halo, plane, x, y, mix(haloColor(theme), fill, 0.35));
    QColor hatch = haloColor(theme);
    fillPieces(painter, footprint.halo, plane, x, y, QBrush(theme.dark ? hatch : hatch.darker(115), Qt::BDiagPattern));
  }
  painter.restore();
}

void paintDomain(QPainter &painter, const QRectF &rect, const QList<protocol::TileLoop> &loops, const TileWalk &walk,
                 const QList<qint64> &inner, const TilePlane &plane, const Theme &theme) {
  paintStack(painter, rect, theme, plane.isStack);
  const QRectF inside = rect.adjusted(0.5, 0.5, -0.5, -0.5);
  auto scaleOf = [&](int loop, double from, double length) {
    return Scale{.from = from, .length = length, .size = loop < 0 ? 1 : std::max<qint64>(1, loops[loop].range)};
  };
  const Scale x = scaleOf(plane.column, inside.left(), inside.width()),
              y = scaleOf(plane.row, inside.top(), inside.height());
  auto tripsOf = [&](int loop) { return loop < 0 ? 1 : walk.trips(loop); };
  auto sizeOf = [&](int loop) { return loop < 0 ? 1 : walk.sizes()[loop]; };
  auto cell = [&](qint64 row, qint64 column) {
    const QPointF from(x.at(column * sizeOf(plane.column)), y.at(row * sizeOf(plane.row)));
    const QPointF to(x.at(std::min(x.size, (column + 1) * sizeOf(plane.column))),
                     y.at(std::min(y.size, (row + 1) * sizeOf(plane.row))));
    return QRectF(from, to);
  };
  painter.save();
  painter.setClipRect(rect.adjusted(-1, -1, 1, 1));
  // Tiles before the current one, where they can be told apart.
  const qint64 rows = tripsOf(plane.row), columns = tripsOf(plane.column), now = walk.number();
  constexpr qint64 mostCells = 10000;
  if (rows * columns <= mostCells) {
    QList<qint64> tile = walk.tile();
    for (qint64 row = 0; row < rows; ++row)
      for (qint64 column = 0; column < columns; ++column) {
        if (plane.row >= 0)
          tile[plane.row] = row;
        if (plane.column >= 0)
          tile[plane.column] = column;
        if (walk.numberOf(tile) < now)
          painter.fillRect(cell(row, column), theme.accentSoft);
      }
  }
  constexpr double leastGap = 4; // pixels between lines
  painter.setPen(QPen(theme.border, 0));
  if (plane.column >= 0 && x.pixels(sizeOf(plane.column)) >= leastGap)
    for (qint64 column = 1; column < columns; ++column)
      painter.drawLine(QLineF(x.at(column * sizeOf(plane.column)), inside.top(), x.at(column * sizeOf(plane.column)),
                              inside.bottom()));
  if (plane.row >= 0 && y.pixels(sizeOf(plane.row)) >= leastGap)
    for (qint64 row = 1; row < rows; ++row)
      painter.drawLine(
          QLineF(inside.left(), y.at(row * sizeOf(plane.row)), inside.right(), y.at(row * sizeOf(plane.row))));
  QRectF current = cell(plane.row < 0 ? 0 : walk.tile()[plane.row], plane.column < 0 ? 0 : walk.tile()[plane.column]);
  constexpr double visible = 3;
  if (current.width() < visible)
    current = QRectF(std::min(current.left(), inside.right() - visible), current.top(), visible, current.height());
  if (current.height() < visible)
    current = QRectF(current.left(), std::min(current.top(), inside.bottom() - visible), current.width(), visible);
  painter.fillRect(current, theme.accent);
  if (!inner.isEmpty()) {
    const auto part = [&](int loop, const Scale &scale, double most) {
      const qint64 size = loop < 0 || loop >= inner.size() ? 0 : inner[loop];
      return size == 0 ? most : std::clamp(scale.pixels(size), 1.0, most);
    };
    painter.fillRect(
        QRectF(current.topLeft(), QSizeF(part(plane.column, x, current.width()), part(plane.row, y, current.height()))),
        theme.success);
  }
  painter.restore();
}

qreal paintLegend(QPainter &painter, const QPointF &at, const Theme &theme) {
  struct Entry {
    QString text;
    QBrush brush;
    QColor ground;
  };
  auto tr = [](const char *text) { return QCoreApplication::translate("TilePainter", text); };
  const QList<Entry> entries{{tr("touched"), theme.accent, theme.accent},
                             {tr("computed"), theme.success, theme.success},
                             {tr("halo, also touched by the next tile"),
                              QBrush(theme.dark ? haloColor(theme) : haloColor(theme).darker(115), Qt::BDiagPattern),
                              mix(haloColor(theme), theme.surface, 0.35)}};
  const QFontMetricsF metrics(painter.font());
  qreal x = at.x();
  constexpr qreal side = 10;
  for (const Entry &entry : entries) {
    const QRectF square(x, at.y() + (metrics.height() - side) / 2, side, side);
    painter.fillRect(square, entry.ground);
    painter.fillRect(square, entry.brush);
    painter.setPen(theme.textMuted);
    painter.drawText(QPointF(x + side + 5, at.y() + metrics.ascent()), entry.text);
    x += side + 5 + metrics.horizontalAdvance(entry.text) + 16;
  }
  return x - at.x();
}

} // namespace fuselage

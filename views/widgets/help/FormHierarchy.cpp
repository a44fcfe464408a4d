#include "views/widgets/help/FormHierarchy.h"
#include "views/common/Theme.h"
#include <QFontMetrics>
#include <QGuiApplication>
#include <QHash>
#include <QPainter>
#include <QPainterPath>

namespace fuselage {
namespace {

constexpr int rowHeight = 28, boxHeight = 22, gap = 34, margin = 8, padding = 8;

/// A box that has its place: the column is the longest way to a form that implies none.
struct Box {
  const protocol::FormHelp *form;
  int column = 0;
  qreal row = 0;
  QList<int> implies;
  QRectF rect{};
};

QList<Box> findColumns(const QList<protocol::FormHelp> &forms) {
  QHash<QString, int> index;
  QList<Box> boxes;
  for (const protocol::FormHelp &form : forms) { // those that are implied come first
    Box box{.form = &form, .implies = {}};
    for (const QString &implied : form.implies)
      if (index.contains(implied)) {
        box.implies.append(index[implied]);
        box.column = std::max(box.column, boxes[index[implied]].column + 1);
      }
    index[form.form] = int(boxes.size());
    boxes.append(std::move(box));
  }
  return boxes;
}

/// Below each other, as they come; in the middle of those that imply it first of all.
qreal placeRows(QList<Box> &boxes, int at, qreal next) {
  qreal first = next;
  for (int i = at + 1; i < boxes.size(); ++i)
    if (!boxes[i].implies.isEmpty() && boxes[i].implies.first() == at)
      next = placeRows(boxes, i, next);
  if (next == first)
    ++next;
  boxes[at].row = (first + next - 1) / 2;
  return next;
}

QSizeF placeBoxes(QList<Box> &boxes, const QFontMetricsF &metrics) {
  qreal rows = 0;
  for (int i = 0; i < boxes.size(); ++i)
    if (boxes[i].implies.isEmpty())
      rows = placeRows(boxes, i, rows);
  QList<qreal> widths;
  for (const Box &box : boxes) {
    while (widths.size() <= box.column)
      widths.append(0);
    widths[box.column] = std::max(widths[box.column], metrics.horizontalAdvance(box.form->form) + 2 * padding);
  }
  qreal right = margin;
  for (Box &box : boxes) {
    qreal x = margin;
    for (int column = 0; column < box.column; ++column)
      x += widths[column] + gap;
    box.rect = QRectF(x, margin + box.row * rowHeight, widths[box.column], boxHeight);
    right = std::max(right, box.rect.right());
  }
  return {right + margin, 2 * margin + rows * rowHeight};
}

} // namespace

QImage paintFormHierarchy(const QList<protocol::FormHelp> &forms, const QPalette &palette, qreal scale) {
  const Theme &theme = Theme::of(palette);
  const QFont font = QGuiApplication::font();
  QList<Box> boxes = findColumns(forms);
  const QSizeF size = placeBoxes(boxes, QFontMetricsF(font));
  QImage image((size * scale).toSize(), QImage::Format_ARGB32_Premultiplied);
  image.setDevicePixelRatio(scale);
  image.fill(Qt::transparent);
  QPainter painter(&image);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setFont(font);
  painter.setPen(QPen(theme.edge, 1.3));
  for (const Box &box : boxes)
    for (int implied : box.implies) {
      const QPointF from(box.rect.left(), box.rect.center().y()),
          to(boxes[implied].rect.right(), boxes[implied].rect.center().y());
      QPainterPath path(from);
      path.cubicTo(QPointF(from.x() - gap / 2.0, from.y()), QPointF(to.x() + gap / 2.0, to.y()), to);
      painter.drawPath(path);
      painter.drawPolyline(QPolygonF({to + QPointF(6, -3.5), to, to + QPointF(6, 3.5)}));
    }
  for (const Box &box : boxes) {
    painter.setPen(theme.border);
    painter.setBrush(theme.surfaceRaised);
    painter.drawRoundedRect(box.rect, 4, 4);
    painter.setPen(theme.text);
    painter.drawText(box.rect, Qt::AlignCenter, box.form->form);
  }
  return image;
}

} // namespace fuselage

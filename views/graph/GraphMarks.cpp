#include "views/graph/GraphMarks.h"
#include <QCoreApplication>
#include <QHash>
#include <algorithm>

namespace fuselage {

static constexpr double badgeHeight = 18, gap = 4, legendRow = 20;

void paintNodeMarks(QPainter &painter, const QList<NodeMark> &marks, const QList<QRectF> &rects, const Theme &theme) {
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  const QFont font = uiFont(11, QFont::DemiBold);
  const QFontMetricsF metrics(font);
  painter.setFont(font);
  QHash<NodeId, double> used; // px of badges and rings that a node has already
  QHash<NodeId, int> rings;
  QList<QRectF> placed;
  for (qsizetype i = 0; i < marks.size(); ++i) {
    if (rects[i].isNull())
      continue;
    const QColor colour = markColour(theme, marks[i].kind);
    const double inset = 2.5 + 3 * rings[marks[i].id]++;
    painter.setPen(QPen(colour, 2));
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(rects[i].adjusted(-inset, -inset, inset, inset), 6, 6);
  }
  for (qsizetype i = 0; i < marks.size(); ++i) {
    if (rects[i].isNull())
      continue;
    const QColor colour = markColour(theme, marks[i].kind);
    double &offset = used[marks[i].id];
    const double width = metrics.horizontalAdvance(marks[i].text) + 14;
    const double lift = badgeHeight + 1 + 3 * rings[marks[i].id];
    QRectF badge(rects[i].left() + 4 + offset, rects[i].top() - lift, width, badgeHeight);
    offset += width + gap;
    // Those of neighbours stand over each other.
    while (std::any_of(placed.begin(), placed.end(), [&](const QRectF &other) { return other.intersects(badge); }))
      badge.translate(0, -badgeHeight - 2);
    placed.append(badge);
    painter.setPen(QPen(theme.canvas, 1.5));
    painter.setBrush(colour);
    painter.drawRoundedRect(badge, badgeHeight / 2, badgeHeight / 2);
    painter.setPen(readableOn(colour));
    painter.drawText(badge, Qt::AlignCenter, marks[i].text);
  }
  painter.restore();
}

double paintMarkLegend(QPainter &painter, QPointF corner, const QList<NodeMark> &marks, const QList<QRectF> &rects,
                     const Theme &theme) {
  if (marks.isEmpty())
    return 0;
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  const QFont font = uiFont(12);
  const QFontMetricsF metrics(font);
  painter.setFont(font);
  double width = 0;
  QStringList lines;
  for (qsizetype i = 0; i < marks.size(); ++i) {
    lines.append(rects[i].isNull() ? QCoreApplication::translate("GraphMarks", "%1 (not in the picture)").arg(marks[i].what) : marks[i].what);
    width = std::max(width, metrics.horizontalAdvance(lines.last()));
  }
  QRectF box(corner, QSizeF(width + 42, legendRow * double(marks.size()) + 12));
  box.moveBottom(corner.y());
  painter.setPen(QPen(theme.border, 1));
  painter.setBrush(theme.surfaceRaised);
  painter.drawRoundedRect(box, 6, 6);
  for (qsizetype i = 0; i < marks.size(); ++i) {
    const QRectF row(box.left() + 10, box.top() + 6 + legendRow * double(i), box.width() - 20, legendRow);
    painter.setPen(QPen(markColour(theme, marks[i].kind), 2));
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(QRectF(row.left(), row.center().y() - 5, 14, 10), 3, 3);
    painter.setPen(rects[i].isNull() ? theme.textMuted : theme.text);
    painter.drawText(row.adjusted(22, 0, 2, 0), Qt::AlignLeft | Qt::AlignVCenter, lines[i]);
  }
  painter.restore();
  return box.height();
}

void paintNotes(QPainter &painter, const QList<QRectF> &rects, const Theme &theme) {
  for (const QRectF &rect : rects)
    paintBookmark(painter, QRectF(rect.right() - 21, rect.top() - 6, 9, 15), theme, theme.canvas);
}

} // namespace fuselage

#include "views/graph/GraphMarks.h"
#include "views/graph/LabelSpace.h"
#include <QHash>
#include <QPainterPath>
#include <algorithm>

namespace fuselage {

static constexpr double badgeHeight = 18, gap = 4;

void paintNodeMarks(QPainter &painter, const QList<NodeMark> &marks, const QList<QRectF> &rects, const QRectF &sight,
                    const Theme &theme) {
  LabelSpace space(sight.adjusted(0, -200, 0, 0), 2);
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  const QFont font = uiFont(11, QFont::DemiBold);
  const QFontMetricsF metrics(font);
  painter.setFont(font);
  QHash<NodeId, double> used; // px of badges and rings that a node has already
  QHash<NodeId, int> rings;
  for (qsizetype i = 0; i < marks.size(); ++i) {
    if (!rects[i].intersects(sight))
      continue;
    const QColor colour = markColour(theme, marks[i].kind);
    const double inset = 2.5 + 3 * rings[marks[i].id]++;
    painter.setPen(QPen(colour, 2));
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(rects[i].adjusted(-inset, -inset, inset, inset), 6, 6);
  }
  for (qsizetype i = 0; i < marks.size(); ++i) {
    if (!rects[i].intersects(sight))
      continue;
    const QColor colour = markColour(theme, marks[i].kind);
    double &offset = used[marks[i].id];
    const double width = metrics.horizontalAdvance(marks[i].text) + 14;
    const double lift = badgeHeight + 1 + 3 * rings[marks[i].id];
    QRectF badge(rects[i].left() + 4 + offset, rects[i].top() - lift, width, badgeHeight);
    offset += width + gap;
    // Those of neighbours stand over each other.
    constexpr int mostStacked = 5;
    int stacked = 0;
    while (!space.isFree(badge) && stacked++ < mostStacked)
      badge.translate(0, -badgeHeight - 2);
    if (stacked > mostStacked)
      continue;
    space.take(badge);
    painter.setPen(QPen(theme.canvas, 1.5));
    painter.setBrush(colour);
    painter.drawRoundedRect(badge, badgeHeight / 2, badgeHeight / 2);
    painter.setPen(readableOn(colour));
    painter.drawText(badge, Qt::AlignCenter, marks[i].text);
  }
  painter.restore();
}

void paintRibbon(QPainter &painter, QPointF corner, const Theme &theme) {
  paintBookmark(painter, QRectF(corner, ribbonSize), theme, theme.canvas);
}

void paintNotes(QPainter &painter, const QList<QRectF> &rects, const Theme &theme) {
  for (const QRectF &rect : rects)
    paintRibbon(painter, QPointF(rect.right() - 12 - ribbonSize.width(), rect.top() - 6), theme);
}

} // namespace fuselage

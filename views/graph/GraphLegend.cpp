#include "views/graph/GraphLegend.h"
#include "views/graph/GraphMarks.h"
#include "views/graph/GraphPainter.h"
#include <QCoreApplication>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace fuselage {

static constexpr double rowHeight = 20, inset = 12, gapBelow = 4, apart = 22, lineWidth = 30, ringWidth = 14,
                        scaleWidth = 96, signGap = 8;

static QString tr(const char *text) { return QCoreApplication::translate("GraphLegend", text); }

static QFont legendFont() { return uiFont(11); }

/// A row for each kind of badge, with the number of its badges in the picture.
static void addBadges(QList<LegendItem> &items, const QList<NodeMark> &badges,
                      const std::function<bool(NodeId)> &isInPicture, const Theme &theme) {
  QStringList kinds;
  for (const NodeMark &badge : badges)
    if (isInPicture(badge.id) && !kinds.contains(badge.what))
      kinds.append(badge.what);
  for (const QString &kind : std::as_const(kinds)) {
    const auto isOne = [&](const NodeMark &badge) { return badge.what == kind && isInPicture(badge.id); };
    const auto first = std::find_if(badges.cbegin(), badges.cend(), isOne);
    items.append({.sign = LegendItem::Sign::Badge,
                  .pen = QPen(markColour(theme, first->kind)),
                  .text = kind,
                  .numbers = groupedNumber(std::count_if(first, badges.cend(), isOne))});
  }
}

QList<LegendItem> legendOf(const GraphPaintState &state, const QList<NodeMark> &marks, const QList<NodeMark> &badges,
                           const std::function<bool(NodeId)> &isInPicture, const Theme &theme) {
  QList<LegendItem> items;
  for (const NodeMark &mark : marks) {
    const bool isShown = isInPicture(mark.id);
    items.append({.sign = LegendItem::Sign::Ring,
                  .pen = QPen(markColour(theme, mark.kind), 2),
                  .text = isShown ? mark.what : tr("%1 (not in the picture)").arg(mark.what),
                  .isFaint = !isShown});
  }
  // Where ops in conflict are marked, verdicts would be read as part of it.
  if (!state.marks.isEmpty() && marks.isEmpty()) {
    for (const FusionMark mark : fusionMarks) {
      const qint64 count = state.counts.of[int(mark)];
      if (mark == FusionMark::None || (mark == FusionMark::NotTried && count == 0))
        continue;
      items.append({.sign = LegendItem::Sign::Line,
                    .pen = fusionPen(mark, theme.fusion(mark), 1.8),
                    .text = fusionWords(mark),
                    .numbers = groupedNumber(count)});
    }
  }
  addBadges(items, badges, isInPicture, theme);
  if (!state.heat.isEmpty() && state.heatHigh > 0)
    items.append({.sign = LegendItem::Sign::Scale,
                  .pen = {},
                  .text = state.heat.title,
                  .low = heatText(state.heat, state.heatLow),
                  .high = heatText(state.heat, state.heatHigh)});
  if (!state.noted.isEmpty())
    items.append({.sign = LegendItem::Sign::Ribbon,
                  .pen = QPen(theme.accent),
                  .text = tr("noted"),
                  .numbers = groupedNumber(state.noted.size())});
  return items;
}

static double signWidth(const LegendItem &item, const QFontMetricsF &metrics) {
  switch (item.sign) {
  case LegendItem::Sign::Line:
    return lineWidth;
  case LegendItem::Sign::Ring:
  case LegendItem::Sign::Badge:
    return ringWidth;
  case LegendItem::Sign::Ribbon:
    return ribbonSize.width();
  case LegendItem::Sign::Scale:
    return metrics.horizontalAdvance(item.low + item.high) + scaleWidth + 2 * signGap;
  }
  return 0;
}

static double widthOf(const LegendItem &item, const QFontMetricsF &metrics) {
  const double numbers = item.numbers.isEmpty() ? 0 : metrics.horizontalAdvance(item.numbers) + signGap;
  return signWidth(item, metrics) + signGap + metrics.horizontalAdvance(item.text) + numbers;
}

/// Calls `visit` with each item's place, in rows from the left.
static double flow(const QList<LegendItem> &items, double width,
                   const std::function<void(const LegendItem &, const QRectF &)> &visit) {
  const QFontMetricsF metrics(legendFont());
  double x = inset, y = gapBelow;
  for (const LegendItem &item : items) {
    const double wide = widthOf(item, metrics);
    if (x > inset && x + wide + inset > width) {
      x = inset;
      y += rowHeight;
    }
    visit(item, QRectF(x, y, wide, rowHeight));
    x += wide + apart;
  }
  return items.isEmpty() ? 0 : y + rowHeight + gapBelow;
}

double legendHeight(const QList<LegendItem> &items, double width) {
  return flow(items, width, [](const LegendItem &, const QRectF &) {});
}

static void paintScale(QPainter &painter, const LegendItem &item, const QRectF &place, const Theme &theme) {
  const QFontMetricsF metrics(legendFont());
  painter.setPen(theme.textMuted);
  painter.drawText(place, Qt::AlignLeft | Qt::AlignVCenter, item.low);
  const QRectF bar(place.left() + metrics.horizontalAdvance(item.low) + signGap, place.center().y() - 4, scaleWidth, 8);
  painter.drawText(QRectF(bar.right() + signGap, place.top(), place.width(), place.height()),
                   Qt::AlignLeft | Qt::AlignVCenter, item.high);
  QLinearGradient gradient(bar.topLeft(), bar.topRight());
  for (int i = 0; i <= 10; ++i)
    gradient.setColorAt(i / 10.0, theme.heat(i / 10.0));
  painter.setPen(Qt::NoPen);
  painter.setBrush(gradient);
  painter.drawRoundedRect(bar, 2, 2);
}

static void paintItem(QPainter &painter, const LegendItem &item, const QRectF &place, const Theme &theme) {
  const double middle = std::round(place.center().y()) + 0.5;
  painter.setBrush(Qt::NoBrush);
  painter.setPen(item.pen);
  switch (item.sign) {
  case LegendItem::Sign::Line:
    painter.drawLine(QPointF(place.left(), middle), QPointF(place.left() + lineWidth, middle));
    break;
  case LegendItem::Sign::Ring:
    painter.drawRoundedRect(QRectF(place.left(), middle - 5, ringWidth, 10), 3, 3);
    break;
  case LegendItem::Sign::Ribbon:
    paintRibbon(painter, QPointF(place.left(), middle - ribbonSize.height() / 2), theme);
    break;
  case LegendItem::Sign::Badge:
    painter.setBrush(item.pen.color());
    painter.setPen(Qt::NoPen);
    painter.drawRoundedRect(QRectF(place.left(), middle - 5, ringWidth, 10), 5, 5);
    break;
  case LegendItem::Sign::Scale:
    paintScale(painter, item, place, theme);
    break;
  }
  const QFontMetricsF metrics(legendFont());
  const QRectF text = place.adjusted(signWidth(item, metrics) + signGap, 0, 4, 0);
  painter.setPen(item.isFaint ? theme.textMuted : theme.text);
  painter.drawText(text, Qt::AlignLeft | Qt::AlignVCenter, item.text);
  painter.setPen(theme.textMuted);
  painter.drawText(text.adjusted(metrics.horizontalAdvance(item.text) + signGap, 0, 0, 0),
                   Qt::AlignLeft | Qt::AlignVCenter, item.numbers);
}

void paintLegend(QPainter &painter, const QRectF &area, const QList<LegendItem> &items, const Theme &theme) {
  painter.save();
  painter.fillRect(area, theme.surface);
  painter.fillRect(QRectF(area.left(), area.top(), area.width(), 1), theme.border);
  painter.setClipRect(area, Qt::IntersectClip);
  painter.translate(area.topLeft());
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setFont(legendFont());
  flow(items, area.width(),
       [&](const LegendItem &item, const QRectF &place) { paintItem(painter, item, place, theme); });
  painter.restore();
}

} // namespace fuselage

#include "views/charts/BufferTimeline.h"
#include "views/common/Theme.h"
#include "views/models/BufferModel.h"
#include "views/widgets/EmptyHint.h"
#include <QPainter>

using namespace Qt::StringLiterals;

namespace fuselage {

static constexpr int margin = 8, headHeight = 20;

QColor spaceColour(const Theme &theme, const QString &space) {
  if (space == "global"_L1)
    return theme.accent;
  if (space == "workgroup"_L1)
    return theme.dark ? QColor(0xe3, 0xb3, 0x41) : QColor(0xb2, 0x79, 0x00);
  if (space == "private"_L1)
    return theme.dark ? QColor(0x56, 0xc2, 0xa0) : QColor(0x0f, 0x82, 0x66);
  if (space == "stack"_L1)
    return theme.dark ? QColor(0xc0, 0x8c, 0xf0) : QColor(0x7b, 0x4a, 0xb8);
  return theme.textMuted;
}

BufferTimeline::BufferTimeline(QWidget *parent) : RowChart(parent) {
  setEnds(headHeight, margin);
  setAccessibleName(tr("Lifetimes of buffers"));
}

void BufferTimeline::setReport(const protocol::BuffersReport &report) {
  report_ = report;
  first_ = last_ = 0;
  nameWidth_ = 0;
  bool isFirst = true;
  for (const protocol::Buffer &buffer : report_.buffers) {
    first_ = isFirst ? buffer.first : std::min(first_, buffer.first);
    last_ = isFirst ? buffer.last : std::max(last_, buffer.last);
    isFirst = false;
    nameWidth_ = std::max(nameWidth_, fontMetrics().horizontalAdvance(nameOf(buffer)) + 1); // it was rounded
  }
  rowsChanged();
}

QRect BufferTimeline::plot() const {
  const int names = std::min(nameWidth_, viewport()->width() * 2 / 5);
  const int left = margin + names + 10;
  return {left, headHeight, std::max(20, viewport()->width() - left - margin), viewport()->height() - headHeight};
}

/// The middle of an op's step on the axis.
double BufferTimeline::xOf(qint64 op) const {
  const QRect area = plot();
  return area.left() + area.width() * (double(op - first_) + 0.5) / double(last_ - first_ + 1);
}

QString BufferTimeline::nameOf(const protocol::Buffer &buffer) const {
  if (buffer.kind == "argument"_L1 || buffer.kind == "attribution"_L1)
    return tr("%1 %2").arg(buffer.kind).arg(buffer.argument);
  const QString name = opName(report_, buffer.op);
  return buffer.operand >= 0 ? tr("%1, operand %2").arg(name).arg(buffer.operand) : name;
}

/// Where memory peaks: a line under the bars, what it is above them.
void BufferTimeline::paintBackground(QPainter &painter) {
  const Theme &theme = Theme::of(palette());
  const QRect area = plot();
  int taken = area.left();
  for (auto space = report_.peaks.begin(); space != report_.peaks.end(); ++space) {
    qint64 at = -1;
    for (const protocol::BufferPeak &peak : report_.memory)
      if (peak.space == space.key() && peak.size.bytes == space->bytes && peak.at >= 0) {
        at = peak.at;
        break;
      }
    if (at < 0)
      continue;
    const double x = std::clamp(xOf(at), double(area.left()), double(area.right()));
    const QColor colour = spaceColour(theme, space.key());
    painter.setPen(QPen(colour, 1.5, Qt::DashLine));
    painter.drawLine(QPointF(x, headHeight - 3), QPointF(x, viewport()->height()));
    const QString text = tr("peak %1 %2").arg(formatBytes(*space), space.key());
    const int width = fontMetrics().horizontalAdvance(text);
    const int left = std::clamp(int(x) - width / 2, taken, std::max(taken, area.right() - width));
    painter.setPen(colour);
    painter.drawText(QRect(left, 0, width + 2, headHeight - 2), Qt::AlignLeft | Qt::AlignVCenter, text);
    taken = left + width + 12;
  }
}

void BufferTimeline::paintRow(QPainter &painter, int row, const QRect &place) {
  const Theme &theme = Theme::of(palette());
  const protocol::Buffer &buffer = report_.buffers[row];
  const QRect area = plot();
  const int y = place.top();
  const bool isCounted = buffer.kind != "argument"_L1;
  painter.setPen(isCounted ? palette().color(QPalette::Text) : theme.textMuted);
  const int names = area.left() - margin - 10;
  painter.drawText(QRect(margin, y, names, place.height()), Qt::AlignLeft | Qt::AlignVCenter,
                   fontMetrics().elidedText(nameOf(buffer), Qt::ElideMiddle, names));
  const double step = area.width() / double(last_ - first_ + 1);
  QRectF bar(xOf(buffer.first) - step / 2, y + 4, 0, place.height() - 8);
  bar.setRight(std::max(xOf(buffer.last) + step / 2, bar.left() + 3));
  const QColor colour = spaceColour(theme, buffer.space);
  painter.setPen(isCounted ? QPen(Qt::NoPen) : QPen(mix(colour, theme.surface, 0.7), 1));
  painter.setBrush(isCounted ? QBrush(mix(colour, theme.surface, 0.85)) : QBrush(Qt::NoBrush));
  painter.drawRoundedRect(bar, 2, 2);
  const QString size = formatBytes(buffer.size);
  const int width = fontMetrics().horizontalAdvance(size);
  const bool fits = bar.width() > width + 10;
  if (fits) {
    painter.setPen(isCounted ? readableOn(mix(colour, theme.surface, 0.85)) : theme.textMuted);
    painter.drawText(bar.adjusted(5, 0, -5, 0), Qt::AlignLeft | Qt::AlignVCenter, size);
    return;
  }
  painter.setPen(theme.textMuted);
  if (bar.right() + width + 6 < area.right())
    painter.drawText(QRectF(bar.right() + 5, y, width + 2, place.height()), Qt::AlignLeft | Qt::AlignVCenter, size);
  else
    painter.drawText(QRectF(bar.left() - width - 6, y, width + 2, place.height()), Qt::AlignRight | Qt::AlignVCenter,
                     size);
}

QString BufferTimeline::rowToolTip(int row) const {
  const protocol::Buffer &buffer = report_.buffers[row];
  QString text = u"<b>%1</b><br>%2<br>%3, %4"_s.arg(nameOf(buffer).toHtmlEscaped(), buffer.type.toHtmlEscaped(),
                                                    formatBytes(buffer.size), buffer.space.toHtmlEscaped());
  const auto place = [&](qint64 op) {
    return tr("%1, line %2").arg(opName(report_, op).toHtmlEscaped()).arg(report_.lineOf(op) + 1);
  };
  if (buffer.kind == "argument"_L1)
    return text + tr("<br>the caller's, not counted");
  text += tr("<br>made: %1<br>last used: %2").arg(place(buffer.first), place(buffer.last));
  if (buffer.escapes)
    text += tr("<br>it is returned");
  if (!buffer.sentence.isEmpty())
    text += u"<br><i>"_s + buffer.sentence.toHtmlEscaped() + u"</i>"_s;
  return text;
}

} // namespace fuselage

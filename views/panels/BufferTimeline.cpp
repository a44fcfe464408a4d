#include "views/panels/BufferTimeline.h"
#include "views/common/Theme.h"
#include "views/models/BufferModel.h"
#include "views/panels/EmptyHint.h"
#include <QHelpEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>

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

BufferTimeline::BufferTimeline(QWidget *parent) : QAbstractScrollArea(parent) {
  setFrameShape(QFrame::NoFrame);
  setFocusPolicy(Qt::StrongFocus);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setAccessibleName(tr("Lifetimes of buffers"));
  viewport()->setMouseTracking(true);
}

void BufferTimeline::setReport(const protocol::BuffersReport &report) {
  report_ = report;
  current_ = hovered_ = -1;
  first_ = last_ = 0;
  nameWidth_ = 0;
  bool isFirst = true;
  for (const protocol::Buffer &buffer : report_.buffers) {
    first_ = isFirst ? buffer.first : std::min(first_, buffer.first);
    last_ = isFirst ? buffer.last : std::max(last_, buffer.last);
    isFirst = false;
    nameWidth_ = std::max(nameWidth_, fontMetrics().horizontalAdvance(nameOf(buffer)));
  }
  updateScrollBar();
  viewport()->update();
}

void BufferTimeline::setEmptyText(const QString &title, const QString &hint) {
  emptyTitle_ = title;
  emptyHint_ = hint;
  viewport()->update();
}

void BufferTimeline::setCurrent(int buffer) {
  current_ = buffer < report_.buffers.size() ? buffer : -1;
  if (current_ >= 0) {
    const int top = current_ * rowHeight(), page = viewport()->height() - headHeight;
    QScrollBar *bar = verticalScrollBar();
    if (top < bar->value() || top + rowHeight() > bar->value() + page)
      bar->setValue(top - page / 2);
  }
  viewport()->update();
}

int BufferTimeline::rowHeight() const { return fontMetrics().height() + 6; }

void BufferTimeline::updateScrollBar() {
  const int content = int(report_.buffers.size()) * rowHeight() + headHeight + margin;
  verticalScrollBar()->setPageStep(viewport()->height());
  verticalScrollBar()->setSingleStep(rowHeight());
  verticalScrollBar()->setRange(0, std::max(0, content - viewport()->height()));
}

void BufferTimeline::resizeEvent(QResizeEvent *) { updateScrollBar(); }

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

void BufferTimeline::paintPeaks(QPainter &painter, const Theme &theme) {
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

void BufferTimeline::paintRow(QPainter &painter, int row, int y, const Theme &theme) {
  const protocol::Buffer &buffer = report_.buffers[row];
  const QRect area = plot(), line(0, y, viewport()->width(), rowHeight());
  if (row == current_ || row == hovered_) {
    QColor ground = palette().color(QPalette::Highlight);
    ground.setAlphaF(row == current_ ? 0.22f : 0.12f);
    painter.fillRect(line, ground);
  }
  const bool isCounted = buffer.kind != "argument"_L1;
  painter.setPen(isCounted ? palette().color(QPalette::Text) : theme.textMuted);
  const int names = area.left() - margin - 10;
  painter.drawText(QRect(margin, y, names, rowHeight()), Qt::AlignLeft | Qt::AlignVCenter,
                   fontMetrics().elidedText(nameOf(buffer), Qt::ElideMiddle, names));
  const double step = area.width() / double(last_ - first_ + 1);
  QRectF bar(xOf(buffer.first) - step / 2, y + 4, 0, rowHeight() - 8);
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
    painter.drawText(QRectF(bar.right() + 5, y, width + 2, rowHeight()), Qt::AlignLeft | Qt::AlignVCenter, size);
  else
    painter.drawText(QRectF(bar.left() - width - 6, y, width + 2, rowHeight()), Qt::AlignRight | Qt::AlignVCenter, size);
}

void BufferTimeline::paintEvent(QPaintEvent *) {
  QPainter painter(viewport());
  painter.fillRect(viewport()->rect(), palette().base());
  if (report_.buffers.isEmpty()) {
    paintHint(painter, viewport()->rect(), palette(), emptyTitle_, emptyHint_);
    return;
  }
  const Theme &theme = Theme::of(palette());
  painter.setRenderHint(QPainter::Antialiasing);
  painter.save();
  painter.setClipRect(0, headHeight, viewport()->width(), viewport()->height() - headHeight);
  const int top = headHeight - verticalScrollBar()->value();
  for (int row = 0; row < report_.buffers.size(); ++row)
    if (const int y = top + row * rowHeight(); y + rowHeight() > headHeight && y < viewport()->height())
      paintRow(painter, row, y, theme);
  painter.restore();
  paintPeaks(painter, theme);
  if (hasFocus()) {
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setPen(mix(theme.accent, theme.surface, 0.6));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(viewport()->rect().adjusted(0, 0, -1, -1));
  }
}

int BufferTimeline::rowAt(const QPoint &position) const {
  if (position.y() < headHeight)
    return -1;
  const int row = (position.y() - headHeight + verticalScrollBar()->value()) / rowHeight();
  return row < report_.buffers.size() ? row : -1;
}

void BufferTimeline::mouseMoveEvent(QMouseEvent *event) {
  if (const int row = rowAt(event->pos()); row != hovered_) {
    hovered_ = row;
    viewport()->update();
  }
}

void BufferTimeline::mousePressEvent(QMouseEvent *event) {
  if (const int row = rowAt(event->pos()); row >= 0) {
    setCurrent(row);
    emit bufferActivated(row);
  }
}

void BufferTimeline::keyPressEvent(QKeyEvent *event) {
  const int step = event->key() == Qt::Key_Down ? 1 : event->key() == Qt::Key_Up ? -1 : 0;
  const bool again = current_ >= 0 && (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter);
  if ((!step && !again) || report_.buffers.isEmpty()) {
    QAbstractScrollArea::keyPressEvent(event);
    return;
  }
  setCurrent(std::clamp(current_ + step, 0, int(report_.buffers.size()) - 1));
  emit bufferActivated(current_);
}

void BufferTimeline::leaveEvent(QEvent *) {
  hovered_ = -1;
  viewport()->update();
}

QString BufferTimeline::toolTip(const protocol::Buffer &buffer) const {
  QString text = u"<b>%1</b><br>%2<br>%3, %4"_s.arg(nameOf(buffer).toHtmlEscaped(), buffer.type.toHtmlEscaped(),
                                                     formatBytes(buffer.size), buffer.space.toHtmlEscaped());
  const auto place = [&](qint64 op) {
    return tr("%1, line %2").arg(opName(report_, op).toHtmlEscaped()).arg(report_.ops.value(op).line + 1);
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

bool BufferTimeline::viewportEvent(QEvent *event) {
  if (event->type() != QEvent::ToolTip)
    return QAbstractScrollArea::viewportEvent(event);
  const auto *help = static_cast<QHelpEvent *>(event);
  const int row = rowAt(help->pos());
  if (row < 0)
    QToolTip::hideText();
  else
    QToolTip::showText(help->globalPos(), toolTip(report_.buffers[row]), viewport());
  return true;
}

} // namespace fuselage

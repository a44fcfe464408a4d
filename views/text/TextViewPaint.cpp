// What the text view paints.
#include "views/text/TextView.h"
#include <QPainter>
#include <QScrollBar>
#include <algorithm>
#include <cmath>

namespace fuselage {

void TextView::paintEvent(QPaintEvent *) {
  QPainter painter(viewport());
  const Theme &theme = renderer_.theme();
  painter.fillRect(viewport()->rect(), theme.surface);
  if (!source_ || source_->lineCount() == 0)
    return paintEmpty(painter);
  const int gutter = gutterWidth(), textLeft = gutter + textPadding - horizontalScrollBar()->value();
  const double widest = widest_;
  const QList<RowScroll::Item> items = shownLines();
  painter.save();
  painter.setClipRect(gutter, 0, viewport()->width() - gutter, viewport()->height());
  for (const RowScroll::Item &item : items)
    paintLine(painter, item, textLeft);
  painter.restore();

  painter.fillRect(0, 0, gutter, viewport()->height(), theme.gutter);
  painter.setPen(theme.border);
  painter.drawLine(gutter - 1, 0, gutter - 1, viewport()->height());
  for (const RowScroll::Item &item : items) {
    if (isMarked(item.index))
      painter.fillRect(0, item.y, 3, item.height, theme.opBar);
    if (noted_.contains(item.index))
      paintBookmark(painter, QRectF(4, item.y + 2, 8, renderer_.lineHeight() - 5), theme, theme.gutter);
    const QColor &number = item.index == caret_.line ? theme.text : theme.gutterText;
    renderer_.paintNumber(painter, gutter - 12, item.y, numberOf(item.index), number);
  }
  if (widest_ > widest)
    // Wider lines came into sight: the scroll bar learns of it after this frame.
    QMetaObject::invokeMethod(
        this, [this] { updateScrollBars(); }, Qt::QueuedConnection);
}

void TextView::paintLine(QPainter &painter, const RowScroll::Item &item, int textLeft) {
  const Theme &theme = renderer_.theme();
  const int line = item.index, y = item.y, width = viewport()->width();
  if (isMarked(line))
    painter.fillRect(0, y, width, item.height, theme.opLines);
  else if (line == caret_.line && hasFocus() && !hasSelection())
    painter.fillRect(0, y, width, item.height, theme.currentLine);
  else if (line == hovered_)
    painter.fillRect(0, y, width, item.height, mix(theme.currentLine, theme.surface, 0.6));
  auto text = source_->line(line);
  if (!text) {
    // A quiet bar where text will be.
    int length = 120 + int((unsigned(line) * 2654435761u >> 8) % 260);
    painter.fillRect(QRect(textLeft, y + item.height / 2 - 3, length, 6), mix(theme.border, theme.surface, 0.5));
    return;
  }
  const QPointF origin(textLeft, y);
  paintSelection(painter, line, origin, *text, int(renderer_.lineHeight()));
  paintNameUses(painter, line, origin, *text);
  paintMatches(painter, line, origin, *text);
  renderer_.paint(painter, origin, line, *text);
  if (!lineMarks_.isEmpty())
    paintLineMarks(painter, item);
  widest_ = std::max(widest_, renderer_.width(line, *text) + 2 * textPadding);
  if (line == caret_.line && hasFocus()) {
    const QPointF at = origin + renderer_.columnToPoint(line, *text, caret_.column);
    painter.fillRect(QRectF(std::round(at.x()), at.y() + 1, 1.5, renderer_.lineHeight() - 2), theme.accent);
  }
}

void TextView::paintSelection(QPainter &painter, int line, QPointF origin, const QString &text, int height) {
  const TextPosition begin = selectionStart(), end = selectionEnd();
  if (begin == end || line < begin.line || line > end.line)
    return;
  const QColor &fill = renderer_.theme().selection;
  const int from = line == begin.line ? begin.column : 0;
  const int to = line == end.line ? end.column : lineLength(line);
  renderer_.fillColumns(painter, origin, line, text, from, to, fill, false);
  if (line < end.line) {
    const QPointF at = origin + renderer_.columnToPoint(line, text, to);
    painter.fillRect(QRectF(at.x(), at.y(), renderer_.charWidth() * 0.6, height), fill);
  }
}

void TextView::paintMatches(QPainter &painter, int line, QPointF origin, const QString &text) {
  const Theme &theme = renderer_.theme();
  auto match =
      std::lower_bound(matches_.cbegin(), matches_.cend(), line, [](const TextMatch &m, int l) { return m.line < l; });
  for (; match != matches_.cend() && match->line == line; ++match) {
    bool current = match - matches_.cbegin() == currentMatch_;
    QColor fill = current ? theme.matchCurrent : theme.match;
    renderer_.fillColumns(painter, origin, line, text, match->column, match->column + match->length,
                          mix(fill, theme.surface,
                              current      ? 0.6
                              : theme.dark ? 0.35
                                           : 0.5),
                          true);
  }
}

/// The definition in a frame.
void TextView::paintNameUses(QPainter &painter, int line, QPointF origin, const QString &text) {
  const Theme &theme = renderer_.theme();
  auto use =
      std::lower_bound(nameUses_.cbegin(), nameUses_.cend(), line, [](const NameUse &u, int l) { return u.line < l; });
  for (; use != nameUses_.cend() && use->line == line; ++use) {
    renderer_.fillColumns(painter, origin, line, text, use->column, use->column + use->length,
                          mix(theme.accent, theme.surface, theme.dark ? 0.4 : 0.22), true);
    if (!use->isDefinition)
      continue;
    painter.setPen(QPen(theme.accent, 1.2));
    painter.setBrush(Qt::NoBrush);
    for (const QRectF &box : renderer_.boxes(line, text, use->column, use->column + use->length))
      painter.drawRoundedRect(box.translated(origin).adjusted(-1, 1, 1, -1), 2.5, 2.5);
  }
}

/// A tint, a bar at the left, and the words at the right.
void TextView::paintLineMarks(QPainter &painter, const RowScroll::Item &item) {
  const int height = int(renderer_.lineHeight()), width = viewport()->width(), y = item.y;
  int right = width - 8, bar = gutterWidth();
  for (const LineMark &mark : lineMarks_) {
    if (mark.line != item.index)
      continue;
    const QColor colour = markColour(renderer_.theme(), mark.kind);
    QColor tint = colour;
    tint.setAlphaF(0.12f);
    painter.fillRect(0, y, width, item.height, tint);
    painter.fillRect(bar, y, 3, item.height, colour);
    bar += 4;
    const QFont font = uiFont(11, QFont::DemiBold);
    const int words = QFontMetrics(font).horizontalAdvance(mark.text) + 12;
    const QRectF tag(right - words, y + 1, words, height - 2);
    right -= words + 4;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setFont(font);
    painter.setPen(Qt::NoPen);
    painter.setBrush(colour);
    painter.drawRoundedRect(tag, 4, 4);
    painter.setPen(readableOn(colour));
    painter.drawText(tag, Qt::AlignCenter, mark.text);
    painter.restore();
  }
}

void TextView::paintEmpty(QPainter &painter) {
  paintEmptyState(painter, viewport()->rect(), renderer_.theme(), emptyTitle_, emptyHint_);
}

} // namespace fuselage

// What the diff view paints.
#include "views/text/DiffCanvas.h"
#include <QPainter>
#include <algorithm>

namespace fuselage {

/// What a row looks like on a side.
struct DiffCanvas::RowLook {
  bool isChanged = false, isOfOp = false, isSelected = false;
  QColor back, strong;
};

void DiffCanvas::paintEvent(QPaintEvent *) {
  QPainter painter(viewport());
  const Theme &theme = sides_[0].renderer.theme();
  painter.fillRect(viewport()->rect(), theme.surface);
  if (isEmpty())
    return paintEmptyState(painter, viewport()->rect(), theme, emptyTitle_, emptyHint_);
  double widest = widest_;
  for (DiffSide which : {DiffSide::Before, DiffSide::After})
    paintSide(painter, which);
  if (!rows_.isUnified())
    painter.fillRect(splitX(), 0, 1, viewport()->height(), theme.border);
  for (const RowScroll::Item &item : shownRows())
    if (VisibleDiffRow row = rows_.row(item.index); row.folded > 0)
      paintFold(painter, item.index, item.y, row);
  paintHeader(painter);
  if (widest_ > widest)
    QMetaObject::invokeMethod(
        this, [this] { updateScrollBars(); }, Qt::QueuedConnection);
}

void DiffCanvas::paintSide(QPainter &painter, DiffSide which) {
  painter.save();
  painter.setClipRect(area(which).adjusted(0, headerHeight(), 0, 0));
  for (const RowScroll::Item &item : shownRows())
    if (const VisibleDiffRow row = rows_.row(item.index);
        row.folded == 0 && (!rows_.isUnified() || isLeft(which) == (row.right < 0)))
      paintRow(painter, which, item);
  painter.restore();
}

/// Unified, a changed line is what was removed and what was added.
DiffCanvas::RowLook DiffCanvas::lookOf(DiffSide which, const VisibleDiffRow &row, int index) const {
  using Kind = DiffRowData::Kind;
  const Side &target = sides_[!isLeft(which)];
  const Theme &theme = target.renderer.theme();
  const int line = isLeft(which) ? row.left : row.right;
  Kind kind = row.kind;
  if (kind == Kind::Changed && rows_.isUnified())
    kind = isLeft(which) ? Kind::Removed : Kind::Added;
  RowLook look{.isChanged = kind != Kind::Same, .back = theme.surface, .strong = theme.textMuted};
  if (kind == Kind::Added)
    look.back = theme.addedLine, look.strong = theme.added;
  else if (kind == Kind::Removed)
    look.back = theme.removedLine, look.strong = theme.removed;
  else if (kind == Kind::Changed)
    look.back = theme.changedLine, look.strong = theme.changed;
  look.isOfOp = line >= target.opFirst && line <= target.opLast;
  if (look.isOfOp)
    look.back = look.isChanged ? mix(theme.opBar, look.back, 0.12) : theme.opLines;
  look.isSelected = (which == active_ || rows_.isUnified()) && caretRow_ >= 0 &&
                    index >= std::min(anchorRow_, caretRow_) && index <= std::max(anchorRow_, caretRow_);
  if (look.isSelected)
    look.back = mix(theme.selection, look.back, hasFocus() ? 0.7 : 0.35);
  return look;
}

void DiffCanvas::paintRow(QPainter &painter, DiffSide which, const RowScroll::Item &item) {
  const VisibleDiffRow row = rows_.row(item.index);
  const Theme &theme = side(which).renderer.theme();
  const QRect room = area(which), band(room.left(), item.y, room.width(), item.height);
  if ((isLeft(which) ? row.left : row.right) < 0) {
    painter.fillRect(band, theme.gap);
    painter.setBrushOrigin(0, -verticalScrollBar()->value());
    painter.fillRect(band, QBrush(mix(theme.border, theme.gap, 0.55), Qt::BDiagPattern));
    return;
  }
  const RowLook look = lookOf(which, row, item.index);
  painter.fillRect(band, look.back);
  paintText(painter, which, row, band, look);
  paintMargin(painter, which, row, band, look);
  if (look.isChanged && currentChange_ >= 0 && currentChange_ < rows_.changes().size()) {
    const DiffChange &change = rows_.changes()[currentChange_];
    if (item.index >= change.first && item.index <= change.last && (isLeft(which) || rows_.isUnified()))
      painter.fillRect(band.left(), band.top(), 3, band.height(), look.strong);
  }
}

void DiffCanvas::paintText(QPainter &painter, DiffSide which, const VisibleDiffRow &row, const QRect &band,
                           const RowLook &look) {
  Side &target = side(which);
  const Theme &theme = target.renderer.theme();
  const int line = isLeft(which) ? row.left : row.right;
  const QPoint corner = textCorner(which, band.top());
  const auto text = target.source ? target.source->line(line) : std::nullopt;
  if (!text) {
    int length = 100 + int((unsigned(line) * 2654435761u >> 8) % 220);
    painter.fillRect(QRect(corner.x() + horizontalScrollBar()->value(), band.center().y() - 3, length, 6),
                     mix(theme.border, look.back, 0.5));
    return;
  }
  const QPointF origin(corner);
  painter.save();
  painter.setClipRect(band.adjusted(gutterWidth(which), 0, 0, 0), Qt::IntersectClip);
  if (row.kind == DiffRowData::Kind::Changed && row.source >= 0 && row.source < rows_.diff().rows.size()) {
    const DiffRowData &data = rows_.diff().rows[row.source];
    const QColor &word = !rows_.isUnified() ? theme.changedWord : isLeft(which) ? theme.removedWord : theme.addedWord;
    for (const ByteSpan &span : isLeft(which) ? data.leftSpans : data.rightSpans)
      target.renderer.fillColumns(painter, origin, line, *text, utf16Column(*text, span.begin),
                                  utf16Column(*text, span.end), word, true);
  }
  paintMatches(painter, which, line, origin, *text);
  target.renderer.paint(painter, origin, line, *text);
  widest_ = std::max(widest_, target.renderer.width(line, *text) + 2 * textPadding);
  painter.restore();
}

void DiffCanvas::paintMargin(QPainter &painter, DiffSide which, const VisibleDiffRow &row, const QRect &band,
                             const RowLook &look) {
  const Side &target = side(which);
  const Theme &theme = target.renderer.theme();
  QRect margin = band;
  margin.setWidth(gutterWidth(which));
  painter.fillRect(margin, look.isChanged    ? mix(look.strong, look.back, theme.dark ? 0.12 : 0.08)
                           : look.isSelected ? look.back
                                             : theme.gutter);
  if (look.isOfOp)
    painter.fillRect(margin.left(), margin.top(), 3, margin.height(), theme.opBar);
  paintNumbers(painter, which, row, margin, look);
  if (!look.isChanged)
    return;
  const bool isWhole = row.kind == DiffRowData::Kind::Changed && !rows_.isUnified();
  const QChar sign = isWhole ? u'~' : isLeft(which) ? u'\u2212' : u'+';
  painter.setFont(target.renderer.font());
  painter.setPen(look.strong);
  painter.drawText(QRect(margin.right() - signWidth, margin.top(), signWidth, int(lineHeight())), Qt::AlignCenter,
                   QString(sign));
}

void DiffCanvas::paintNumbers(QPainter &painter, DiffSide which, const VisibleDiffRow &row, const QRect &margin,
                              const RowLook &look) {
  const LineRenderer &renderer = side(which).renderer;
  const QColor &colour = look.isChanged ? look.strong : renderer.theme().gutterText;
  const double right = margin.right() - signWidth - 2;
  if (!rows_.isUnified()) {
    renderer.paintNumber(painter, right, margin.top(), (isLeft(which) ? row.left : row.right) + 1, colour);
    return;
  }
  if (row.left >= 0)
    renderer.paintNumber(painter, right - numberWidth(DiffSide::After), margin.top(), row.left + 1, colour);
  if (row.right >= 0)
    renderer.paintNumber(painter, right, margin.top(), row.right + 1, colour);
}

void DiffCanvas::paintFold(QPainter &painter, int index, int y, const VisibleDiffRow &row) {
  const Theme &theme = sides_[0].renderer.theme();
  int height = int(lineHeight());
  QRect band(0, y, viewport()->width(), height);
  if (y < headerHeight() - height)
    return;
  bool hot = index == hoveredFold_ || index == caretRow_;
  painter.fillRect(band, hot ? theme.accentSoft : mix(theme.accent, theme.window, 0.05));
  painter.setPen(mix(theme.border, theme.surface, 0.7));
  painter.drawLine(0, band.top(), band.right(), band.top());
  painter.drawLine(0, band.bottom(), band.right(), band.bottom());
  painter.setFont(uiFont(std::max(9, int(11 * zoom()))));
  painter.setPen(hot ? theme.text : theme.textMuted);
  QString text = tr("… %1 unchanged lines").arg(groupedNumber(row.folded));
  painter.drawText(band.adjusted(gutterWidth(DiffSide::Before) + textPadding, 0, -8, 0),
                   Qt::AlignLeft | Qt::AlignVCenter, text);
}

void DiffCanvas::paintHeader(QPainter &painter) {
  const Theme &theme = sides_[0].renderer.theme();
  const QRect bar(0, 0, viewport()->width(), headerHeight() - 1);
  painter.fillRect(bar, theme.window);
  painter.fillRect(0, bar.bottom() + 1, bar.width(), 1, theme.border);
  if (rows_.isUnified())
    return paintTitle(painter, DiffSide::After, bar.adjusted(12, 0, -12, 0));
  painter.fillRect(splitX(), 0, 1, headerHeight(), theme.border);
  for (DiffSide which : {DiffSide::Before, DiffSide::After}) {
    QRect room = area(which).adjusted(12, 0, -12, 0);
    room.setHeight(bar.height());
    paintTitle(painter, which, room);
  }
}

/// The name of a side, and the counts that belong to it; unified, of both.
void DiffCanvas::paintTitle(QPainter &painter, DiffSide which, QRect room) {
  const Theme &theme = sides_[0].renderer.theme();
  const DiffData &diff = rows_.diff();
  const bool hasLeft = isLeft(which) || rows_.isUnified(), hasRight = !isLeft(which);
  struct Count {
    QString text;
    QColor color;
  };
  QList<Count> counts;
  if (hasRight && diff.added > 0)
    counts.append({QStringLiteral("+%1").arg(groupedNumber(diff.added)), theme.added});
  if (hasLeft && diff.removed > 0)
    counts.append({QStringLiteral("\u2212%1").arg(groupedNumber(diff.removed)), theme.removed});
  if (diff.changed > 0)
    counts.append({QStringLiteral("~%1").arg(groupedNumber(diff.changed)), theme.changed});
  if (rows_.changes().isEmpty() && hasRight)
    counts.append({tr("no differences"), theme.textMuted});
  QFont bold = uiFont(12, QFont::DemiBold), small = uiFont(11);
  int right = room.right();
  painter.setFont(small);
  QFontMetrics metrics(small);
  for (auto it = counts.crbegin(); it != counts.crend(); ++it) {
    int width = metrics.horizontalAdvance(it->text);
    painter.setPen(it->color);
    painter.drawText(QRect(right - width, 0, width + 1, room.height()), Qt::AlignVCenter, it->text);
    right -= width + 10;
  }
  painter.setFont(bold);
  painter.setPen(which == active_ && hasFocus() ? theme.accent : theme.text);
  const QString title =
      rows_.isUnified() ? tr("%1 \u2192 %2").arg(sides_[0].title, sides_[1].title) : side(which).title;
  painter.drawText(room, Qt::AlignLeft | Qt::AlignVCenter,
                   QFontMetrics(bold).elidedText(title, Qt::ElideMiddle, std::max(0, right - room.left())));
}

} // namespace fuselage

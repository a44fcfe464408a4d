#include "views/text/DiffCanvas.h"
#include <QPainter>
#include <QScrollBar>
#include <algorithm>
#include <cmath>

namespace fuselage {

static constexpr double basePointSize = 10;
static constexpr int textPadding = 6, signWidth = 16;

static bool isLeft(DiffSide side) { return side == DiffSide::Before; }

DiffCanvas::DiffCanvas(QWidget *parent) : ZoomArea(parent) {
  setFocusPolicy(Qt::StrongFocus);
  setFrameShape(QFrame::NoFrame);
  setAccessibleName(tr("Differences before and after the step"));
  setEmptyText(tr("Nothing to compare yet"), tr("Select a step to see what it changed."));
  setTitles(tr("before"), tr("after"));
  viewport()->setMouseTracking(true);
  viewport()->setAttribute(Qt::WA_OpaquePaintEvent);
  for (Side &side : sides_) {
    side.renderer.setTheme(Theme::of(palette()));
    side.renderer.setFont(monoFont(basePointSize));
  }
}

void DiffCanvas::connectSource(TextSource *source, DiffSide which) {
  Side &target = side(which);
  if (target.source)
    target.source->disconnect(this);
  target.source = source;
  target.renderer.clear();
  if (!source)
    return;
  connect(source, &TextSource::linesArrived, this, [this, which](int first, int count) {
    for (int line = first; line < first + count; ++line)
      side(which).renderer.forget(line);
    viewport()->update();
  });
  connect(source, &TextSource::reset, this, [this, which] {
    side(which).renderer.clear();
    requestVisible();
    viewport()->update();
  });
}

void DiffCanvas::setDiff(const DiffData &diff, TextSource *before, TextSource *after) {
  // The same source may stand on both sides.
  for (Side &side : sides_)
    if (side.source)
      side.source->disconnect(this);
  sides_[0].source = sides_[1].source = nullptr;
  connectSource(before, DiffSide::Before);
  connectSource(after, DiffSide::After);
  for (Side &side : sides_)
    side.opFirst = side.opLast = -1;
  setMatches({});
  rows_.setDiff(diff);
  widest_ = 0;
  anchorRow_ = caretRow_ = hoveredFold_ = -1;
  currentChange_ = -1;
  updateScrollBars();
  horizontalScrollBar()->setValue(0);
  verticalScrollBar()->setValue(0);
  goToChange(0);
  if (rows_.changes().isEmpty())
    emit currentChangeChanged(-1, 0);
  requestVisible();
  viewport()->update();
  emit scrolled();
}

void DiffCanvas::setTitles(const QString &before, const QString &after) {
  sides_[0].title = before;
  sides_[1].title = after;
  viewport()->update();
}

void DiffCanvas::setEmptyText(const QString &title, const QString &hint) {
  emptyTitle_ = title;
  emptyHint_ = hint;
  viewport()->update();
}

void DiffCanvas::relayout() {
  updateScrollBars();
  requestVisible();
  viewport()->update();
  emit scrolled();
}

/// The first row in sight as a line, to find it again when rows have moved.
static std::pair<bool, int> lineOf(const VisibleDiffRow &row) {
  return row.left >= 0 ? std::pair(true, row.left) : std::pair(false, row.right);
}

void DiffCanvas::setFoldsOpen(bool open) {
  if (open == rows_.allOpen())
    return;
  int middle = caretRow_ >= 0 ? caretRow_ : std::min(firstRow() + visibleRows() / 3, std::max(0, rows_.rowCount() - 1));
  int offset = middle - firstRow();
  auto [left, line] = lineOf(rows_.row(middle));
  rows_.setAllOpen(open);
  int row = std::max(0, rows_.rowOf(left, line));
  if (caretRow_ >= 0)
    caretRow_ = anchorRow_ = row;
  relayout();
  verticalScrollBar()->setValue(int((row - offset) * lineHeight()));
  emit foldsOpenChanged(open);
}

void DiffCanvas::setContext(int lines) {
  rows_.setContext(lines);
  anchorRow_ = caretRow_ = -1;
  relayout();
}

void DiffCanvas::openFold(int row) {
  VisibleDiffRow fold = rows_.row(row);
  if (fold.folded == 0)
    return;
  rows_.openFold(fold.source);
  hoveredFold_ = -1;
  anchorRow_ = caretRow_ = row;
  relayout();
}

void DiffCanvas::applyZoom() {
  int row = firstRow();
  for (Side &side : sides_)
    side.renderer.setFont(monoFont(basePointSize * zoom()));
  widest_ = 0;
  updateScrollBars();
  verticalScrollBar()->setValue(int(row * lineHeight()));
  viewport()->update();
}

void DiffCanvas::highlightLines(DiffSide which, int first, int last) {
  side(which).opFirst = first;
  side(which).opLast = first < 0 ? -1 : std::max(first, last);
  viewport()->update();
}

void DiffCanvas::scrollToLine(DiffSide which, int line) {
  int row = rows_.rowOf(isLeft(which), line);
  if (row < 0)
    return;
  if (rows_.row(row).folded > 0) {
    openFold(row);
    row = rows_.rowOf(isLeft(which), line);
  }
  if (row < firstRow() + 1 || row > firstRow() + visibleRows() - 2)
    scrollToRow(row, 0.4);
}

void DiffCanvas::goToChange(int index) {
  const QList<DiffChange> &changes = rows_.changes();
  if (changes.isEmpty())
    return;
  index = std::clamp(index, 0, int(changes.size()) - 1);
  const DiffChange &change = changes[index];
  int length = change.last - change.first;
  if (change.first < firstRow() + 1 || change.last > firstRow() + visibleRows() - 2)
    scrollToRow(change.first, length > visibleRows() * 2 / 3 ? 0.08 : 0.3);
  setCurrentChange(index);
  viewport()->update();
}

void DiffCanvas::setCurrentChange(int index) {
  currentChange_ = index;
  emit currentChangeChanged(index, int(rows_.changes().size()));
  emit scrolled();
}

int DiffCanvas::firstRow() const { return int(verticalScrollBar()->value() / lineHeight()); }

int DiffCanvas::visibleRows() const {
  return std::max(1, int((viewport()->height() - headerHeight()) / lineHeight()));
}

void DiffCanvas::scrollToRow(int row, double place) {
  double room = viewport()->height() - headerHeight();
  verticalScrollBar()->setValue(int(row * lineHeight() - room * place));
}

int DiffCanvas::splitX() const {
  int width = viewport()->width();
  return std::clamp(int(width * split_), std::min(120, width / 2), std::max(width - 120, width / 2));
}

QRect DiffCanvas::area(DiffSide which) const {
  int split = splitX(), height = viewport()->height();
  return isLeft(which) ? QRect(0, 0, split, height)
                       : QRect(split + 1, 0, viewport()->width() - split - 1, height);
}

DiffSide DiffCanvas::sideAt(int x) const { return x < splitX() ? DiffSide::Before : DiffSide::After; }

int DiffCanvas::gutterWidth(DiffSide which) const {
  const Side &target = sides_[!isLeft(which)];
  int digits = std::max(3, int(QString::number(target.source ? target.source->lineCount() : 0).size()));
  return int(std::ceil(digits * target.renderer.charWidth())) + 12 + signWidth;
}

int DiffCanvas::rowAt(int y) const {
  if (y < headerHeight())
    return -1;
  int row = int((y - headerHeight() + verticalScrollBar()->value()) / lineHeight());
  return row < rows_.rowCount() ? row : -1;
}

void DiffCanvas::updateScrollBars() {
  double height = std::min(rows_.rowCount() * lineHeight() + 4, 2.0e9);
  int room = std::max(1, viewport()->height() - headerHeight());
  verticalScrollBar()->setRange(0, isEmpty() ? 0 : std::max(0, int(height) - room));
  verticalScrollBar()->setPageStep(room);
  verticalScrollBar()->setSingleStep(int(lineHeight()) * 3);
  int narrow = std::min(area(DiffSide::Before).width() - gutterWidth(DiffSide::Before),
                        area(DiffSide::After).width() - gutterWidth(DiffSide::After)) - 2 * textPadding;
  horizontalScrollBar()->setRange(0, std::max(0, int(widest_) - narrow));
  horizontalScrollBar()->setPageStep(std::max(1, narrow));
  horizontalScrollBar()->setSingleStep(int(sides_[0].renderer.charWidth()) * 4);
}

/// Rows in sight and a screenful on both sides, as one range of lines a side.
void DiffCanvas::requestVisible() {
  if (isEmpty())
    return;
  int first = std::max(0, firstRow() - visibleRows());
  int last = std::min(rows_.rowCount() - 1, firstRow() + 2 * visibleRows());
  int begin[2] = {-1, -1}, end[2] = {-1, -1};
  auto flush = [&](int s) {
    if (begin[s] >= 0 && sides_[s].source)
      sides_[s].source->request(begin[s], end[s] - begin[s]);
    begin[s] = -1;
  };
  for (int index = first; index <= last; ++index) {
    VisibleDiffRow row = rows_.row(index);
    for (int s = 0; s < 2; ++s) {
      int line = s == 0 ? row.left : row.right;
      if (row.folded > 0)
        flush(s);
      if (line < 0 || row.folded > 0)
        continue;
      if (begin[s] < 0)
        begin[s] = line;
      end[s] = line + 1;
    }
  }
  flush(0);
  flush(1);
}

// ---- Painting

void DiffCanvas::paintEvent(QPaintEvent *) {
  QPainter painter(viewport());
  const Theme &theme = sides_[0].renderer.theme();
  painter.fillRect(viewport()->rect(), theme.surface);
  if (isEmpty())
    return paintEmptyState(painter, viewport()->rect(), theme, emptyTitle_, emptyHint_);
  double widest = widest_;
  for (DiffSide which : {DiffSide::Before, DiffSide::After})
    paintSide(painter, which);
  int first = firstRow(), last = std::min(rows_.rowCount() - 1, first + visibleRows() + 1);
  painter.fillRect(splitX(), 0, 1, viewport()->height(), theme.border);
  for (int index = first; index <= last; ++index)
    if (VisibleDiffRow row = rows_.row(index); row.folded > 0)
      paintFold(painter, index, headerHeight() + int(index * lineHeight()) - verticalScrollBar()->value(), row);
  paintHeader(painter);
  if (widest_ > widest)
    QMetaObject::invokeMethod(this, [this] { updateScrollBars(); }, Qt::QueuedConnection);
}

void DiffCanvas::paintSide(QPainter &painter, DiffSide which) {
  painter.save();
  painter.setClipRect(area(which).adjusted(0, headerHeight(), 0, 0));
  int first = firstRow(), last = std::min(rows_.rowCount() - 1, first + visibleRows() + 1);
  for (int index = first; index <= last; ++index)
    paintRow(painter, which, index, headerHeight() + int(index * lineHeight()) - verticalScrollBar()->value());
  painter.restore();
}

void DiffCanvas::paintRow(QPainter &painter, DiffSide which, int index, int y) {
  VisibleDiffRow row = rows_.row(index);
  if (row.folded > 0)
    return;
  Side &target = side(which);
  const Theme &theme = target.renderer.theme();
  QRect room = area(which);
  int height = int(lineHeight()), gutter = gutterWidth(which);
  int line = isLeft(which) ? row.left : row.right;
  QRect band(room.left(), y, room.width(), height);
  if (line < 0) {
    painter.fillRect(band, theme.gap);
    painter.setBrushOrigin(0, -verticalScrollBar()->value());
    painter.fillRect(band, QBrush(mix(theme.border, theme.gap, 0.55), Qt::BDiagPattern));
    return;
  }
  bool changed = row.kind != DiffRowData::Kind::Same;
  QColor back = theme.surface, strong = theme.textMuted;
  if (row.kind == DiffRowData::Kind::Added)
    back = theme.addedLine, strong = theme.added;
  else if (row.kind == DiffRowData::Kind::Removed)
    back = theme.removedLine, strong = theme.removed;
  else if (row.kind == DiffRowData::Kind::Changed)
    back = theme.changedLine, strong = theme.changed;
  bool ofOp = line >= target.opFirst && line <= target.opLast;
  if (ofOp)
    back = changed ? mix(theme.opBar, back, 0.12) : theme.opLines;
  bool selected = which == active_ && caretRow_ >= 0 && index >= std::min(anchorRow_, caretRow_) && index <= std::max(anchorRow_, caretRow_);
  if (selected)
    back = mix(theme.selection, back, hasFocus() ? 0.7 : 0.35);
  painter.fillRect(band, back);

  if (auto text = target.source ? target.source->line(line) : std::nullopt) {
    QPointF origin(room.left() + gutter + textPadding - horizontalScrollBar()->value(), y);
    painter.save();
    painter.setClipRect(QRect(room.left() + gutter, y, room.width() - gutter, height), Qt::IntersectClip);
    if (row.kind == DiffRowData::Kind::Changed && row.source >= 0 && row.source < rows_.diff().rows.size()) {
      const DiffRowData &data = rows_.diff().rows[row.source];
      for (const ByteSpan &span : isLeft(which) ? data.leftSpans : data.rightSpans)
        target.renderer.fillColumns(painter, origin, line, *text, utf16Column(*text, span.begin),
                                    utf16Column(*text, span.end), theme.changedWord, true);
    }
    paintMatches(painter, which, line, origin, *text);
    target.renderer.paint(painter, origin, line, *text);
    widest_ = std::max(widest_, target.renderer.width(line, *text) + 2 * textPadding);
    painter.restore();
  } else {
    int length = 100 + int((unsigned(line) * 2654435761u >> 8) % 220);
    painter.fillRect(QRect(room.left() + gutter + textPadding, y + height / 2 - 3, length, 6), mix(theme.border, back, 0.5));
  }

  QRect margin(room.left(), y, gutter, height);
  painter.fillRect(margin, changed ? mix(strong, back, theme.dark ? 0.12 : 0.08) : selected ? back : theme.gutter);
  if (ofOp)
    painter.fillRect(room.left(), y, 3, height, theme.opBar);
  target.renderer.paintNumber(painter, margin.right() - signWidth - 2, y, line + 1, changed ? strong : theme.gutterText);
  if (!changed)
    return;
  QChar sign = row.kind == DiffRowData::Kind::Added ? u'+' : row.kind == DiffRowData::Kind::Removed ? u'−' : u'~';
  painter.setFont(target.renderer.font());
  painter.setPen(strong);
  painter.drawText(QRect(margin.right() - signWidth, y, signWidth, height), Qt::AlignCenter, QString(sign));
  if (currentChange_ >= 0) {
    const DiffChange &change = rows_.changes()[currentChange_];
    if (index >= change.first && index <= change.last && isLeft(which))
      painter.fillRect(room.left(), y, 3, height, strong);
  }
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
  painter.drawText(band.adjusted(gutterWidth(DiffSide::Before) + textPadding, 0, -8, 0), Qt::AlignLeft | Qt::AlignVCenter, text);
}

void DiffCanvas::paintHeader(QPainter &painter) {
  const Theme &theme = sides_[0].renderer.theme();
  painter.fillRect(0, 0, viewport()->width(), headerHeight(), theme.window);
  painter.fillRect(0, headerHeight() - 1, viewport()->width(), 1, theme.border);
  painter.fillRect(splitX(), 0, 1, headerHeight(), theme.border);
  const DiffData &diff = rows_.diff();
  for (DiffSide which : {DiffSide::Before, DiffSide::After}) {
    QRect room = area(which).adjusted(12, 0, -12, 0);
    room.setHeight(headerHeight() - 1);
    QFont bold = uiFont(12, QFont::DemiBold), small = uiFont(11);
    struct Count {
      QString text;
      QColor color;
    };
    QList<Count> counts;
    if (rows_.changes().isEmpty() && !isLeft(which))
      counts.append({tr("no differences"), theme.textMuted});
    if (diff.changed > 0)
      counts.append({QStringLiteral("~%1").arg(groupedNumber(diff.changed)), theme.changed});
    if (isLeft(which) && diff.removed > 0)
      counts.prepend({QStringLiteral("−%1").arg(groupedNumber(diff.removed)), theme.removed});
    if (!isLeft(which) && diff.added > 0)
      counts.prepend({QStringLiteral("+%1").arg(groupedNumber(diff.added)), theme.added});
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
    QString title = QFontMetrics(bold).elidedText(side(which).title, Qt::ElideMiddle, std::max(0, right - room.left()));
    painter.drawText(room, Qt::AlignLeft | Qt::AlignVCenter, title);
  }
}

void DiffCanvas::resizeEvent(QResizeEvent *event) {
  ZoomArea::resizeEvent(event);
  updateScrollBars();
  requestVisible();
  emit scrolled();
}

void DiffCanvas::changeEvent(QEvent *event) {
  ZoomArea::changeEvent(event);
  if (event->type() != QEvent::PaletteChange)
    return;
  for (Side &side : sides_)
    side.renderer.setTheme(Theme::of(palette()));
  viewport()->update();
}

void DiffCanvas::scrollContentsBy(int, int) {
  requestVisible();
  viewport()->update();
  emit scrolled();
}

} // namespace fuselage

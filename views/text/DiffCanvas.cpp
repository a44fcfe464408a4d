#include "views/text/DiffCanvas.h"
#include <algorithm>
#include <cmath>

namespace fuselage {

DiffCanvas::DiffCanvas(QWidget *parent) : ZoomArea(parent), scroll_([this](int row) { return rowsOf(row); }) {
  setFocusPolicy(Qt::StrongFocus);
  setFrameShape(QFrame::NoFrame);
  setAccessibleName(tr("Differences before and after the step"));
  setEmptyText(tr("Nothing to compare yet"), tr("Select a step to see what it changed."));
  setTitles(tr("before"), tr("after"));
  viewport()->setMouseTracking(true);
  viewport()->setAttribute(Qt::WA_OpaquePaintEvent);
  connect(verticalScrollBar(), &QScrollBar::actionTriggered, this, [this] { held_.reset(); });
  for (Side &side : sides_) {
    side.renderer.setTheme(Theme::of(palette()));
    side.renderer.setFont(monoFont());
  }
  for (DiffSide which : {DiffSide::Before, DiffSide::After})
    side(which).renderer.setFoldRule([this, which](qint64 line, const QString &) { return foldsIn(which, int(line)); });
}

void DiffCanvas::connectSource(TextSource *source, DiffSide which) {
  Side &target = side(which);
  if (target.source)
    target.source->disconnect(this);
  target.source = source;
  target.renderer.reset();
  if (!source)
    return;
  connect(source, &TextSource::linesArrived, this, [this, which](int first, int count) {
    for (int line = first; line < first + count; ++line)
      side(which).renderer.forget(line);
    side(isLeft(which) ? DiffSide::After : DiffSide::Before).renderer.clear(); // what folds there hangs on these lines
    if (wraps()) {
      updateScrollBars();
      if (held_)
        verticalScrollBar()->setValue(scroll_.valueFor(held_->first, held_->second));
    }
    if (wantsWords_)
      revealWords();
    if (wantsMatch_)
      revealMatch();
    viewport()->update();
  });
  connect(source, &TextSource::reset, this, [this] {
    for (Side &side : sides_)
      side.renderer.reset();
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
  wantsWords_ = false;
  held_.reset();
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

/// Rows are others, or of other heights: the caret, or what is in sight, stays where it is.
template <class Change> void DiffCanvas::keepPlace(Change change) {
  const int middle =
      caretRow_ >= 0 ? caretRow_ : std::clamp(firstRow() + visibleRows() / 3, 0, std::max(0, rows_.rowCount() - 1));
  const QRect seen = rectOfRow(middle);
  const int y = seen.isNull() ? 0 : seen.top() - headerHeight();
  const auto [left, line] = lineOf(rows_.row(middle));
  const int change0 = currentChange_;
  change();
  int row = std::max(0, rows_.rowOf(left, line));
  if (caretRow_ >= 0)
    caretRow_ = anchorRow_ = row;
  currentChange_ = std::min<int>(change0, int(rows_.changes().size()) - 1);
  relayout();
  verticalScrollBar()->setValue(scroll_.valueFor(row, y));
}

void DiffCanvas::setFoldsOpen(bool open) {
  if (open == rows_.allOpen())
    return;
  keepPlace([&] { rows_.setAllOpen(open); });
  emit foldsOpenChanged(open);
}

void DiffCanvas::setWrapping(bool wraps) {
  if (wraps != this->wraps())
    keepPlace([&] { scroll_.setWrapping(wraps); });
}

void DiffCanvas::setFolding(bool folds) {
  if (folds != this->folds())
    keepPlace([&] {
      for (Side &side : sides_)
        side.renderer.setFolding(folds);
      measureShown();
    });
}

void DiffCanvas::setUnified(bool unified) {
  if (unified != rows_.isUnified())
    keepPlace([&] {
      rows_.setUnified(unified);
      widest_ = 0;
    });
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
    side.renderer.setFont(monoFont(textPointSize * zoom()));
  widest_ = 0;
  updateScrollBars();
  verticalScrollBar()->setValue(scroll_.valueFor(row, 0));
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
  wantsWords_ = true;
  revealWords();
  viewport()->update();
}

void DiffCanvas::setCurrentChange(int index) {
  currentChange_ = index;
  emit currentChangeChanged(index, int(rows_.changes().size()));
  emit scrolled();
}

/// Scrolls sideways, if that takes it, to the first words of the current change that are different.
void DiffCanvas::revealWords() {
  if (wraps() || currentChange_ < 0 || currentChange_ >= rows_.changes().size())
    return;
  constexpr int most = 50; // rows of the change
  const DiffChange &change = rows_.changes()[currentChange_];
  double begin = -1, end = -1;
  int source = -1; // of the first changed line, whose sides are two rows where they stand below each other
  for (int index = change.first; index <= std::min(change.last, change.first + most); ++index) {
    const VisibleDiffRow row = rows_.row(index);
    if (row.kind != DiffRowData::Kind::Changed || row.source < 0 || (source >= 0 && row.source != source))
      continue;
    const DiffRowData &data = rows_.diff().rows[row.source];
    for (DiffSide which : {DiffSide::Before, DiffSide::After}) {
      Side &target = side(which);
      const int line = isLeft(which) ? row.left : row.right;
      const QList<ByteSpan> &spans = isLeft(which) ? data.leftSpans : data.rightSpans;
      if (line < 0 || spans.isEmpty())
        continue;
      const auto text = target.source ? target.source->line(line) : std::nullopt;
      if (!text)
        return; // linesArrived() comes back
      const double from = target.renderer.columnToX(line, *text, utf16Column(*text, spans.first().begin));
      const double to = target.renderer.columnToX(line, *text, utf16Column(*text, spans.first().end));
      begin = begin < 0 ? from : std::min(begin, from);
      end = std::max(end, to);
      source = row.source;
      widest_ = std::max(widest_, target.renderer.width(line, *text) + 2 * textPadding);
    }
  }
  wantsWords_ = false;
  if (begin < 0)
    return;
  updateScrollBars();
  const int room = roomForText(), value = horizontalScrollBar()->value();
  if (begin < value || std::min(end, begin + room) > value + room)
    horizontalScrollBar()->setValue(end <= room ? 0 : int(begin - room / 4));
}

bool DiffCanvas::showsColumns(DiffSide which, int line, int begin, int end) {
  Side &target = side(which);
  const auto text = target.source ? target.source->line(line) : std::nullopt;
  if (!text)
    return false;
  const double left = target.renderer.columnToX(line, *text, begin) - horizontalScrollBar()->value();
  const double right = target.renderer.columnToX(line, *text, end) - horizontalScrollBar()->value();
  return wraps() || (left >= 0 && right <= roomForText());
}

int DiffCanvas::rowsOf(int index) {
  const VisibleDiffRow row = rows_.row(index);
  int rows = 1;
  for (DiffSide which : {DiffSide::Before, DiffSide::After}) {
    const int line = isLeft(which) ? row.left : row.right;
    if (row.folded > 0 || line < 0 || (rows_.isUnified() && isLeft(which) && row.right >= 0))
      continue;
    if (const auto text = side(which).source ? side(which).source->line(line) : std::nullopt)
      rows = std::max(rows, side(which).renderer.rows(line, *text));
  }
  return rows;
}

QList<RowScroll::Item> DiffCanvas::shownRows() const {
  QList<RowScroll::Item> items = scroll_.shown(verticalScrollBar()->value(), viewport()->height() - headerHeight());
  for (RowScroll::Item &item : items)
    item.y += headerHeight();
  return items;
}

QRect DiffCanvas::rectOfRow(int row) const {
  for (const RowScroll::Item &item : shownRows())
    if (item.index == row)
      return {0, item.y, viewport()->width(), item.height};
  return {};
}

int DiffCanvas::visibleRows() const { return std::max(1, int((viewport()->height() - headerHeight()) / lineHeight())); }

void DiffCanvas::scrollToRow(int row, double place) {
  double room = viewport()->height() - headerHeight();
  held_ = {row, room * place};
  verticalScrollBar()->setValue(scroll_.valueFor(row, room * place));
}

int DiffCanvas::splitX() const {
  int width = viewport()->width();
  return std::clamp(int(width * split_), std::min(120, width / 2), std::max(width - 120, width / 2));
}

QRect DiffCanvas::area(DiffSide which) const {
  if (rows_.isUnified())
    return viewport()->rect();
  int split = splitX(), height = viewport()->height();
  return isLeft(which) ? QRect(0, 0, split, height) : QRect(split + 1, 0, viewport()->width() - split - 1, height);
}

DiffSide DiffCanvas::sideAt(int row, int x) const {
  if (rows_.isUnified())
    return rows_.row(row).right < 0 ? DiffSide::Before : DiffSide::After;
  return x < splitX() ? DiffSide::Before : DiffSide::After;
}

int DiffCanvas::numberWidth(DiffSide which) const {
  const Side &target = sides_[!isLeft(which)];
  int digits = std::max(3, int(QString::number(target.source ? target.source->lineCount() : 0).size()));
  return int(std::ceil(digits * target.renderer.charWidth())) + 12;
}

/// Unified, the numbers of both stand side by side.
int DiffCanvas::gutterWidth(DiffSide which) const {
  return (rows_.isUnified() ? numberWidth(DiffSide::Before) + numberWidth(DiffSide::After) : numberWidth(which)) +
         signWidth;
}

QPoint DiffCanvas::textCorner(DiffSide which, int top) const {
  return {area(which).left() + gutterWidth(which) + textPadding - horizontalScrollBar()->value(), top};
}

QPoint DiffCanvas::pointOf(DiffSide which, int line, int column) {
  Side &target = side(which);
  const QString text = target.source ? target.source->line(line).value_or(QString()) : QString();
  const int top = rectOfRow(rows_.rowOf(isLeft(which), line)).top();
  return textCorner(which, top) + target.renderer.columnToPoint(line, text, column).toPoint();
}

int DiffCanvas::rowAt(int y) const {
  if (y < headerHeight())
    return -1;
  for (const RowScroll::Item &item : shownRows())
    if (y < item.y + item.height)
      return item.index;
  return -1;
}

/// Of the narrower side.
int DiffCanvas::roomForText() const {
  return std::min(area(DiffSide::Before).width() - gutterWidth(DiffSide::Before),
                  area(DiffSide::After).width() - gutterWidth(DiffSide::After)) -
         2 * textPadding;
}

void DiffCanvas::updateScrollBars() {
  const int room = std::max(1, viewport()->height() - headerHeight()), narrow = roomForText();
  for (DiffSide which : {DiffSide::Before, DiffSide::After}) {
    const int width = area(which).width() - gutterWidth(which) - 2 * textPadding;
    side(which).renderer.setWrapWidth(wraps() ? std::max(80, width) : 0);
  }
  scroll_.setItems(isEmpty() ? 0 : rows_.rowCount(), lineHeight());
  verticalScrollBar()->setRange(0, isEmpty() ? 0 : scroll_.maximum(room));
  verticalScrollBar()->setPageStep(scroll_.pageStep(room));
  verticalScrollBar()->setSingleStep(scroll_.singleStep());
  horizontalScrollBar()->setRange(0, wraps() ? 0 : std::max(0, int(widest_) - narrow));
  horizontalScrollBar()->setPageStep(std::max(1, narrow));
  horizontalScrollBar()->setSingleStep(int(sides_[0].renderer.charWidth()) * 4);
}

void DiffCanvas::scrollByPixels(QPointF pixels) {
  held_.reset();
  ZoomArea::scrollByPixels({pixels.x(), 0});
  verticalScrollBar()->setValue(
      scroll_.moved(verticalScrollBar()->value(), wholeRows(pixels.y(), wraps() ? lineHeight() : 1)));
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
    const VisibleDiffRow row = rows_.row(index);
    // What folds in a line hangs on the one beside it.
    const VisibleDiffRow pair = rows_.pairOf(row.left >= 0, row.left >= 0 ? row.left : row.right);
    for (int s = 0; s < 2; ++s) {
      const int line = s == 0 ? pair.left : pair.right;
      if (row.folded > 0)
        flush(s);
      if (line < 0 || row.folded > 0)
        continue;
      end[s] = begin[s] < 0 ? line + 1 : std::max(end[s], line + 1);
      begin[s] = begin[s] < 0 ? line : std::min(begin[s], line);
    }
  }
  flush(0);
  flush(1);
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

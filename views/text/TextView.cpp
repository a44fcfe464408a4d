#include "views/text/TextView.h"
#include <QApplication>
#include <QClipboard>
#include <QScrollBar>
#include <QTimer>
#include <algorithm>
#include <cmath>
#include <limits>

namespace fuselage {

/// Copying asks for this many lines at a time.
static constexpr int copyChunk = 4096;

TextView::TextView(QWidget *parent)
    : ZoomArea(parent), scroll_([this](int line) { return rowsOf(line); }), scrollTimer_(new QTimer(this)) {
  setFocusPolicy(Qt::StrongFocus);
  setAccessibleName(tr("IR text"));
  setFrameShape(QFrame::NoFrame);
  setEmptyText(tr("No text yet"), tr("Open an MLIR file to read its IR here."));
  viewport()->setMouseTracking(true);
  viewport()->setCursor(Qt::IBeamCursor);
  viewport()->setAttribute(Qt::WA_OpaquePaintEvent);
  scrollTimer_->setInterval(40);
  connect(verticalScrollBar(), &QScrollBar::actionTriggered, this, [this] { held_.reset(); });
  connect(scrollTimer_, &QTimer::timeout, this, &TextView::autoScroll);
  renderer_.setTheme(Theme::of(palette()));
  applyZoom();
}

TextView::~TextView() = default;

void TextView::setSource(TextSource *source) {
  if (source_)
    source_->disconnect(this);
  source_ = source;
  numbers_.clear();
  largestNumber_ = 0;
  if (source_) {
    connect(source_, &TextSource::reset, this, &TextView::sourceReset);
    connect(source_, &TextSource::linesArrived, this, &TextView::linesArrived);
    connect(source_, &QObject::destroyed, this, [this] { sourceReset(); });
  }
  sourceReset();
}

void TextView::setLineNumbers(const QMap<int, int> &runs) {
  numbers_ = runs;
  largestNumber_ = source_ ? numberOf(source_->lineCount() - 1) : 0;
  for (auto run = numbers_.cbegin(); run != numbers_.cend(); ++run)
    largestNumber_ = std::max(largestNumber_, numberOf(std::max(run.key(), 1) - 1));
  updateScrollBars();
  viewport()->update();
}

int TextView::numberOf(int line) const {
  const auto behind = numbers_.upperBound(line);
  if (behind == numbers_.begin())
    return line + 1;
  const auto run = std::prev(behind);
  return run.value() + line - run.key();
}

/// Another text: nothing that named lines of the old one holds any longer.
void TextView::sourceReset() {
  bool hadSelection = hasSelection();
  renderer_.reset();
  matches_.clear();
  nameUses_.clear();
  currentMatch_ = -1;
  wantsMatch_ = false;
  anchor_ = caret_ = {};
  opFirst_ = opLast_ = otherFirst_ = otherLast_ = hovered_ = -1;
  widest_ = 0;
  copy_.reset();
  held_.reset();
  updateScrollBars();
  verticalScrollBar()->setValue(0);
  horizontalScrollBar()->setValue(0);
  requestVisible();
  viewport()->update();
  if (hadSelection)
    emit copyAvailable(false);
}

void TextView::linesArrived(int first, int count) {
  for (int line = first; line < first + count; ++line)
    renderer_.forget(line);
  int top = firstVisibleLine();
  if (first <= top + visibleLineCount() + 1 && first + count > top) {
    if (wraps()) {
      updateScrollBars(); // the end may be taller than it was
      if (held_)
        verticalScrollBar()->setValue(scroll_.valueFor(held_->first, held_->second));
    }
    viewport()->update();
  }
  if (wantsMatch_)
    revealMatch();
  if (copy_)
    continueCopy();
}

void TextView::setEmptyText(const QString &title, const QString &hint) {
  emptyTitle_ = title;
  emptyHint_ = hint;
  viewport()->update();
}

void TextView::applyZoom() {
  int top = firstVisibleLine();
  renderer_.setFont(monoFont(textPointSize * zoom()));
  widest_ = 0;
  updateScrollBars();
  verticalScrollBar()->setValue(scroll_.valueFor(top, 0));
  viewport()->update();
}

void TextView::setWrapping(bool wraps) {
  if (wraps == this->wraps())
    return;
  const int top = firstVisibleLine();
  scroll_.setWrapping(wraps);
  widest_ = 0;
  updateScrollBars();
  verticalScrollBar()->setValue(scroll_.valueFor(top, 0));
  viewport()->update();
}

void TextView::setFolding(bool folds) {
  const int top = firstVisibleLine();
  renderer_.setFolding(folds);
  widest_ = 0;
  updateScrollBars();
  verticalScrollBar()->setValue(scroll_.valueFor(top, 0));
  viewport()->update();
}

int TextView::rowsOf(int line) {
  const auto text = source_ ? source_->line(line) : std::nullopt;
  return text ? renderer_.rows(line, *text) : 1;
}

/// Opens or closes the fold; false: there is none.
bool TextView::toggleFold(int line, const FoldSpot &spot) {
  if (!spot)
    return false;
  renderer_.setFoldOpen(line, spot.fold, !spot.isOpen);
  for (TextPosition *end : {&anchor_, &caret_})
    if (spot.isOpen && end->line == line && end->column > spot.fold.begin && end->column < spot.fold.end)
      end->column = spot.fold.begin;
  measureShown();
  updateScrollBars();
  viewport()->update();
  return true;
}

void TextView::measureShown() {
  widest_ = 0;
  for (const RowScroll::Item &item : shownLines())
    if (const auto text = source_ ? source_->line(item.index) : std::nullopt)
      widest_ = std::max(widest_, renderer_.width(item.index, *text) + 2 * textPadding);
}

int TextView::gutterWidth() const {
  int digits = std::max(3, int(QString::number(std::max(largestNumber_, source_ ? source_->lineCount() : 0)).size()));
  return int(std::ceil(digits * renderer_.charWidth())) + 22;
}

void TextView::updateScrollBars() {
  const int room = viewport()->width() - gutterWidth() - 2 * textPadding, height = viewport()->height();
  renderer_.setWrapWidth(wraps() ? std::max(80, room) : 0);
  scroll_.setItems(source_ ? source_->lineCount() : 0, renderer_.lineHeight());
  verticalScrollBar()->setRange(0, scroll_.maximum(height));
  verticalScrollBar()->setPageStep(scroll_.pageStep(height));
  verticalScrollBar()->setSingleStep(scroll_.singleStep());
  horizontalScrollBar()->setRange(0, wraps() ? 0 : std::max(0, int(widest_) - room));
  horizontalScrollBar()->setPageStep(std::max(1, room));
  horizontalScrollBar()->setSingleStep(int(renderer_.charWidth()) * 4);
}

int TextView::firstVisibleLine() const { return scroll_.first(verticalScrollBar()->value()); }

QList<RowScroll::Item> TextView::shownLines() const {
  return scroll_.shown(verticalScrollBar()->value(), viewport()->height());
}

QRect TextView::rectOfLine(int line) const {
  for (const RowScroll::Item &item : shownLines())
    if (item.index == line)
      return {0, item.y, viewport()->width(), item.height};
  return {};
}

int TextView::visibleLineCount() const { return std::max(1, int(viewport()->height() / renderer_.lineHeight())); }

/// What is in sight and a screenful on both sides.
void TextView::requestVisible() {
  if (!source_)
    return;
  int lines = visibleLineCount() + 1;
  int first = std::max(0, firstVisibleLine() - lines);
  source_->request(first, lines * 3);
}

void TextView::scrollToLine(int line, bool center) {
  if (!source_ || line < 0)
    return;
  const int height = viewport()->height(), tall = int(renderer_.lineHeight());
  const QRect seen = rectOfLine(line);
  const bool inSight = !seen.isNull() && seen.top() >= 0 && seen.bottom() < height;
  held_.reset();
  if (center)
    held_ = {line, (height - tall) / 2};
  if (center)
    verticalScrollBar()->setValue(scroll_.valueFor(line, (height - tall) / 2));
  else if (!inSight && (line <= firstVisibleLine() || seen.height() > height))
    verticalScrollBar()->setValue(scroll_.valueFor(line, 0));
  else if (!inSight)
    verticalScrollBar()->setValue(scroll_.valueFor(line + 1, height));
}

void TextView::highlightLines(int first, int last) {
  opFirst_ = first;
  opLast_ = first < 0 ? -1 : std::max(first, last);
  otherFirst_ = otherLast_ = -1;
  viewport()->update();
}

void TextView::highlightAlso(int first, int last) {
  otherFirst_ = first;
  otherLast_ = first < 0 ? -1 : std::max(first, last);
  viewport()->update();
}

void TextView::setLineMarks(const QList<LineMark> &marks) {
  lineMarks_ = marks;
  viewport()->update();
}

void TextView::setNotedLines(const QMap<int, QString> &lines) {
  if (lines == noted_)
    return;
  noted_ = lines;
  viewport()->update();
}

void TextView::setMatches(const QList<TextMatch> &matches) {
  matches_ = matches;
  currentMatch_ = -1;
  wantsMatch_ = false;
  viewport()->update();
}

void TextView::setCurrentMatch(int index) {
  currentMatch_ = index >= 0 && index < matches_.size() ? index : -1;
  wantsMatch_ = currentMatch_ >= 0;
  if (wantsMatch_) {
    const int line = matches_[currentMatch_].line, first = firstVisibleLine();
    scrollToLine(line, line <= first || line >= first + visibleLineCount() - 1);
    revealMatch();
  }
  viewport()->update();
}

/// Opens the folds that the current match is in, and scrolls sideways to it, if its line is here.
void TextView::revealMatch() {
  const TextMatch match = matches_[currentMatch_];
  const auto text = source_ ? source_->line(match.line) : std::nullopt;
  if (!text)
    return; // linesArrived() comes back
  wantsMatch_ = false;
  const int begin = match.column, end = match.column + match.length;
  for (const LineFold &fold : renderer_.foldsHiding(match.line, *text, begin, end))
    toggleFold(match.line, {.fold = fold});
  const int left = int(renderer_.columnToX(match.line, *text, begin));
  const int right = int(renderer_.columnToX(match.line, *text, end));
  const int room = viewport()->width() - gutterWidth() - 2 * textPadding;
  widest_ = std::max(widest_, renderer_.width(match.line, *text));
  updateScrollBars();
  const int x = horizontalScrollBar()->value();
  if (left < x || right > x + room)
    horizontalScrollBar()->setValue(right > room ? left - room / 3 : 0);
}

int TextView::lineLength(int line) const {
  auto text = source_ ? source_->line(line) : std::nullopt;
  return text ? renderer_.columns(line, *text) : 0;
}

int TextView::lineAt(int y) const {
  const QList<RowScroll::Item> items = shownLines();
  for (const RowScroll::Item &item : items)
    if (y < item.y + item.height)
      return item.index;
  return items.isEmpty() ? 0 : items.last().index;
}

/// A point of the viewport, from the top left of the text of its line.
QPointF TextView::inLine(QPoint point) const {
  const double x = point.x() - gutterWidth() - textPadding + horizontalScrollBar()->value();
  return {x, double(point.y() - rectOfLine(lineAt(point.y())).top())};
}

TextPosition TextView::positionAt(QPoint point) const {
  int line = lineAt(point.y());
  auto text = source_ ? source_->line(line) : std::nullopt;
  return {line, text ? renderer_.pointToColumn(line, *text, inLine(point)) : 0};
}

FoldSpot TextView::foldAt(QPoint point) const {
  const int line = lineAt(point.y());
  auto text = source_ && point.x() >= gutterWidth() ? source_->line(line) : std::nullopt;
  return text ? renderer_.foldAt(line, *text, inLine(point)) : FoldSpot();
}

void TextView::setCurrentLine(int line) {
  int last = source_ ? source_->lineCount() - 1 : 0;
  bool had = hasSelection();
  anchor_ = caret_ = {std::clamp(line, 0, std::max(0, last)), 0};
  wantedX_ = -1;
  viewport()->update();
  if (had)
    emit copyAvailable(false);
  emit caretMoved();
}

void TextView::setCaret(TextPosition caret) {
  setCurrentLine(caret.line);
  anchor_.column = caret_.column = std::max(0, caret.column);
  const QRect seen = rectOfLine(caret_.line);
  scrollToLine(caret_.line, seen.isNull() || seen.top() < 0 || seen.bottom() > viewport()->height());
  ensureCaretVisible();
  emit caretMoved();
}

void TextView::setNameUses(const QList<NameUse> &uses) {
  nameUses_ = uses;
  viewport()->update();
}

void TextView::setPlace(const TextPlace &place) {
  setCurrentLine(place.line);
  caret_.column = anchor_.column = std::max(0, place.column);
  held_ = {place.top, 0};
  verticalScrollBar()->setValue(scroll_.valueFor(place.top, 0));
  emit caretMoved();
}

void TextView::setSelection(TextPosition anchor, TextPosition caret) {
  int last = source_ ? std::max(0, source_->lineCount() - 1) : 0;
  auto valid = [&](TextPosition p) { return TextPosition{std::clamp(p.line, 0, last), std::max(0, p.column)}; };
  bool had = hasSelection();
  anchor_ = valid(anchor);
  caret_ = valid(caret);
  viewport()->update();
  if (had != hasSelection())
    emit copyAvailable(hasSelection());
  emit caretMoved();
}

void TextView::selectAll() {
  if (!source_ || source_->lineCount() == 0)
    return;
  int last = source_->lineCount() - 1;
  // The last line may not be here yet: its end is wherever the renderer cuts.
  auto text = source_->line(last);
  setSelection({0, 0}, {last, text ? lineLength(last) : std::numeric_limits<int>::max()});
}

/// The part of a line that a selection covers; `shown`: where the line is cut, so that a selection up to there takes
/// all.
static QString selectedPart(const QString &text, int line, TextPosition begin, TextPosition end, int shown) {
  int from = line == begin.line ? begin.column : 0;
  int to = line == end.line && end.column < shown ? end.column : int(text.size());
  return text.mid(from, to - from);
}

QString TextView::selectedText() const {
  QStringList parts;
  TextPosition begin = selectionStart(), end = selectionEnd();
  if (begin == end || !source_)
    return {};
  for (int line = begin.line; line <= end.line; ++line)
    if (auto text = source_->line(line))
      parts.append(selectedPart(*text, line, begin, end, line == end.line ? lineLength(line) : 0));
  return parts.join(u'\n');
}

void TextView::copy() { startCopy(false); }
void TextView::copyWithNumbers() { startCopy(true); }

void TextView::startCopy(bool hasNumbers) {
  if (!source_ || source_->lineCount() == 0)
    return;
  TextPosition begin = selectionStart(), end = selectionEnd();
  if (begin == end)
    begin = {caret_.line, 0}, end = {caret_.line, std::numeric_limits<int>::max()};
  copy_ = PendingCopy{.begin = begin, .end = end, .next = begin.line, .hasNumbers = hasNumbers};
  continueCopy();
}

/// Takes the lines that are here, in order; asks for the next ones; ends with the last.
void TextView::continueCopy() {
  while (copy_ && source_) {
    auto text = source_->line(copy_->next);
    if (!text) {
      source_->request(copy_->next, std::min(copyChunk, copy_->end.line - copy_->next + 1));
      // The source may have delivered at once, by way of linesArrived.
      return;
    }
    if (copy_->next > copy_->begin.line)
      copy_->text += u'\n';
    if (copy_->hasNumbers)
      copy_->text +=
          QString::number(numberOf(copy_->next)).rightJustified(QString::number(numberOf(copy_->end.line)).size()) +
          QStringLiteral("  ");
    const bool isLast = copy_->next == copy_->end.line;
    copy_->text += selectedPart(*text, copy_->next, copy_->begin, copy_->end, isLast ? lineLength(copy_->next) : 0);
    if (copy_->next++ == copy_->end.line) {
      QApplication::clipboard()->setText(copy_->text);
      copy_.reset();
    }
  }
}

void TextView::resizeEvent(QResizeEvent *event) {
  ZoomArea::resizeEvent(event);
  updateScrollBars();
  requestVisible();
}

void TextView::changeEvent(QEvent *event) {
  ZoomArea::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) {
    renderer_.setTheme(Theme::of(palette()));
    viewport()->update();
  }
}

void TextView::scrollContentsBy(int, int) {
  requestVisible();
  viewport()->update();
}

void TextView::scrollByPixels(QPointF pixels) {
  held_.reset();
  ZoomArea::scrollByPixels({pixels.x(), 0});
  verticalScrollBar()->setValue(
      scroll_.moved(verticalScrollBar()->value(), wholeRows(pixels.y(), wraps() ? renderer_.lineHeight() : 1)));
}

} // namespace fuselage

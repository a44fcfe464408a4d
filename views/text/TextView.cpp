#include "views/text/TextView.h"
#include <QApplication>
#include <QClipboard>
#include <QPainter>
#include <QScrollBar>
#include <QTimer>
#include <algorithm>
#include <cmath>

namespace fuselage {

static constexpr double basePointSize = 10;
static constexpr int textPadding = 8;
/// Copying asks for this many lines at a time.
static constexpr int copyChunk = 4096;

TextView::TextView(QWidget *parent) : ZoomArea(parent), scrollTimer_(new QTimer(this)) {
  setFocusPolicy(Qt::StrongFocus);
  setAccessibleName(tr("IR text"));
  setFrameShape(QFrame::NoFrame);
  setEmptyText(tr("No text yet"), tr("Open an MLIR file to read its IR here."));
  viewport()->setMouseTracking(true);
  viewport()->setCursor(Qt::IBeamCursor);
  viewport()->setAttribute(Qt::WA_OpaquePaintEvent);
  scrollTimer_->setInterval(40);
  connect(scrollTimer_, &QTimer::timeout, this, &TextView::autoScroll);
  renderer_.setTheme(Theme::of(palette()));
  applyZoom();
}

TextView::~TextView() = default;

void TextView::setSource(TextSource *source) {
  if (source_)
    source_->disconnect(this);
  source_ = source;
  if (source_) {
    connect(source_, &TextSource::reset, this, &TextView::sourceReset);
    connect(source_, &TextSource::linesArrived, this, &TextView::linesArrived);
    connect(source_, &QObject::destroyed, this, [this] { sourceReset(); });
  }
  sourceReset();
}

/// Another text: nothing that named lines of the old one holds any longer.
void TextView::sourceReset() {
  bool hadSelection = hasSelection();
  renderer_.clear();
  matches_.clear();
  currentMatch_ = -1;
  anchor_ = caret_ = {};
  opFirst_ = opLast_ = otherFirst_ = otherLast_ = hovered_ = -1;
  widest_ = 0;
  copy_.reset();
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
  if (first <= top + visibleLineCount() + 1 && first + count > top)
    viewport()->update();
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
  renderer_.setFont(monoFont(basePointSize * zoom()));
  widest_ = 0;
  updateScrollBars();
  verticalScrollBar()->setValue(int(top * renderer_.lineHeight()));
  viewport()->update();
}

int TextView::gutterWidth() const {
  int digits = std::max(3, int(QString::number(source_ ? source_->lineCount() : 0).size()));
  return int(std::ceil(digits * renderer_.charWidth())) + 22;
}

void TextView::updateScrollBars() {
  double lines = source_ ? source_->lineCount() : 0;
  double height = std::min(lines * renderer_.lineHeight() + 4, 2.0e9);
  verticalScrollBar()->setRange(0, std::max(0, int(height) - viewport()->height()));
  verticalScrollBar()->setPageStep(viewport()->height());
  verticalScrollBar()->setSingleStep(int(renderer_.lineHeight()) * 3);
  int room = viewport()->width() - gutterWidth() - 2 * textPadding;
  horizontalScrollBar()->setRange(0, std::max(0, int(widest_) - room));
  horizontalScrollBar()->setPageStep(std::max(1, room));
  horizontalScrollBar()->setSingleStep(int(renderer_.charWidth()) * 4);
}

int TextView::firstVisibleLine() const {
  return int(verticalScrollBar()->value() / renderer_.lineHeight());
}

int TextView::visibleLineCount() const {
  return std::max(1, int(viewport()->height() / renderer_.lineHeight()));
}

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
  double height = renderer_.lineHeight();
  int top = int(line * height), value = verticalScrollBar()->value();
  bool inSight = top >= value && top + height <= value + viewport()->height();
  if (center)
    verticalScrollBar()->setValue(top - int(viewport()->height() - height) / 2);
  else if (!inSight)
    verticalScrollBar()->setValue(top < value ? top : top + int(height) - viewport()->height());
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

/// A tint, a bar at the left, and the words at the right.
void TextView::paintLineMarks(QPainter &painter, int line, int y) {
  const Theme &theme = renderer_.theme();
  const int height = int(renderer_.lineHeight()), width = viewport()->width();
  int right = width - 8, bar = gutterWidth();
  for (const LineMark &mark : lineMarks_) {
    if (mark.line != line)
      continue;
    const QColor colour = markColour(theme, mark.kind);
    QColor tint = colour;
    tint.setAlphaF(0.12f);
    painter.fillRect(0, y, width, height, tint);
    painter.fillRect(bar, y, 3, height, colour);
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

void TextView::setNotedLines(const QMap<int, QString> &lines) {
  if (lines == noted_)
    return;
  noted_ = lines;
  viewport()->update();
}

void TextView::setMatches(const QList<TextMatch> &matches) {
  matches_ = matches;
  currentMatch_ = -1;
  viewport()->update();
}

void TextView::setCurrentMatch(int index) {
  currentMatch_ = index >= 0 && index < matches_.size() ? index : -1;
  if (currentMatch_ >= 0) {
    const TextMatch &match = matches_[currentMatch_];
    int first = firstVisibleLine();
    bool inSight = match.line > first && match.line < first + visibleLineCount() - 1;
    scrollToLine(match.line, !inSight);
    if (auto text = source_ ? source_->line(match.line) : std::nullopt) {
      int begin = utf16Column(*text, match.column);
      int end = utf16Column(*text, match.column + match.length);
      int left = int(renderer_.columnToX(match.line, *text, begin));
      int right = int(renderer_.columnToX(match.line, *text, end));
      int room = viewport()->width() - gutterWidth() - 2 * textPadding;
      widest_ = std::max(widest_, renderer_.width(match.line, *text));
      updateScrollBars();
      int x = horizontalScrollBar()->value();
      if (left < x || right > x + room)
        horizontalScrollBar()->setValue(right > room ? left - room / 3 : 0);
    }
  }
  viewport()->update();
}

int TextView::lineLength(int line) const {
  auto text = source_ ? source_->line(line) : std::nullopt;
  return text ? int(std::min<qsizetype>(text->size(), LineRenderer::maxColumns)) : 0;
}

int TextView::lineAt(int y) const {
  int count = source_ ? source_->lineCount() : 0;
  return std::clamp(int((y + verticalScrollBar()->value()) / renderer_.lineHeight()), 0, std::max(0, count - 1));
}

TextPosition TextView::positionAt(QPoint point) const {
  int line = lineAt(point.y());
  auto text = source_ ? source_->line(line) : std::nullopt;
  double x = point.x() - gutterWidth() - textPadding + horizontalScrollBar()->value();
  return {line, text ? const_cast<LineRenderer &>(renderer_).xToColumn(line, *text, x) : 0};
}

void TextView::setCurrentLine(int line) {
  int last = source_ ? source_->lineCount() - 1 : 0;
  bool had = hasSelection();
  anchor_ = caret_ = {std::clamp(line, 0, std::max(0, last)), 0};
  wantedColumn_ = 0;
  viewport()->update();
  if (had)
    emit copyAvailable(false);
}

void TextView::setPlace(const TextPlace &place) {
  setCurrentLine(place.line);
  caret_.column = anchor_.column = wantedColumn_ = std::max(0, place.column);
  verticalScrollBar()->setValue(int(place.top * renderer_.lineHeight()));
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
}

void TextView::selectAll() {
  if (!source_ || source_->lineCount() == 0)
    return;
  int last = source_->lineCount() - 1;
  // The last line may not be here yet: its end is wherever the renderer cuts.
  auto text = source_->line(last);
  setSelection({0, 0}, {last, text ? lineLength(last) : LineRenderer::maxColumns});
}

/// The part of a line that a selection covers; a selection up to where a long line is cut takes all.
static QString selectedPart(const QString &text, int line, TextPosition begin, TextPosition end) {
  int from = line == begin.line ? begin.column : 0;
  int to = line == end.line && end.column < LineRenderer::maxColumns ? end.column : int(text.size());
  return text.mid(from, to - from);
}

QString TextView::selectedText() const {
  QStringList parts;
  TextPosition begin = selectionStart(), end = selectionEnd();
  if (begin == end || !source_)
    return {};
  for (int line = begin.line; line <= end.line; ++line)
    if (auto text = source_->line(line))
      parts.append(selectedPart(*text, line, begin, end));
  return parts.join(u'\n');
}

void TextView::copy() {
  if (!source_ || source_->lineCount() == 0)
    return;
  TextPosition begin = selectionStart(), end = selectionEnd();
  if (begin == end)
    begin = {caret_.line, 0}, end = {caret_.line, LineRenderer::maxColumns};
  copy_ = PendingCopy{begin, end, begin.line, {}};
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
    copy_->text += selectedPart(*text, copy_->next, copy_->begin, copy_->end);
    if (copy_->next++ == copy_->end.line) {
      QApplication::clipboard()->setText(copy_->text);
      copy_.reset();
    }
  }
}

// ---- Painting

void TextView::paintEvent(QPaintEvent *) {
  QPainter painter(viewport());
  const Theme &theme = renderer_.theme();
  painter.fillRect(viewport()->rect(), theme.surface);
  if (!source_ || source_->lineCount() == 0)
    return paintEmpty(painter);
  int gutter = gutterWidth(), height = int(renderer_.lineHeight());
  int first = firstVisibleLine();
  int last = std::min(source_->lineCount() - 1, first + visibleLineCount() + 1);
  int textLeft = gutter + textPadding - horizontalScrollBar()->value();
  double widest = widest_;
  painter.save();
  painter.setClipRect(gutter, 0, viewport()->width() - gutter, viewport()->height());
  for (int line = first; line <= last; ++line)
    paintLine(painter, line, line * height - verticalScrollBar()->value(), textLeft);
  painter.restore();

  painter.fillRect(0, 0, gutter, viewport()->height(), theme.gutter);
  painter.setPen(theme.border);
  painter.drawLine(gutter - 1, 0, gutter - 1, viewport()->height());
  for (int line = first; line <= last; ++line) {
    int y = line * height - verticalScrollBar()->value();
    if (isMarked(line))
      painter.fillRect(0, y, 3, height, theme.opBar);
    if (noted_.contains(line))
      paintBookmark(painter, QRectF(4, y + 2, 8, height - 5), theme, theme.gutter);
    renderer_.paintNumber(painter, gutter - 12, y, line + 1, line == caret_.line ? theme.text : theme.gutterText);
  }
  if (widest_ > widest)
    // Wider lines came into sight: the scroll bar learns of it after this frame.
    QMetaObject::invokeMethod(this, [this] { updateScrollBars(); }, Qt::QueuedConnection);
}

void TextView::paintLine(QPainter &painter, int line, int y, int textLeft) {
  const Theme &theme = renderer_.theme();
  int height = int(renderer_.lineHeight()), width = viewport()->width();
  if (isMarked(line))
    painter.fillRect(0, y, width, height, theme.opLines);
  else if (line == caret_.line && hasFocus() && !hasSelection())
    painter.fillRect(0, y, width, height, theme.currentLine);
  else if (line == hovered_)
    painter.fillRect(0, y, width, height, mix(theme.currentLine, theme.surface, 0.6));
  auto text = source_->line(line);
  if (!text) {
    // A quiet bar where text will be.
    int length = 120 + int((unsigned(line) * 2654435761u >> 8) % 260);
    painter.fillRect(QRect(textLeft, y + height / 2 - 3, length, 6), mix(theme.border, theme.surface, 0.5));
    return;
  }
  QPointF origin(textLeft, y);
  TextPosition begin = selectionStart(), end = selectionEnd();
  if (begin != end && line >= begin.line && line <= end.line) {
    int from = line == begin.line ? begin.column : 0;
    int to = line == end.line ? end.column : lineLength(line);
    renderer_.fillColumns(painter, origin, line, *text, from, to, theme.selection, false);
    if (line < end.line) {
      double x = renderer_.columnToX(line, *text, to);
      painter.fillRect(QRectF(origin.x() + x, y, renderer_.charWidth() * 0.6, height), theme.selection);
    }
  }
  auto match = std::lower_bound(matches_.cbegin(), matches_.cend(), line,
                                [](const TextMatch &m, int l) { return m.line < l; });
  for (; match != matches_.cend() && match->line == line; ++match) {
    bool current = match - matches_.cbegin() == currentMatch_;
    QColor fill = current ? theme.matchCurrent : theme.match;
    renderer_.fillColumns(painter, origin, line, *text, utf16Column(*text, match->column),
                          utf16Column(*text, match->column + match->length),
                          mix(fill, theme.surface, current ? 0.6 : theme.dark ? 0.35 : 0.5), true);
  }
  renderer_.paint(painter, origin, line, *text);
  if (!lineMarks_.isEmpty())
    paintLineMarks(painter, line, y);
  widest_ = std::max(widest_, renderer_.width(line, *text) + 2 * textPadding);
  if (line == caret_.line && hasFocus()) {
    double x = renderer_.columnToX(line, *text, caret_.column);
    painter.fillRect(QRectF(std::round(origin.x() + x), y + 1, 1.5, height - 2), theme.accent);
  }
}

void TextView::paintEmpty(QPainter &painter) {
  paintEmptyState(painter, viewport()->rect(), renderer_.theme(), emptyTitle_, emptyHint_);
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

} // namespace fuselage

// Mouse and keys of the text view.
#include "views/text/TextView.h"
#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QScrollBar>
#include <QTimer>
#include <QToolTip>
#include <algorithm>
#include <cmath>

using namespace Qt::StringLiterals;

namespace fuselage {

void TextView::moveCaret(TextPosition to, bool extend) {
  bool had = hasSelection();
  bool otherLine = to.line != caret_.line;
  caret_ = to;
  if (!extend)
    anchor_ = to;
  viewport()->update();
  if (had != hasSelection())
    emit copyAvailable(hasSelection());
  if (otherLine)
    emit currentLineChanged(caret_.line);
  emit caretMoved();
}

void TextView::ensureCaretVisible() {
  scrollToLine(caret_.line, false);
  auto text = source_ ? source_->line(caret_.line) : std::nullopt;
  if (!text)
    return;
  if (const LineFold fold = renderer_.foldHiding(caret_.line, *text, caret_.column); fold.end > 0)
    caret_.column = fold.end;
  const QPointF at = renderer_.columnToPoint(caret_.line, *text, caret_.column);
  if (wraps()) {
    const int y = rectOfLine(caret_.line).top() + int(at.y()), tall = int(renderer_.lineHeight());
    if (y < 0 || y + tall > viewport()->height())
      verticalScrollBar()->setValue(scroll_.valueFor(caret_.line, (y < 0 ? 0 : viewport()->height() - tall) - at.y()));
    return;
  }
  widest_ = std::max(widest_, renderer_.width(caret_.line, *text) + 16);
  updateScrollBars();
  const int x = int(at.x());
  int room = horizontalScrollBar()->pageStep(), value = horizontalScrollBar()->value();
  if (x < value)
    horizontalScrollBar()->setValue(x - room / 4);
  else if (x > value + room)
    horizontalScrollBar()->setValue(x - room + room / 4);
}

/// The word of MLIR around a column: a name with its sigil, or one other character.
static std::pair<int, int> wordAround(const QString &text, int column) {
  auto inWord = [&](int i) {
    return i >= 0 && i < text.size() && (text[i].isLetterOrNumber() || QStringView(u"_$.%#@!^").contains(text[i]));
  };
  int begin = std::min(column, int(text.size()));
  if (!inWord(begin) && inWord(begin - 1))
    --begin;
  if (!inWord(begin))
    return {begin, std::min(begin + 1, int(text.size()))};
  int end = begin;
  while (inWord(begin - 1))
    --begin;
  while (inWord(end))
    ++end;
  return {begin, end};
}

void TextView::mousePressEvent(QMouseEvent *event) {
  if (event->button() != Qt::LeftButton || !source_ || source_->lineCount() == 0)
    return;
  TextPosition at = positionAt(event->pos());
  if (toggleFold(at.line, foldAt(event->pos())))
    return;
  if (event->modifiers() == Qt::ControlModifier && isOnName(event->pos())) {
    moveCaret(at, false);
    emit nameActivated();
    return;
  }
  bool extend = event->modifiers() & Qt::ShiftModifier;
  draggingLines_ = event->pos().x() < gutterWidth();
  dragging_ = true;
  int before = caret_.line;
  if (draggingLines_ && !extend)
    setSelection({at.line, 0}, {at.line, lineLength(at.line)});
  else
    moveCaret(at, extend);
  // A click on the line the caret was on is a click too: it selects the op again.
  if (at.line == before || draggingLines_)
    emit currentLineChanged(at.line);
  wantedX_ = -1;
}

void TextView::mouseMoveEvent(QMouseEvent *event) {
  showPointer(event->pos(), event->modifiers());
  if (!dragging_) {
    const QList<RowScroll::Item> items = shownLines();
    bool below = items.isEmpty() || event->pos().y() >= items.last().y + items.last().height;
    setHoveredLine(!source_ || below ? -1 : lineAt(event->pos().y()));
    return;
  }
  dragPoint_ = event->pos();
  bool outside = !viewport()->rect().contains(dragPoint_);
  if (outside && !scrollTimer_->isActive())
    scrollTimer_->start();
  else if (!outside)
    scrollTimer_->stop();
  TextPosition at = positionAt(dragPoint_);
  if (draggingLines_) {
    bool down = at.line >= anchor_.line;
    setSelection({anchor_.line, down ? 0 : lineLength(anchor_.line)}, {at.line, down ? lineLength(at.line) : 0});
  } else {
    setSelection(anchor_, at);
  }
}

bool TextView::isOnName(QPoint point) const {
  const TextPosition at = positionAt(point);
  const QString text = textOf(at.line);
  const auto [begin, end] = wordAround(text.left(renderer_.columns(at.line, text)), at.column);
  return begin < end && QStringView(u"%@#!^").contains(text[begin]) && point.x() >= gutterWidth();
}

void TextView::showPointer(QPoint point, Qt::KeyboardModifiers modifiers) {
  const bool isGutter = point.x() < gutterWidth();
  const bool isLink = !dragging_ && (foldAt(point) || (modifiers == Qt::ControlModifier && isOnName(point)));
  viewport()->setCursor(isLink ? Qt::PointingHandCursor : isGutter && !dragging_ ? Qt::ArrowCursor : Qt::IBeamCursor);
}

bool TextView::showFoldToolTip(QPoint point, QPoint global) {
  const FoldSpot spot = foldAt(point);
  if (!spot || spot.isOpen)
    return false;
  QToolTip::showText(global, foldToolTip(textOf(lineAt(point.y())), spot.fold), viewport());
  return true;
}

/// While the mouse is held outside: faster the further away.
void TextView::autoScroll() {
  if (!dragging_)
    return scrollTimer_->stop();
  int dy = dragPoint_.y() < 0 ? dragPoint_.y() : std::max(0, dragPoint_.y() - viewport()->height());
  int dx = dragPoint_.x() < gutterWidth() ? dragPoint_.x() - gutterWidth()
                                          : std::max(0, dragPoint_.x() - viewport()->width());
  verticalScrollBar()->setValue(verticalScrollBar()->value() + dy);
  horizontalScrollBar()->setValue(horizontalScrollBar()->value() + (draggingLines_ ? 0 : dx));
  QPoint inside(std::clamp(dragPoint_.x(), 0, viewport()->width() - 1),
                std::clamp(dragPoint_.y(), 0, viewport()->height() - 1));
  setSelection(anchor_, positionAt(inside));
}

void TextView::mouseReleaseEvent(QMouseEvent *event) {
  if (event->button() != Qt::LeftButton)
    return;
  dragging_ = false;
  scrollTimer_->stop();
  wantedX_ = -1;
}

void TextView::mouseDoubleClickEvent(QMouseEvent *event) {
  if (event->button() != Qt::LeftButton || !source_ || source_->lineCount() == 0)
    return;
  TextPosition at = positionAt(event->pos());
  if (auto text = source_->line(at.line)) {
    auto [begin, end] = wordAround(text->left(lineLength(at.line)), at.column);
    setSelection({at.line, begin}, {at.line, end});
  }
  emit lineActivated(at.line);
}

void TextView::setHoveredLine(int line) {
  if (line == hovered_)
    return;
  hovered_ = line;
  viewport()->update();
  emit lineHovered(line);
}

bool TextView::viewportEvent(QEvent *event) {
  if (event->type() == QEvent::Leave)
    setHoveredLine(-1);
  if (event->type() == QEvent::ToolTip) {
    const auto *help = static_cast<QHelpEvent *>(event);
    const QString words = help->pos().x() < gutterWidth() ? noted_.value(lineAt(help->pos().y())) : QString();
    if (!words.isEmpty()) {
      QToolTip::showText(help->globalPos(), u"<p>%1</p>"_s.arg(words.toHtmlEscaped().replace(u'\n', u"<br>"_s)),
                         viewport());
      return true;
    }
    if (!showFoldToolTip(help->pos(), help->globalPos()))
      QToolTip::hideText();
    return true;
  }
  return ZoomArea::viewportEvent(event);
}

void TextView::contextMenuEvent(QContextMenuEvent *event) {
  bool keyboard = event->reason() == QContextMenuEvent::Keyboard;
  QPoint at = keyboard ? QPoint(gutterWidth() + 20, std::max(0, rectOfLine(caret_.line).top()))
                       : viewport()->mapFromGlobal(event->globalPos());
  emit contextMenuRequested(keyboard ? caret_.line : lineAt(at.y()), viewport()->mapToGlobal(at));
  event->accept();
}

/// Up or down by rows that are painted, at the same distance from the left. False: the next line is not here yet.
bool TextView::moveByRows(TextPosition &to, int rows) const {
  QString text = textOf(to.line);
  QPointF at = renderer_.columnToPoint(to.line, text, to.column);
  int row = int(at.y() / renderer_.lineHeight()) + rows;
  const int last = source_->lineCount() - 1;
  for (; row < 0 && to.line > 0; text = textOf(to.line))
    row += renderer_.rows(to.line - 1, textOf(to.line - 1)), --to.line;
  for (int own = renderer_.rows(to.line, text); row >= own && to.line < last; own = renderer_.rows(to.line, text)) {
    row -= own;
    text = textOf(++to.line);
  }
  row = std::clamp(row, 0, renderer_.rows(to.line, text) - 1);
  to.column = renderer_.pointToColumn(to.line, text, {wantedX_, row * renderer_.lineHeight()});
  return source_->line(to.line).has_value();
}

bool TextView::moveByKey(QKeyEvent *event) {
  bool extend = event->modifiers() & Qt::ShiftModifier, control = event->modifiers() & Qt::ControlModifier;
  int last = source_->lineCount() - 1;
  TextPosition to = caret_;
  int down = 0;
  auto word = [&](int step) {
    QString text = textOf(to.line).left(lineLength(to.line));
    int column = to.column;
    if (step > 0) {
      column = std::max(column + 1, wordAround(text, column).second);
      while (column < text.size() && text[column].isSpace())
        ++column;
    } else {
      --column;
      while (column > 0 && text[column].isSpace())
        --column;
      column = wordAround(text, column).first;
    }
    to.column = std::clamp(column, 0, int(text.size()));
  };
  switch (event->key()) {
  case Qt::Key_Left:
    if (!extend && hasSelection() && !control)
      to = selectionStart();
    else if (to.column == 0 && to.line > 0)
      to = {to.line - 1, lineLength(to.line - 1)};
    else if (control)
      word(-1);
    else
      to.column = std::max(0, to.column - 1);
    break;
  case Qt::Key_Right:
    if (!extend && hasSelection() && !control)
      to = selectionEnd();
    else if (to.column >= lineLength(to.line) && to.line < last)
      to = {to.line + 1, 0};
    else if (control)
      word(1);
    else
      to.column = std::min(lineLength(to.line), to.column + 1);
    break;
  case Qt::Key_Up:
    down = -1;
    break;
  case Qt::Key_Down:
    down = 1;
    break;
  case Qt::Key_PageUp:
    down = 1 - visibleLineCount();
    break;
  case Qt::Key_PageDown:
    down = visibleLineCount() - 1;
    break;
  case Qt::Key_Home:
    to = {control ? 0 : to.line, 0};
    break;
  case Qt::Key_End:
    to.line = control ? last : to.line;
    to.column = lineLength(to.line);
    break;
  default:
    return false;
  }
  if (down != 0) {
    if (wantedX_ < 0)
      wantedX_ = renderer_.columnToX(to.line, textOf(to.line), to.column);
    if (wraps()) {
      moveByRows(to, down);
    } else {
      to.line = std::clamp(to.line + down, 0, last);
      to.column = source_->line(to.line) ? renderer_.xToColumn(to.line, textOf(to.line), wantedX_) : 0;
    }
  } else if (const LineFold fold = renderer_.foldHiding(to.line, textOf(to.line), to.column); fold.end > 0) {
    to.column = event->key() == Qt::Key_Left ? fold.begin : fold.end;
  }
  moveCaret(to, extend);
  if (down == 0)
    wantedX_ = -1;
  ensureCaretVisible();
  return true;
}

void TextView::keyPressEvent(QKeyEvent *event) {
  if (!source_ || source_->lineCount() == 0)
    return ZoomArea::keyPressEvent(event);
  if (event->matches(QKeySequence::Copy))
    return copy();
  if (event->matches(QKeySequence::SelectAll))
    return selectAll();
  if (event->modifiers() & Qt::AltModifier)
    return ZoomArea::keyPressEvent(event);
  if (zoomByKey(event))
    return;
  if (moveByKey(event))
    return;
  if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) {
    if (!toggleFold(caret_.line, renderer_.foldAt(caret_.line, textOf(caret_.line), caret_.column)))
      emit lineActivated(caret_.line);
  } else if (event->key() == Qt::Key_Escape && hasSelection())
    moveCaret(caret_, false);
  else
    ZoomArea::keyPressEvent(event);
}

} // namespace fuselage

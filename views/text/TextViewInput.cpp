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
}

void TextView::ensureCaretVisible() {
  scrollToLine(caret_.line, false);
  auto text = source_ ? source_->line(caret_.line) : std::nullopt;
  if (!text)
    return;
  widest_ = std::max(widest_, renderer_.width(caret_.line, *text) + 16);
  updateScrollBars();
  int x = int(renderer_.columnToX(caret_.line, *text, caret_.column));
  int room = horizontalScrollBar()->pageStep(), value = horizontalScrollBar()->value();
  if (x < value)
    horizontalScrollBar()->setValue(x - room / 4);
  else if (x > value + room)
    horizontalScrollBar()->setValue(x - room + room / 4);
}

/// The word of MLIR around a column: a name with its sigil, or one other character.
static std::pair<int, int> wordAround(const QString &text, int column) {
  auto inWord = [&](int i) {
    return i >= 0 && i < text.size() &&
           (text[i].isLetterOrNumber() || QStringView(u"_$.%#@!^").contains(text[i]));
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
  wantedColumn_ = caret_.column;
}

void TextView::mouseMoveEvent(QMouseEvent *event) {
  bool gutter = event->pos().x() < gutterWidth();
  viewport()->setCursor(gutter && !dragging_ ? Qt::ArrowCursor : Qt::IBeamCursor);
  if (!dragging_) {
    bool below = source_ && (event->pos().y() + verticalScrollBar()->value()) / renderer_.lineHeight() >= source_->lineCount();
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
    setSelection({anchor_.line, down ? 0 : lineLength(anchor_.line)},
                 {at.line, down ? lineLength(at.line) : 0});
  } else {
    setSelection(anchor_, at);
  }
}

/// While the mouse is held outside: faster the further away.
void TextView::autoScroll() {
  if (!dragging_)
    return scrollTimer_->stop();
  int dy = dragPoint_.y() < 0 ? dragPoint_.y() : std::max(0, dragPoint_.y() - viewport()->height());
  int dx = dragPoint_.x() < gutterWidth() ? dragPoint_.x() - gutterWidth() : std::max(0, dragPoint_.x() - viewport()->width());
  verticalScrollBar()->setValue(verticalScrollBar()->value() + dy);
  horizontalScrollBar()->setValue(horizontalScrollBar()->value() + (draggingLines_ ? 0 : dx));
  QPoint inside(std::clamp(dragPoint_.x(), 0, viewport()->width() - 1), std::clamp(dragPoint_.y(), 0, viewport()->height() - 1));
  setSelection(anchor_, positionAt(inside));
}

void TextView::mouseReleaseEvent(QMouseEvent *event) {
  if (event->button() != Qt::LeftButton)
    return;
  dragging_ = false;
  scrollTimer_->stop();
  wantedColumn_ = caret_.column;
}

void TextView::mouseDoubleClickEvent(QMouseEvent *event) {
  if (event->button() != Qt::LeftButton || !source_ || source_->lineCount() == 0)
    return;
  TextPosition at = positionAt(event->pos());
  if (auto text = source_->line(at.line)) {
    auto [begin, end] = wordAround(text->left(LineRenderer::maxColumns), at.column);
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
      QToolTip::showText(help->globalPos(), u"<p>%1</p>"_s.arg(words.toHtmlEscaped().replace(u'\n', u"<br>"_s)), viewport());
      return true;
    }
  }
  return ZoomArea::viewportEvent(event);
}

void TextView::contextMenuEvent(QContextMenuEvent *event) {
  bool keyboard = event->reason() == QContextMenuEvent::Keyboard;
  QPoint at = keyboard ? QPoint(gutterWidth() + 20, int(caret_.line * renderer_.lineHeight()) - verticalScrollBar()->value())
                       : viewport()->mapFromGlobal(event->globalPos());
  emit contextMenuRequested(keyboard ? caret_.line : lineAt(at.y()), viewport()->mapToGlobal(at));
  event->accept();
}

bool TextView::moveByKey(QKeyEvent *event) {
  bool extend = event->modifiers() & Qt::ShiftModifier, control = event->modifiers() & Qt::ControlModifier;
  int last = source_->lineCount() - 1;
  TextPosition to = caret_;
  bool vertical = false;
  auto word = [&](int step) {
    QString text = source_->line(to.line).value_or(QString()).left(LineRenderer::maxColumns);
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
    to.line -= 1, vertical = true;
    break;
  case Qt::Key_Down:
    to.line += 1, vertical = true;
    break;
  case Qt::Key_PageUp:
    to.line -= visibleLineCount() - 1, vertical = true;
    break;
  case Qt::Key_PageDown:
    to.line += visibleLineCount() - 1, vertical = true;
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
  if (vertical) {
    to.line = std::clamp(to.line, 0, last);
    to.column = source_->line(to.line) ? std::min(wantedColumn_, lineLength(to.line)) : 0;
  }
  moveCaret(to, extend);
  if (!vertical)
    wantedColumn_ = caret_.column;
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
  if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)
    emit lineActivated(caret_.line);
  else if (event->key() == Qt::Key_Escape && hasSelection())
    moveCaret(caret_, false);
  else
    ZoomArea::keyPressEvent(event);
}

} // namespace fuselage

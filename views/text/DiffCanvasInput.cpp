// Mouse and keys of the diff view.
#include "views/text/DiffCanvas.h"
#include <QApplication>
#include <QClipboard>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QScrollBar>
#include <QToolTip>
#include <algorithm>
#include <cmath>

namespace fuselage {

/// Pixels on both sides of the bar that grab it.
static constexpr int splitGrip = 4;

bool DiffCanvas::isOnSplit(int x) const { return !rows_.isUnified() && std::abs(x - splitX()) <= splitGrip; }

void DiffCanvas::mousePressEvent(QMouseEvent *event) {
  if (event->button() != Qt::LeftButton || isEmpty())
    return;
  if (isOnSplit(event->pos().x())) {
    draggingSplit_ = true;
    return;
  }
  int row = rowAt(event->pos().y());
  if (row < 0)
    return;
  if (rows_.row(row).folded > 0)
    return openFold(row);
  if (toggleFold(foldAt(event->pos())))
    return;
  active_ = sideAt(row, event->pos().x());
  selecting_ = true;
  moveTo(row, event->modifiers() & Qt::ShiftModifier);
}

/// Puts the caret on a row and says which line that is.
void DiffCanvas::moveTo(int row, bool extend) {
  caretRow_ = row;
  if (!extend || anchorRow_ < 0)
    anchorRow_ = row;
  viewport()->update();
  const QList<DiffChange> &changes = rows_.changes();
  auto change =
      std::lower_bound(changes.cbegin(), changes.cend(), row, [](const DiffChange &c, int r) { return c.last < r; });
  if (change != changes.cend() && change->first <= row && change - changes.cbegin() != currentChange_)
    setCurrentChange(int(change - changes.cbegin()));
  VisibleDiffRow at = rows_.row(row);
  if (rows_.isUnified())
    active_ = sideAt(row, 0);
  int line = active_ == DiffSide::Before ? at.left : at.right;
  if (at.folded == 0 && line >= 0)
    emit lineClicked(active_, line);
}

void DiffCanvas::mouseMoveEvent(QMouseEvent *event) {
  int x = event->pos().x(), y = event->pos().y();
  if (draggingSplit_) {
    split_ = std::clamp(double(x) / std::max(1, viewport()->width()), 0.1, 0.9);
    updateScrollBars();
    viewport()->update();
    return;
  }
  if (selecting_) {
    int row = rowAt(std::clamp(y, headerHeight(), viewport()->height() - 1));
    if (y < headerHeight() || y > viewport()->height())
      scrollByPixels({0, (y < headerHeight() ? -1 : 1) * lineHeight()});
    if (row >= 0 && row != caretRow_) {
      caretRow_ = row;
      viewport()->update();
    }
    return;
  }
  int row = isEmpty() ? -1 : rowAt(y);
  int fold = row >= 0 && rows_.row(row).folded > 0 ? row : -1;
  bool grip = !isEmpty() && isOnSplit(x);
  const bool isLink = fold >= 0 || foldAt(event->pos()).spot;
  viewport()->setCursor(grip ? Qt::SplitHCursor : isLink ? Qt::PointingHandCursor : Qt::ArrowCursor);
  if (fold != hoveredFold_) {
    hoveredFold_ = fold;
    viewport()->update();
  }
}

void DiffCanvas::mouseReleaseEvent(QMouseEvent *) { draggingSplit_ = selecting_ = false; }

void DiffCanvas::mouseDoubleClickEvent(QMouseEvent *event) {
  if (!isOnSplit(event->pos().x()))
    return mousePressEvent(event);
  split_ = 0.5;
  updateScrollBars();
  viewport()->update();
}

bool DiffCanvas::viewportEvent(QEvent *event) {
  if (event->type() == QEvent::Leave && hoveredFold_ >= 0) {
    hoveredFold_ = -1;
    viewport()->update();
  }
  if (event->type() == QEvent::ToolTip) {
    if (!showFoldToolTip(*static_cast<QHelpEvent *>(event)))
      QToolTip::hideText();
    return true;
  }
  return ZoomArea::viewportEvent(event);
}

/// Plain keys that mean something here win over the window's commands.
bool DiffCanvas::event(QEvent *event) {
  if (event->type() == QEvent::ShortcutOverride && !isEmpty()) {
    const auto *key = static_cast<QKeyEvent *>(event);
    if (key->modifiers() == Qt::NoModifier && (key->key() == Qt::Key_N || key->key() == Qt::Key_P))
      event->accept();
  }
  return ZoomArea::event(event);
}

void DiffCanvas::keyPressEvent(QKeyEvent *event) {
  if (isEmpty())
    return ZoomArea::keyPressEvent(event);
  if (event->matches(QKeySequence::Copy))
    return copy();
  if (zoomByKey(event))
    return;
  bool shift = event->modifiers() & Qt::ShiftModifier;
  auto go = [&](int row) {
    row = std::clamp(row, 0, rows_.rowCount() - 1);
    moveTo(row, shift);
    const QRect seen = rectOfRow(row);
    if (row < firstRow() + 1)
      scrollToRow(std::max(0, row - 1), 0);
    else if (seen.isNull() || seen.bottom() > viewport()->height() - lineHeight())
      scrollToRow(std::min(row + 2, rows_.rowCount()), 1);
  };
  int start = caretRow_ >= 0 ? caretRow_ : firstRow();
  switch (event->key()) {
  case Qt::Key_N:
    return goToChange(currentChange_ + 1);
  case Qt::Key_P:
    return goToChange(currentChange_ - 1);
  case Qt::Key_E:
    return setFoldsOpen(!rows_.allOpen());
  case Qt::Key_Up:
    return go(caretRow_ >= 0 ? start - 1 : start);
  case Qt::Key_Down:
    return go(caretRow_ >= 0 ? start + 1 : start);
  case Qt::Key_PageUp:
    return go(start - visibleRows() + 1);
  case Qt::Key_PageDown:
    return go(start + visibleRows() - 1);
  case Qt::Key_Home:
    return go(0);
  case Qt::Key_End:
    return go(rows_.rowCount() - 1);
  case Qt::Key_Left:
  case Qt::Key_Right:
    if (horizontalScrollBar()->maximum() > 0) {
      int step = horizontalScrollBar()->singleStep();
      horizontalScrollBar()->setValue(horizontalScrollBar()->value() + (event->key() == Qt::Key_Left ? -step : step));
    } else {
      active_ = event->key() == Qt::Key_Left ? DiffSide::Before : DiffSide::After;
      viewport()->update();
    }
    return;
  case Qt::Key_Return:
  case Qt::Key_Enter:
  case Qt::Key_Space:
    if (caretRow_ >= 0 && rows_.row(caretRow_).folded > 0)
      openFold(caretRow_);
    else if (caretRow_ >= 0)
      toggleFolds(caretRow_);
    return;
  default:
    ZoomArea::keyPressEvent(event);
  }
}

QString DiffCanvas::selectedText() const {
  if (caretRow_ < 0)
    return {};
  const Side &from = sides_[active_ == DiffSide::After];
  QStringList lines;
  if (rows_.isUnified())
    return unifiedText();
  for (int index = std::min(anchorRow_, caretRow_); index <= std::max(anchorRow_, caretRow_); ++index) {
    VisibleDiffRow row = rows_.row(index);
    int line = active_ == DiffSide::Before ? row.left : row.right;
    for (int i = 0; line >= 0 && i < std::max(1, row.folded); ++i)
      if (auto text = from.source ? from.source->line(line + i) : std::nullopt)
        lines.append(*text);
  }
  return lines.join(u'\n');
}

/// As a patch has it: the sign in front.
QString DiffCanvas::unifiedText() const {
  QStringList lines;
  const int first = std::min(anchorRow_, caretRow_), last = std::max(anchorRow_, caretRow_);
  for (int index = first; index <= last; ++index) {
    const VisibleDiffRow row = rows_.row(index);
    const bool isOld = row.right < 0;
    const QPointer<TextSource> &source = sides_[!isOld].source;
    const QString sign = row.kind == DiffRowData::Kind::Same ? QStringLiteral(" ")
                         : isOld                             ? QStringLiteral("-")
                                                             : QStringLiteral("+");
    for (int i = 0; i < std::max(1, row.folded); ++i)
      if (auto text = source ? source->line((isOld ? row.left : row.right) + i) : std::nullopt)
        lines.append((first == last ? QString() : sign) + *text);
  }
  return lines.join(u'\n');
}

void DiffCanvas::copy() const {
  if (caretRow_ >= 0)
    QApplication::clipboard()->setText(selectedText());
}

} // namespace fuselage

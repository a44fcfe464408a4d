#include "views/editor/ScriptEdit.h"
#include "views/common/Theme.h"
#include "views/editor/MlirHighlighter.h"
#include "views/editor/ScriptGutter.h"
#include "views/text/LineRenderer.h"
#include <QTextBlock>
#include <algorithm>
#include <cmath>

namespace fuselage {

static constexpr double basePointSize = 10;

ScriptEdit::ScriptEdit(QWidget *parent)
    : QPlainTextEdit(parent), highlighter_(new MlirHighlighter(document())), gutter_(new ScriptGutter(this)) {
  setAccessibleName(tr("Transform script"));
  setFrameShape(QFrame::NoFrame);
  setLineWrapMode(QPlainTextEdit::NoWrap);
  setPlaceholderText(tr("A transform-dialect script"));
  connect(this, &QPlainTextEdit::blockCountChanged, this, &ScriptEdit::placeGutter);
  connect(this, &QPlainTextEdit::updateRequest, this, [this](const QRect &rect, int dy) {
    dy != 0 ? gutter_->scroll(0, dy) : gutter_->update(0, rect.y(), gutter_->width(), rect.height());
  });
  connect(this, &QPlainTextEdit::cursorPositionChanged, this, &ScriptEdit::refreshMarks);
  connect(this, &QPlainTextEdit::textChanged, gutter_, qOverload<>(&QWidget::update));
  setZoom(1);
  takeTheme();
}

ScriptEdit::~ScriptEdit() = default;

void ScriptEdit::openText(const QString &text) {
  breakpoints_.clear();
  step_ = QTextCursor();
  problems_.clear();
  problemPlaces_.clear();
  forms_.clear();
  setPlainText(text);
  setUnmodified();
  refreshMarks();
  placeGutter();
  emit breakpointsChanged();
}

void ScriptEdit::replaceText(const QString &wanted) {
  const QString before = text();
  const qsizetype shorter = std::min(before.size(), wanted.size());
  qsizetype front = 0, back = 0;
  while (front < shorter && before[front] == wanted[front])
    ++front;
  while (back < shorter - front && before[before.size() - 1 - back] == wanted[wanted.size() - 1 - back])
    ++back;
  if (front == before.size() && front == wanted.size())
    return;
  QTextCursor edit(document());
  edit.beginEditBlock();
  edit.setPosition(int(front));
  edit.setPosition(int(before.size() - back), QTextCursor::KeepAnchor);
  edit.insertText(wanted.mid(front, wanted.size() - front - back));
  edit.endEditBlock();
}

int ScriptEdit::currentLine() const { return textCursor().blockNumber() + 1; }
int ScriptEdit::currentColumn() const { return textCursor().positionInBlock() + 1; }

QTextCursor ScriptEdit::lineCursor(int line) const {
  QTextCursor cursor(document());
  cursor.setPosition(document()->findBlockByNumber(std::clamp(line, 1, blockCount()) - 1).position());
  return cursor;
}

void ScriptEdit::goToLine(int line, int column) {
  QTextCursor cursor = lineCursor(line);
  cursor.setPosition(cursor.position() + utf16Column(cursor.block().text(), std::max(column, 1) - 1));
  setTextCursor(cursor);
  revealLine(line);
}

void ScriptEdit::revealLine(int line) {
  const QTextBlock block = lineCursor(line).block();
  const QRectF place = blockBoundingGeometry(block).translated(contentOffset());
  if (place.top() >= 0 && place.bottom() <= viewport()->height())
    return;
  const QTextCursor caret = textCursor();
  setTextCursor(QTextCursor(block)); // the only way to centre a line
  centerCursor();
  if (caret.block() != block)
    setTextCursor(caret); // which does not scroll back
}

void ScriptEdit::setZoom(double zoom) {
  zoom_ = std::clamp(zoom, 0.5, 4.0);
  const QFont font = monoFont(basePointSize * zoom_);
  setFont(font);
  setTabStopDistance(2 * QFontMetricsF(font).horizontalAdvance(u' '));
  placeGutter();
  emit zoomChanged(zoom_);
}

void ScriptEdit::takeTheme() {
  const Theme &theme = Theme::of(palette());
  highlighter_->setTheme(theme);
  refreshMarks();
}

void ScriptEdit::changeEvent(QEvent *event) {
  QPlainTextEdit::changeEvent(event);
  if (event->type() == QEvent::PaletteChange)
    takeTheme();
}

void ScriptEdit::placeGutter() {
  const int width = gutter_->wantedWidth();
  setViewportMargins(width, 0, 0, 0);
  const QRect room = contentsRect();
  gutter_->setGeometry(room.left(), room.top(), width, room.height());
  gutter_->update();
}

void ScriptEdit::resizeEvent(QResizeEvent *event) {
  QPlainTextEdit::resizeEvent(event);
  placeGutter();
}

int ScriptEdit::setSearch(const QString &pattern) {
  search_ = QRegularExpression(pattern);
  int count = 0;
  if (!pattern.isEmpty() && search_.isValid())
    for (auto match = search_.globalMatch(text()); match.hasNext();)
      count += match.next().capturedLength() > 0 ? 1 : 0;
  refreshMarks();
  return count;
}

int ScriptEdit::findMatch(int direction) {
  if (search_.pattern().isEmpty() || !search_.isValid())
    return -1;
  QList<std::pair<int, int>> found;
  for (auto matches = search_.globalMatch(text()); matches.hasNext();)
    if (const QRegularExpressionMatch match = matches.next(); match.capturedLength() > 0)
      found.append({int(match.capturedStart()), int(match.capturedEnd())});
  if (found.isEmpty())
    return -1;
  const int from = direction > 0 ? textCursor().selectionEnd() : textCursor().selectionStart();
  const auto next = std::find_if(found.begin(), found.end(), [&](const auto &match) { return match.first >= from; });
  int at = int(next - found.begin());
  at = direction > 0 ? at % int(found.size()) : (at + int(found.size()) - 1) % int(found.size());
  QTextCursor cursor(document());
  cursor.setPosition(found[at].first);
  cursor.setPosition(found[at].second, QTextCursor::KeepAnchor);
  setTextCursor(cursor);
  revealLine(currentLine());
  setTextCursor(cursor);
  return at;
}

} // namespace fuselage

#include "views/editor/ScriptEdit.h"
#include "views/common/Theme.h"
#include "views/editor/MlirHighlighter.h"
#include "views/editor/ScriptCompletion.h"
#include "views/text/LineRenderer.h"
#include <QScrollBar>
#include <QTextBlock>
#include <algorithm>
#include <cmath>

namespace fuselage {

ScriptEdit::ScriptEdit(QWidget *parent)
    : QPlainTextEdit(parent), highlighter_(new MlirHighlighter(document())), gutter_(new ScriptGutter(this)),
      completion_(new ScriptCompletion(viewport())) {
  setAccessibleName(tr("Transform script"));
  setFrameShape(QFrame::NoFrame);
  setLineWrapMode(QPlainTextEdit::NoWrap);
  setPlaceholderText(tr("No schedule is open.\n\nWrite a new one (Ctrl+N), open a transform-dialect script "
                        "(Ctrl+Alt+O), or point at an op in the graph or "
                        "in the IR:\nits menu starts a schedule there."));
  connect(this, &QPlainTextEdit::blockCountChanged, this, &ScriptEdit::placeGutter);
  connect(this, &QPlainTextEdit::updateRequest, this, [this](const QRect &rect, int dy) {
    dy != 0 ? gutter_->scroll(0, dy) : gutter_->update(0, rect.y(), gutter_->width(), rect.height());
  });
  connect(this, &QPlainTextEdit::cursorPositionChanged, this, &ScriptEdit::refreshMarks);
  connect(this, &QPlainTextEdit::textChanged, gutter_, qOverload<>(&QWidget::update));
  connect(this, &QPlainTextEdit::cursorPositionChanged, this, [this] {
    if (textCursor().blockNumber() != completedLine_ || textCursor().positionInBlock() < completedColumn_)
      completion_->hide();
  });
  connect(completion_, &ScriptCompletion::accepted, this, &ScriptEdit::accept);
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
  anchors_.clear();
  setPlainText(text);
  setUnmodified();
  refreshMarks();
  placeGutter();
  emit breakpointsChanged();
}

/// How many characters at the end are the same, of those behind `front`.
static qsizetype sameBack(QStringView a, QStringView b, qsizetype front) {
  qsizetype same = 0;
  while (same < std::min(a.size(), b.size()) - front && a[a.size() - 1 - same] == b[b.size() - 1 - same])
    ++same;
  return same;
}

void ScriptEdit::replaceText(const QString &wanted) {
  const QString before = text();
  qsizetype front = 0;
  while (front < std::min(before.size(), wanted.size()) && before[front] == wanted[front])
    ++front;
  if (front == before.size() && front == wanted.size())
    return;
  qsizetype back = sameBack(before, wanted, front);
  const auto middle = [&](const QString &whole) {
    return QStringView(whole).sliced(front, whole.size() - front - back);
  };
  if (middle(before).contains(u'\n') || middle(wanted).contains(u'\n')) {
    // Whole lines come and go, also where two of them begin alike.
    front = front == 0 ? 0 : before.lastIndexOf(u'\n', front - 1) + 1;
    back = sameBack(before, wanted, front);
    while (back > 0 && ((before.size() - back > 0 && before[before.size() - back - 1] != u'\n') ||
                        (wanted.size() - back > 0 && wanted[wanted.size() - back - 1] != u'\n')))
      --back;
  }
  const int line = currentLine(), column = textCursor().positionInBlock();
  const bool isInside = textCursor().position() > front && textCursor().position() < before.size() - back;
  QTextCursor edit(document());
  edit.beginEditBlock();
  edit.setPosition(int(front));
  edit.setPosition(int(before.size() - back), QTextCursor::KeepAnchor);
  edit.insertText(middle(wanted).toString());
  edit.endEditBlock();
  if (!isInside)
    return;
  QTextCursor caret = lineCursor(line);
  caret.setPosition(caret.position() + std::min(column, int(caret.block().text().size())));
  setTextCursor(caret);
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
  const double height = std::max(1.0, blockBoundingRect(document()->begin()).height());
  const int visible = std::max(1, int(viewport()->height() / height)), first = verticalScrollBar()->value(); // in lines
  if (line - 1 < first || line - 1 >= first + visible)
    verticalScrollBar()->setValue(std::max(0, line - 1 - visible / 2));
}

/// What was asked for while nobody could see it.
void ScriptEdit::showEvent(QShowEvent *event) {
  QPlainTextEdit::showEvent(event);
  if (stepLine() > 0)
    revealLine(stepLine());
}

void ScriptEdit::setZoom(double zoom) {
  zoom_ = std::clamp(zoom, 0.5, 4.0);
  const QFont font = monoFont(textPointSize * zoom_);
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
  return at;
}

} // namespace fuselage

// How the editor offers what may stand at the caret.
#include "views/editor/ScriptCompletion.h"
#include "views/editor/ScriptEdit.h"
#include "views/text/LineRenderer.h"
#include <QKeyEvent>
#include <QListWidget>
#include <QTextBlock>

namespace fuselage {

/// Letters before something is offered unasked, where no sigil says what is meant.
static constexpr int lettersToOffer = 2;

static bool isNamePart(QChar character) {
  return character.isLetterOrNumber() || QStringView(u"_.$-").contains(character);
}

int ScriptEdit::byteColumn() const {
  return int(textCursor().block().text().left(textCursor().positionInBlock()).toUtf8().size()) + 1;
}

/// The part of the line from where the offered items begin up to the caret.
QString ScriptEdit::completedWord() const {
  const int end = textCursor().positionInBlock();
  return textCursor().blockNumber() == completedLine_ && end >= completedColumn_
             ? textCursor().block().text().mid(completedColumn_, end - completedColumn_)
             : QString();
}

void ScriptEdit::offer(const QList<protocol::ScriptCompletionItem> &items, int column) {
  completedLine_ = textCursor().blockNumber();
  completedColumn_ = utf16Column(textCursor().block().text(), column - 1);
  QTextCursor start = textCursor();
  start.setPosition(start.block().position() + completedColumn_);
  completion_->offer(items, completedWord(), cursorRect(start));
  if (!isAsked_ && completion_->isComplete() && completion_->list()->count() == 1)
    completion_->hide();
}

void ScriptEdit::accept() {
  const protocol::ScriptCompletionItem *item = completion_->current();
  if (!item)
    return;
  QString text = item->text;
  QTextCursor cursor = textCursor();
  const QString line = cursor.block().text(), after = line.mid(cursor.positionInBlock());
  const bool isString = completedColumn_ > 0 && line[completedColumn_ - 1] == u'"';
  if (isString && !after.startsWith(u'"'))
    text += u'"';
  if (item->kind == QLatin1String("attribute") && !after.trimmed().startsWith(u'='))
    text += QStringLiteral(" = ");
  cursor.beginEditBlock();
  cursor.setPosition(cursor.block().position() + completedColumn_, QTextCursor::KeepAnchor);
  cursor.insertText(text);
  cursor.endEditBlock();
  setTextCursor(cursor);
  completion_->hide();
}

/// True: the list took the key.
bool ScriptEdit::completeByKey(QKeyEvent *event) {
  if (event->key() == Qt::Key_Space && event->modifiers() == Qt::ControlModifier) {
    isAsked_ = true;
    emit completionRequested(currentLine(), byteColumn());
    return true;
  }
  if (!completion_->isOffering())
    return false;
  switch (event->key()) {
  case Qt::Key_Up:
  case Qt::Key_Down:
    completion_->move(event->key() == Qt::Key_Up ? -1 : 1);
    return true;
  case Qt::Key_PageUp:
  case Qt::Key_PageDown:
    completion_->move(event->key() == Qt::Key_PageUp ? -8 : 8);
    return true;
  case Qt::Key_Escape:
    completion_->hide();
    return true;
  case Qt::Key_Tab:
  case Qt::Key_Return:
  case Qt::Key_Enter:
    if (completion_->isComplete()) {
      completion_->hide();
      return false;
    }
    accept();
    return true;
  default:
    return false;
  }
}

/// The key has been typed: the list follows, or appears.
void ScriptEdit::followTyping(const QKeyEvent &event) {
  const QString typed = event.text();
  const bool isRemoval = event.key() == Qt::Key_Backspace || event.key() == Qt::Key_Delete;
  const bool isText =
      !typed.isEmpty() && typed.front().isPrint() && !(event.modifiers() & (Qt::ControlModifier | Qt::AltModifier));
  if (completion_->isOffering()) {
    const QString word = completedWord();
    if ((!isText && !isRemoval) || textCursor().positionInBlock() < completedColumn_)
      completion_->hide();
    else
      completion_->narrow(word);
  }
  if (isText)
    isAsked_ = false;
  if ((!isText && !(isRemoval && completion_->isOffering())) || isReadOnly())
    return;
  const QString line = textCursor().block().text();
  int begin = textCursor().positionInBlock();
  const int end = begin;
  while (begin > 0 && isNamePart(line[begin - 1]))
    --begin;
  const bool hasSigil = begin > 0 && QStringView(u"%@!\"").contains(line[begin - 1]);
  if (hasSigil || end - begin >= lettersToOffer)
    emit completionRequested(currentLine(), byteColumn());
  else
    completion_->hide();
}

void ScriptEdit::focusOutEvent(QFocusEvent *event) {
  completion_->hide();
  QPlainTextEdit::focusOutEvent(event);
}

} // namespace fuselage

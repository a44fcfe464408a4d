// What the keys of the editor do.
#include "views/common/Theme.h"
#include "views/editor/ScriptEdit.h"
#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QMenu>
#include <QTextBlock>
#include <QToolTip>
#include <cmath>
#include <functional>

namespace fuselage {

static const QString indentation = QStringLiteral("  ");

static bool isControl(const QKeyEvent &event) {
  return (event.modifiers() & ~(Qt::ShiftModifier | Qt::KeypadModifier)) == Qt::ControlModifier;
}

/// Keys that mean something else elsewhere in the window, as F5 does.
bool ScriptEdit::isOwnKey(const QKeyEvent &event) const {
  switch (event.key()) {
  case Qt::Key_F5:
  case Qt::Key_F9:
    return !(event.modifiers() & ~Qt::ShiftModifier);
  case Qt::Key_F10:
  case Qt::Key_Slash:
  case Qt::Key_Plus:
  case Qt::Key_Equal:
  case Qt::Key_Minus:
  case Qt::Key_0:
  case Qt::Key_Space:
    return isControl(event);
  default:
    return false;
  }
}

bool ScriptEdit::event(QEvent *event) {
  if (event->type() == QEvent::ShortcutOverride && isOwnKey(*static_cast<QKeyEvent *>(event))) {
    event->accept();
    return true;
  }
  if (event->type() == QEvent::ToolTip) {
    const auto *help = static_cast<QHelpEvent *>(event);
    QToolTip::showText(help->globalPos(), toolTipAt(viewport()->mapFrom(this, help->pos())), this);
    return true;
  }
  return QPlainTextEdit::event(event);
}

void ScriptEdit::keyPressEvent(QKeyEvent *event) {
  if (completeByKey(event))
    return;
  if (!debugByKey(event) && !editByKey(event))
    QPlainTextEdit::keyPressEvent(event);
  followTyping(*event);
}

bool ScriptEdit::debugByKey(QKeyEvent *event) {
  if (event->key() == Qt::Key_F9 && isOwnKey(*event))
    toggleBreakpoint(currentLine());
  else if (event->key() == Qt::Key_F5 && isOwnKey(*event))
    emit continueRequested(event->modifiers() & Qt::ShiftModifier);
  else if (event->key() == Qt::Key_F10 && isControl(*event))
    emit runToLineRequested(currentLine());
  else
    return false;
  return true;
}

bool ScriptEdit::editByKey(QKeyEvent *event) {
  const bool isPlain = !(event->modifiers() & ~(Qt::ShiftModifier | Qt::KeypadModifier));
  if (const QString typed = event->text(); typed.size() == 1 && QStringView(u"})]").contains(typed)) {
    closeBracket(typed);
    return true;
  }
  switch (event->key()) {
  case Qt::Key_Tab:
    if (isPlain)
      indentLines(true);
    return isPlain;
  case Qt::Key_Backtab:
    indentLines(false);
    return true;
  case Qt::Key_Return:
  case Qt::Key_Enter:
    if (isPlain)
      breakLine();
    return isPlain;
  case Qt::Key_Slash:
    if (isControl(*event))
      toggleComment();
    return isControl(*event);
  case Qt::Key_Plus:
  case Qt::Key_Equal:
  case Qt::Key_Minus:
  case Qt::Key_0:
    if (isControl(*event))
      setZoom(event->key() == Qt::Key_0 ? 1 : event->key() == Qt::Key_Minus ? zoom_ / 1.1 : zoom_ * 1.1);
    return isControl(*event);
  default:
    return false;
  }
}

static int spacesBefore(const QString &line) {
  int spaces = 0;
  while (spaces < line.size() && line[spaces].isSpace())
    ++spaces;
  return spaces;
}

/// One edit: `change` gets a cursor at the start of each line that is selected, or at the caret's.
void ScriptEdit::forEachSelectedLine(const std::function<void(QTextCursor)> &change) {
  QTextCursor selected = textCursor();
  QTextBlock block = document()->findBlock(selected.selectionStart());
  const int last =
      document()->findBlock(std::max(selected.selectionStart(), selected.selectionEnd() - 1)).blockNumber();
  QTextCursor edit(document());
  edit.beginEditBlock();
  for (; block.isValid() && block.blockNumber() <= last; block = block.next()) {
    edit.setPosition(block.position());
    change(edit);
  }
  edit.endEditBlock();
}

/// Without a selection, Tab goes on to the next even column.
void ScriptEdit::indentLines(bool in) {
  if (in && !textCursor().hasSelection()) {
    textCursor().insertText(indentation.left(2 - textCursor().positionInBlock() % 2));
    return;
  }
  forEachSelectedLine([in](QTextCursor cursor) {
    const int spaces = std::min(2, spacesBefore(cursor.block().text()));
    if (in && !cursor.block().text().isEmpty())
      cursor.insertText(indentation);
    else if (!in && spaces > 0) {
      cursor.setPosition(cursor.position() + spaces, QTextCursor::KeepAnchor);
      cursor.removeSelectedText();
    }
  });
}

/// The new line begins below the old one, one step further in behind an open bracket; what closes it goes on a third
/// line.
void ScriptEdit::breakLine() {
  QTextCursor cursor = textCursor();
  const QString before = cursor.block().text().left(cursor.positionInBlock());
  const QString after = cursor.block().text().mid(cursor.positionInBlock());
  const QString indent = before.left(spacesBefore(before));
  const QString code = before.section(QStringLiteral("//"), 0, 0).trimmed();
  const bool opens = code.endsWith(u'{') || code.endsWith(u'(') || code.endsWith(u'[') ||
                     (code.startsWith(u'^') && code.endsWith(u':'));
  const bool closes =
      !after.isEmpty() && QStringView(u"})]").contains(after.trimmed().isEmpty() ? u' ' : after.trimmed().front());
  cursor.beginEditBlock();
  cursor.insertText(u'\n' + indent + (opens ? indentation : QString()));
  const int caret = cursor.position();
  if (opens && closes)
    cursor.insertText(u'\n' + indent);
  cursor.endEditBlock();
  cursor.setPosition(caret);
  setTextCursor(cursor);
  ensureCursorVisible();
}

/// A bracket that begins a line stands below the line that opened it.
void ScriptEdit::closeBracket(const QString &bracket) {
  QTextCursor cursor = textCursor();
  const QString before = cursor.block().text().left(cursor.positionInBlock());
  cursor.beginEditBlock();
  if (!before.isEmpty() && before.trimmed().isEmpty() && !cursor.hasSelection())
    for (int i = 0; i < std::min(2, int(before.size())); ++i)
      cursor.deletePreviousChar();
  cursor.insertText(bracket);
  cursor.endEditBlock();
  setTextCursor(cursor);
}

void ScriptEdit::toggleComment() {
  const QString mark = QStringLiteral("// ");
  bool areAllOut = true;
  int column = INT_MAX;
  forEachSelectedLine([&](const QTextCursor &cursor) {
    const QString line = cursor.block().text();
    if (line.trimmed().isEmpty())
      return;
    areAllOut &= line.trimmed().startsWith(mark.left(2));
    column = std::min(column, spacesBefore(line));
  });
  forEachSelectedLine([&](QTextCursor cursor) {
    const QString line = cursor.block().text();
    if (line.trimmed().isEmpty())
      return;
    cursor.setPosition(cursor.position() + (areAllOut ? spacesBefore(line) : column));
    if (!areAllOut)
      return cursor.insertText(mark);
    const int length = QStringView(line).mid(spacesBefore(line)).startsWith(mark) ? 3 : 2;
    cursor.setPosition(cursor.position() + length, QTextCursor::KeepAnchor);
    cursor.removeSelectedText();
  });
}

void ScriptEdit::wheelEvent(QWheelEvent *event) {
  if (!(event->modifiers() & Qt::ControlModifier))
    return QPlainTextEdit::wheelEvent(event);
  setZoom(zoom_ * std::pow(1.1, event->angleDelta().y() / 120.0));
  event->accept();
}

void ScriptEdit::contextMenuEvent(QContextMenuEvent *event) {
  const bool keyboard = event->reason() == QContextMenuEvent::Keyboard;
  const QTextCursor at = keyboard ? textCursor() : cursorForPosition(event->pos());
  const int line = at.blockNumber() + 1;
  QMenu *menu = createStandardContextMenu(event->pos());
  menu->addSeparator();
  menu->addAction(tr("Toggle Comment\tCtrl+/"), this, &ScriptEdit::toggleComment);
  menu->addSeparator();
  menu->addAction(hasBreakpoint(line) ? tr("Remove Breakpoint\tF9") : tr("Set Breakpoint\tF9"), this,
                  [this, line] { toggleBreakpoint(line); });
  menu->addAction(tr("Run to This Line\tCtrl+F10"), this, [this, line] { emit runToLineRequested(line); });
  emit menuRequested(menu, line);
  menu->exec(keyboard ? viewport()->mapToGlobal(cursorRect().bottomLeft()) : event->globalPos());
  delete menu;
}

} // namespace fuselage

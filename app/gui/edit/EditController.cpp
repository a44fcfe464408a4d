#include "app/gui/edit/EditController.h"
#include "app/gui/export/ExportController.h"
#include "app/gui/fusion/FusionController.h"
#include "app/gui/graph/GraphController.h"
#include "views/graph/GraphView.h"
#include "views/locator/LocatorPopup.h"
#include <QAbstractItemView>
#include <QApplication>
#include <QClipboard>
#include <QLineEdit>
#include <QMainWindow>
#include <QMenu>
#include <QMenuBar>
#include <QMetaMethod>
#include <QPlainTextEdit>
#include <QTextEdit>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace fuselage {

EditController::EditController(Shell &shell, GraphController &graph, FusionController &fusion,
                               ExportController &exports)
    : Controller(shell), graph_(graph), fusion_(fusion), exports_(exports),
      undo_(command(tr("&Undo"), u"undo"_s, {QKeySequence(QKeySequence::Undo)})),
      redo_(command(tr("&Redo"), u"redo"_s, {QKeySequence(u"Ctrl+Shift+Z"_s), QKeySequence(u"Ctrl+Y"_s)})),
      cut_(command(tr("Cu&t"), {}, {QKeySequence(u"Ctrl+X"_s)})),
      copy_(command(tr("&Copy"), u"copy"_s, {QKeySequence(u"Ctrl+C"_s)})),
      paste_(command(tr("&Paste"), {}, {QKeySequence(u"Ctrl+V"_s)})),
      selectAll_(command(tr("Select &All"), {}, {QKeySequence(u"Ctrl+A"_s)})) {
  on(undo_, [this] { undo(false); });
  on(redo_, [this] { undo(true); });
  on(cut_, [this] { perform("cut()"); });
  on(copy_, [this] { copy(); });
  on(paste_, [this] { perform("paste()"); });
  on(selectAll_, [this] { perform("selectAll()"); });
  shell.menus().add(Place::EditUndo, {undo_, redo_});
  shell.menus().add(Place::EditClipboard, {cut_, copy_, paste_, selectAll_});
  QMenu *menu = shell.menus().menuOf(Place::EditUndo);
  connect(menu, &QMenu::aboutToShow, this, &EditController::updateMenu);
  connect(menu, &QMenu::aboutToHide, this, &EditController::enableAll, Qt::QueuedConnection);
  connect(qApp, &QApplication::focusChanged, this, [this](const QWidget *, QWidget *now) { follow(now); });
}

/// Menus, and Go to Anything, which lists what they have.
static bool isWayToCommands(const QWidget *widget) {
  for (; widget; widget = widget->parentWidget())
    if (qobject_cast<const QMenuBar *>(widget) || qobject_cast<const QMenu *>(widget) ||
        qobject_cast<const LocatorPopup *>(widget))
      return true;
  return false;
}

/// Opening a menu by keyboard takes the keyboard away from what the menu is about.
void EditController::follow(QWidget *focus) {
  if (focus && shell().window().isAncestorOf(focus) && !isWayToCommands(focus)) {
    focus_ = focus;
    updateUndo();
  }
}

QWidget *EditController::target() const { return focus_ && focus_->isVisible() ? focus_.data() : nullptr; }

/// The widget, or the one around it, that has the slot.
static QWidget *whoDoes(QWidget *widget, const char *slot) {
  for (; widget && !widget->isWindow(); widget = widget->parentWidget())
    if (widget->metaObject()->indexOfSlot(slot) >= 0)
      return widget;
  return nullptr;
}

static bool isField(const QWidget *widget) {
  return qobject_cast<const QLineEdit *>(widget) || qobject_cast<const QPlainTextEdit *>(widget) ||
         qobject_cast<const QTextEdit *>(widget);
}

static bool isReadOnly(const QWidget *widget) { return widget->property("readOnly").toBool(); }

static bool canUndo(const QWidget *field, bool again) {
  if (const auto *line = qobject_cast<const QLineEdit *>(field))
    return again ? line->isRedoAvailable() : line->isUndoAvailable();
  if (const auto *plain = qobject_cast<const QPlainTextEdit *>(field))
    return again ? plain->document()->isRedoAvailable() : plain->document()->isUndoAvailable();
  if (const auto *text = qobject_cast<const QTextEdit *>(field))
    return again ? text->document()->isRedoAvailable() : text->document()->isUndoAvailable();
  return false;
}

static bool hasSelection(const QWidget *field) {
  if (const auto *line = qobject_cast<const QLineEdit *>(field))
    return line->hasSelectedText();
  if (const auto *plain = qobject_cast<const QPlainTextEdit *>(field))
    return plain->textCursor().hasSelection();
  const auto *text = qobject_cast<const QTextEdit *>(field);
  return text && text->textCursor().hasSelection();
}

void EditController::undo(bool again) {
  QWidget *field = target();
  if (isField(field) && !isReadOnly(field))
    return perform(again ? "redo()" : "undo()");
  (again ? fusion_.actions().redo : fusion_.actions().undo)->trigger();
}

void EditController::perform(const char *slot) {
  if (QWidget *widget = whoDoes(target(), slot))
    widget->metaObject()->method(widget->metaObject()->indexOfSlot(slot)).invoke(widget);
}

/// What is selected in a list, as lines whose columns a spreadsheet takes.
static QString rowsOf(const QAbstractItemView &view) {
  QModelIndexList indexes = view.selectionModel() ? view.selectionModel()->selectedIndexes() : QModelIndexList();
  std::sort(indexes.begin(), indexes.end());
  QString text;
  for (qsizetype i = 0; i < indexes.size(); ++i) {
    if (i > 0)
      text += indexes[i].siblingAtColumn(0) == indexes[i - 1].siblingAtColumn(0) ? u'\t' : u'\n';
    text += indexes[i].data().toString();
  }
  return text;
}

void EditController::copy() {
  QWidget *widget = target();
  for (QWidget *at = widget; at; at = at->parentWidget())
    if (const auto *list = qobject_cast<QAbstractItemView *>(at)) {
      if (const QString text = rowsOf(*list); !text.isEmpty())
        QApplication::clipboard()->setText(text);
      return;
    }
  if (widget && (widget == &graph_.view() || graph_.view().isAncestorOf(widget)))
    exports_.copyImageAction()->trigger();
  else
    perform("copy()");
}

/// What is undone is known all the time: Go to Anything lists it, too.
void EditController::updateUndo() {
  QWidget *widget = target();
  const bool isTyped = isField(widget) && !isReadOnly(widget);
  const FusionController::Actions &fusion = fusion_.actions();
  undo_->setText(isTyped ? tr("&Undo Typing") : tr("&Undo Fusion"));
  redo_->setText(isTyped ? tr("&Redo Typing") : tr("&Redo Fusion"));
  undo_->setEnabled(isTyped ? canUndo(widget, false) : fusion.undo->isEnabled());
  redo_->setEnabled(isTyped ? canUndo(widget, true) : fusion.redo->isEnabled());
}

void EditController::updateMenu() {
  updateUndo();
  QWidget *widget = target();
  const bool isTyped = isField(widget) && !isReadOnly(widget);
  cut_->setEnabled(isTyped && hasSelection(widget));
  paste_->setEnabled(isTyped && !QApplication::clipboard()->text().isEmpty());
  const bool isGraph = widget == &graph_.view();
  copy_->setEnabled(isField(widget) ? hasSelection(widget)
                    : isGraph       ? exports_.copyImageAction()->isEnabled()
                                    : whoDoes(widget, "copy()") || whoDoes(widget, "selectAll()"));
  copy_->setText(isGraph ? tr("&Copy as Image") : tr("&Copy"));
  selectAll_->setEnabled(whoDoes(widget, "selectAll()"));
}

void EditController::enableAll() {
  for (QAction *action : {cut_, copy_, paste_, selectAll_})
    action->setEnabled(true);
}

void EditController::sessionChanged() { updateUndo(); }

} // namespace fuselage

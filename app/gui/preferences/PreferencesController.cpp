#include "app/gui/preferences/PreferencesController.h"
#include "app/gui/shell/Mnemonics.h"
#include "app/gui/shell/Settings.h"
#include "views/dialogs/PreferencesDialog.h"
#include <QLineEdit>
#include <QMainWindow>

using namespace Qt::StringLiterals;

namespace fuselage {

PreferencesController::PreferencesController(Shell &shell) : Controller(shell) {
  QAction *open = command(tr("Pre&ferences…"), {}, {QKeySequence(u"Ctrl+,"_s)});
  open->setMenuRole(QAction::PreferencesRole);
  on(open, [this] { this->open(); });
  shell.menus().add(Place::EditPreferences, {open});
}

void PreferencesController::open() {
  if (!dialog_)
    make();
  dialog_->refresh();
  showShortcuts();
  dialog_->show();
  dialog_->raise();
  dialog_->activateWindow();
  dialog_->searchEdit()->setFocus();
  dialog_->searchEdit()->selectAll();
}

void PreferencesController::open(const QString &page) {
  open();
  dialog_->showPage(page);
}

void PreferencesController::make() {
  dialog_ = new PreferencesDialog(shell().preferences(), shell().preferencePages(), &shell().window());
  Shortcuts &shortcuts = shell().shortcuts();
  connect(&dialog_->shortcuts(), &ShortcutTable::keysChosen, &shortcuts, &Shortcuts::setKeys);
  connect(&dialog_->shortcuts(), &ShortcutTable::resetRequested, &shortcuts, &Shortcuts::reset);
  connect(&dialog_->shortcuts(), &ShortcutTable::resetAllRequested, &shortcuts, &Shortcuts::resetAll);
  connect(&shortcuts, &Shortcuts::changed, this, [this] {
    makeMnemonicsUnique(static_cast<const QWidget &>(this->shell().window())); // fields give way to Alt and a letter
    showShortcuts();
  });
}

void PreferencesController::showShortcuts() {
  QList<ShortcutRow> rows;
  for (const Command &command : shell().menus().commands())
    rows.append({command.id, command.group, command.text, shell().shortcuts().keysOf(command), command.keys});
  for (const ShortcutEntry &entry : shell().menus().fixedKeys())
    rows.append({{}, entry.group, entry.text, entry.keys, entry.keys});
  dialog_->shortcuts().setRows(rows);
}

} // namespace fuselage

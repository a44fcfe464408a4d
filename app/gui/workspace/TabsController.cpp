#include "app/gui/workspace/TabsController.h"
#include "app/gui/compare/CompareController.h"
#include "app/gui/shell/MainWindow.h"
#include "app/gui/shell/Menus.h"
#include "app/gui/workspace/Workspace.h"
#include "views/panels/ComparePanel.h"

using namespace Qt::StringLiterals;

namespace fuselage {

TabsController::TabsController(Shell &shell, Workspace &workspace, CompareController &compare)
    : Controller(shell), workspace_(workspace), compare_(compare),
      close_(command(tr("&Close Tab"), {}, {QKeySequence(u"Ctrl+W"_s)})),
      next_(command(tr("Ne&xt Tab"), {}, {QKeySequence(u"Ctrl+Tab"_s), QKeySequence(u"Ctrl+PgDown"_s)})),
      previous_(command(tr("Pre&vious Tab"), {}, {QKeySequence(u"Ctrl+Shift+Tab"_s), QKeySequence(u"Ctrl+PgUp"_s)})) {
  QAction *add = command(tr("&New Tab"), {}, {QKeySequence(u"Ctrl+Shift+N"_s)});
  on(add, [this] { workspace_.addTab(); });
  // Queued: this window goes with its tab.
  connect(
      close_, &QAction::triggered, &workspace, [&workspace] { workspace.closeTab(workspace.currentIndex()); },
      Qt::QueuedConnection);
  on(next_, [this] { workspace_.step(1); });
  on(previous_, [this] { workspace_.step(-1); });
  connect(&workspace, &Workspace::tabsChanged, this, &TabsController::update);
  shell.setOpener([&workspace](const QString &path) { workspace.open(path); });
  shell.menus().add(Place::FileTabs, {add, close_, next_, previous_});
}

void TabsController::update() {
  for (QAction *action : {next_, previous_})
    action->setEnabled(workspace_.tabCount() > 1);
  QStringList others = workspace_.paths();
  for (int tab = int(others.size()) - 1; tab >= 0; --tab)
    if (others[tab].isEmpty() || workspace_.windowOf(tab) == &shell().window())
      others.removeAt(tab);
  compare_.setOpenFiles(others);
}

} // namespace fuselage

#include "app/gui/shell/Menus.h"
#include "app/gui/shell/Mnemonics.h"
#include <QMenu>
#include <QMenuBar>
#include <QToolBar>

using namespace Qt::StringLiterals;

namespace fuselage {

/// Places of one menu; a separator stands between two sections.
using Sections = QList<QList<Place>>;

static const QList<Sections> &menuPlan() {
  using enum Place;
  static const QList<Sections> plan{
      {{FileOpen}, {FileTabs}, {FileSchedule}, {FileExport}, {FileQuit}},
      {{EditUndo}, {EditClipboard}, {EditFind}, {EditPreferences}},
      {{ViewTabs}, {ViewLevel}, {ViewLayout}, {ViewFit, ViewZoom, ViewMarks}, {ViewFind}, {ViewPanels, ViewTheme}},
      {{StepMove}, {StepChange}, {StepRecord}},
      {{FuseEdges}, {FuseHistory, FuseOutcome}, {FuseMissed}},
      {{RunStart, RunCancel}, {RunBaselines}, {RunDevices}, {RunEngine}},
      {{HelpLessons, HelpPages, HelpReasons}, {HelpAbout}},
  };
  return plan;
}

static const Sections &barPlan() {
  using enum Place;
  static const Sections plan{{BarOpen}, {BarStep}, {BarLevel}, {BarFuse}, {BarRun, BarCancel}, {BarFind}};
  return plan;
}

Menus::Menus(QMainWindow &window) : QObject(&window), window_(window) {
  for (const QString &title :
       {tr("&File"), tr("&Edit"), tr("&View"), tr("&Step"), tr("F&use"), tr("&Run"), tr("&Help")})
    menus_.append(window.menuBar()->addMenu(title));
  panels_ = addMenu(Place::ViewPanels, tr("&Panels"));
  bar_ = window.addToolBar(tr("Main Toolbar"));
  bar_->setObjectName("toolbar"_L1);
  bar_->setMovable(false);
  bar_->setIconSize(QSize(18, 18));
  bar_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon); // actions of low priority have icons alone
  window.setContextMenuPolicy(Qt::NoContextMenu);
}

void Menus::add(Place place, const QList<QAction *> &actions) { actions_[place] += actions; }

QMenu *Menus::addMenu(Place place, const QString &title) {
  auto *menu = new QMenu(title, window_.menuBar());
  add(place, {menu->menuAction()});
  return menu;
}

static void fill(QWidget &menu, const Sections &sections, const QMap<Place, QList<QAction *>> &actions) {
  for (const QList<Place> &section : sections) {
    QList<QAction *> list;
    for (const Place place : section)
      list += actions.value(place);
    if (list.isEmpty())
      continue;
    if (!menu.actions().isEmpty()) {
      auto *separator = new QAction(&menu);
      separator->setSeparator(true);
      menu.addAction(separator);
    }
    menu.addActions(list);
  }
}

/// `path`: the menus within the group that lead here, such as "Repeated Layers: ".
static void collect(const QMenu *menu, const QString &group, const QString &path, QList<Command> &commands) {
  for (QAction *action : menu->actions()) {
    if (action->menu()) {
      collect(action->menu(), group, path + action->menu()->title().remove(u'&') + u": "_s, commands);
      continue;
    }
    const QString text = path + action->text().remove(u'&').remove(u'\u2026');
    if (!action->isSeparator())
      commands.append({group + u'/' + text, group, text, action, action->shortcuts()});
  }
}

QMenu *Menus::menuOf(Place place) const {
  for (qsizetype i = 0; i < menus_.size(); ++i)
    for (const QList<Place> &section : menuPlan()[i])
      if (section.contains(place))
        return menus_[i];
  return nullptr;
}

void Menus::build() {
  for (qsizetype i = 0; i < menus_.size(); ++i)
    fill(*menus_[i], menuPlan()[i], actions_);
  for (const QMenu *menu : std::as_const(menus_))
    makeMnemonicsUnique(*menu);
  for (const QMenu *menu : std::as_const(menus_))
    collect(menu, menu->title().remove(u'&'), {}, commands_);
  fill(*bar_, barPlan(), actions_);
  // What the window is for at the moment, at the other end.
  auto *space = new QWidget;
  space->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
  bar_->addWidget(space);
  bar_->addActions(actions_.value(Place::BarTasks));
}

void Menus::followWidth(int width) {
  constexpr int roomy = 1180;
  bar_->setToolButtonStyle(width < roomy ? Qt::ToolButtonIconOnly : Qt::ToolButtonTextBesideIcon);
}

QList<ShortcutEntry> Menus::shortcuts() const {
  QList<ShortcutEntry> entries;
  for (const Command &command : commands_)
    if (!command.action->shortcuts().isEmpty())
      entries.append({command.group, command.text, command.action->shortcuts()});
  return entries + keys_;
}

QList<ShortcutEntry> Menus::fixedKeys() const {
  QList<ShortcutEntry> entries = keys_;
  for (const QMenu *menu : menus_)
    entries.append({tr("In the menu bar"), menu->title().remove(u'&'), {QKeySequence::mnemonic(menu->title())}});
  return entries;
}

} // namespace fuselage

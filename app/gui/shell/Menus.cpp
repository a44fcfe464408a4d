#include "app/gui/shell/Menus.h"
#include "views/widgets/Icons.h"
#include <QActionGroup>
#include <QMenu>
#include <QMenuBar>
#include <QToolBar>

using namespace Qt::StringLiterals;

namespace fuselage {

WindowActions::WindowActions(QMainWindow &window) : QObject(&window), window_(window) {
  makeActions();
  buildMenus();
  buildToolBar();
}

QAction *WindowActions::make(const QString &text, const QString &icon, const QList<QKeySequence> &keys) {
  auto *action = new QAction(text, this);
  if (!icon.isEmpty())
    action->setIcon(lineIcon(icon));
  action->setShortcuts(keys);
  QString tip = text;
  tip.remove(u'&').remove(u'\u2026');
  if (!keys.isEmpty())
    tip += u" (%1)"_s.arg(keys.first().toString(QKeySequence::NativeText));
  action->setToolTip(tip);
  return action;
}

QAction *WindowActions::makeToggle(const QString &text, const QString &icon, const QList<QKeySequence> &keys) {
  QAction *action = make(text, icon, keys);
  action->setCheckable(true);
  return action;
}

static QActionGroup *exclusive(QObject *parent, const QList<QAction *> &actions) {
  auto *group = new QActionGroup(parent);
  for (QAction *action : actions)
    group->addAction(action);
  return group;
}

void WindowActions::makeActions() {
  open = make(tr("&Open…"), u"open"_s, {QKeySequence(QKeySequence::Open)});
  openDirectory = make(tr("Open Dump &Folder…"), u"open"_s);
  reload = make(tr("&Reload"), u"reload"_s, {QKeySequence(Qt::Key_F5)});
  exportGraph = make(tr("&Export Graph…"), u"export"_s, {QKeySequence(u"Ctrl+Shift+S"_s)});
  exportReport = make(tr("Export Re&port…"), {}, {QKeySequence(u"Ctrl+Alt+S"_s)});
  reproducer = make(tr("&Save Reproducer of Step…"), u"save"_s);
  quit = make(tr("&Quit"), {}, {QKeySequence(u"Ctrl+Q"_s)});
  quit->setMenuRole(QAction::QuitRole);

  viewGraph = make(tr("&Graph"), u"graph"_s, {QKeySequence(u"Ctrl+1"_s)});
  viewText = make(tr("&IR Text"), u"text"_s, {QKeySequence(u"Ctrl+2"_s)});
  viewDiff = make(tr("&Diff"), u"diff"_s, {QKeySequence(u"Ctrl+3"_s)});
  splitText = makeToggle(tr("IR &Below the Graph"), {}, {QKeySequence(u"Ctrl+T"_s)});
  levelOps = makeToggle(tr("Show &Ops"), u"ops"_s, {QKeySequence(u"Ctrl+Shift+O"_s)});
  levelDispatches = makeToggle(tr("Show &Dispatches"), u"dispatches"_s, {QKeySequence(u"Ctrl+Shift+D"_s)});
  exclusive(this, {levelOps, levelDispatches});
  levelOps->setChecked(true);
  layoutLayered = makeToggle(tr("&Layered Layout"), u"layered"_s);
  layoutDot = makeToggle(tr("&Graphviz Layout"), u"dot"_s);
  layoutDot->setToolTip(tr("Layout by Graphviz dot"));
  exclusive(this, {layoutLayered, layoutDot});
  layoutLayered->setChecked(true);
  foldConstants = makeToggle(tr("Fold &Constants"), u"constants"_s);
  foldConstants->setToolTip(tr("Hide constants and tensor.empty"));
  repeatsAuto = makeToggle(tr("&Automatic"), {}, {QKeySequence(u"Ctrl+Shift+L"_s)});
  repeatsAuto->setToolTip(tr("Collapse equal layers where there would be many nodes"));
  repeatsCollapse = makeToggle(tr("&Collapsed, with a Count"), {}, {QKeySequence(u"Ctrl+Shift+K"_s)});
  repeatsExpand = makeToggle(tr("&Expanded"), {}, {QKeySequence(u"Ctrl+Shift+X"_s)});
  exclusive(this, {repeatsAuto, repeatsCollapse, repeatsExpand});
  repeatsAuto->setChecked(true);
  fit = make(tr("&Fit"), u"fit"_s, {QKeySequence(u"Ctrl+Shift+F"_s)});
  fit->setToolTip(tr("Fit the graph into the view (F)"));
  zoomIn = make(tr("Zoom &In"), {}, {QKeySequence(QKeySequence::ZoomIn), QKeySequence(u"Ctrl+="_s)});
  zoomOut = make(tr("Zoom &Out"), {}, {QKeySequence(QKeySequence::ZoomOut)});
  zoomReset = make(tr("&Actual Size"), {}, {QKeySequence(u"Ctrl+0"_s)});
  minimap = makeToggle(tr("&Minimap"), u"minimap"_s);
  minimap->setToolTip(tr("Minimap (M)"));
  trace = makeToggle(tr("&Trace"), u"trace"_s);
  trace->setToolTip(tr("Follow inputs and outputs of the selection (T)"));
  find = make(tr("&Find…"), u"search"_s, {QKeySequence(QKeySequence::Find)});
  findNext = make(tr("Find &Next"), {}, {QKeySequence(Qt::Key_F3)});
  findPrevious = make(tr("Find &Previous"), {}, {QKeySequence(u"Shift+F3"_s)});
  themeSystem = makeToggle(tr("&System Theme"));
  themeLight = makeToggle(tr("&Light Theme"));
  themeDark = makeToggle(tr("&Dark Theme"));
  exclusive(this, {themeSystem, themeLight, themeDark});

  nextStep = make(tr("&Next Step"), u"next"_s, {QKeySequence(u"J"_s), QKeySequence(u"Alt+Right"_s)});
  previousStep = make(tr("&Previous Step"), u"previous"_s, {QKeySequence(u"K"_s), QKeySequence(u"Alt+Left"_s)});
  hideUnchanged = makeToggle(tr("&Hide Unchanged Steps"), u"hide"_s, {QKeySequence(u"H"_s)});
  filterSteps = make(tr("&Filter Steps"), u"filter"_s, {QKeySequence(u"/"_s)});
  nextChange = make(tr("Next &Change in Diff"), {}, {QKeySequence(u"F8"_s)});
  previousChange = make(tr("Previous C&hange in Diff"), {}, {QKeySequence(u"Shift+F8"_s)});
  record = make(tr("&Record Again"), u"steps"_s, {QKeySequence(u"Ctrl+Shift+R"_s)});
  editPipeline = make(tr("Edit &Pipeline…"), u"pipeline"_s, {QKeySequence(u"Ctrl+P"_s)});
  loadSchedule = make(tr("Load &Schedule…"), u"open"_s);
  restartEngine = make(tr("Restart &Engine"));
  engineCommand = make(tr("Engine &Command…"));

  verdicts = makeToggle(tr("Fusion &Verdicts on the Graph"), u"verdicts"_s, {QKeySequence(u"Ctrl+Shift+V"_s)});
  nextMissed = make(tr("&Next Missed Fusion"), {}, {QKeySequence(u"F7"_s)});
  previousMissed = make(tr("&Previous Missed Fusion"), {}, {QKeySequence(u"Shift+F7"_s)});
  whyNotFused = make(tr("&Why Not Fused?"), u"help"_s, {QKeySequence(u"Shift+F1"_s)});
  fuseEdge = make(tr("&Fuse This Edge"), u"fuse"_s, {QKeySequence(u"Ctrl+E"_s)});
  fuseAll = make(tr("Fuse &All Profitable"), u"fuseall"_s, {QKeySequence(u"Ctrl+Shift+E"_s)});
  cleanUp = make(tr("&Clean Up"), u"cleanup"_s, {QKeySequence(u"Ctrl+Shift+C"_s)});
  cleanUp->setToolTip(tr("Remove what keeps ops apart without need: unit dimensions, transposes, broadcasts, reshapes"));
  undoFusion = make(tr("&Undo Fusion"), u"undo"_s, {QKeySequence(QKeySequence::Undo)});
  redoFusion = make(tr("&Redo Fusion"), u"redo"_s, {QKeySequence(u"Ctrl+Shift+Z"_s), QKeySequence(u"Ctrl+Y"_s)});
  saveFusion = make(tr("&Save What Was Fused…"), u"save"_s);
  for (QAction *action : {undoFusion, redoFusion, saveFusion})
    action->setPriority(QAction::LowPriority);

  run = make(tr("&Run Kernels"), u"run"_s, {QKeySequence(u"Ctrl+R"_s)});
  cancel = make(tr("&Cancel"), u"stop"_s, {QKeySequence(u"Ctrl+."_s)});
  cancel->setEnabled(false);
  refreshDevices = make(tr("Refresh &Devices"), u"reload"_s);
  heat = makeToggle(tr("&Heat on the Graph"), u"heat"_s);

  helpShortcuts = make(tr("&Shortcuts"), u"help"_s, {QKeySequence(Qt::Key_F1)});
  helpSteps = make(tr("&What the Steps Teach"));
  helpPasses = make(tr("&Passes"));
  helpReasons = make(tr("&Reasons Not to Fuse"));
  about = make(tr("&About Fuselage"));
  about->setMenuRole(QAction::AboutRole);
}

void WindowActions::buildMenus() {
  QMenuBar *bar = window_.menuBar();
  QMenu *file = bar->addMenu(tr("&File"));
  file->addActions({open, openDirectory});
  recentMenu = file->addMenu(tr("Open &Recent"));
  file->addAction(reload);
  file->addSeparator();
  file->addActions({exportGraph, exportReport, reproducer});
  file->addSeparator();
  file->addAction(quit);

  QMenu *view = bar->addMenu(tr("&View"));
  view->addActions({viewGraph, viewText, viewDiff, splitText});
  view->addSeparator();
  view->addActions({levelOps, levelDispatches});
  view->addSeparator();
  view->addActions({layoutLayered, layoutDot, foldConstants});
  QMenu *repeats = view->addMenu(tr("&Repeated Layers"));
  repeats->addActions({repeatsAuto, repeatsCollapse, repeatsExpand});
  view->addSeparator();
  view->addActions({fit, zoomIn, zoomOut, zoomReset, minimap, trace});
  view->addSeparator();
  view->addActions({find, findNext, findPrevious});
  view->addSeparator();
  docksMenu = view->addMenu(tr("&Panels"));
  QMenu *theme = view->addMenu(tr("T&heme"));
  theme->addActions({themeSystem, themeLight, themeDark});

  QMenu *step = bar->addMenu(tr("&Step"));
  step->addActions({nextStep, previousStep, filterSteps, hideUnchanged});
  step->addSeparator();
  step->addActions({nextChange, previousChange});
  step->addSeparator();
  step->addActions({editPipeline, loadSchedule, record});

  QMenu *fuse = bar->addMenu(tr("F&use"));
  fuse->addActions({fuseEdge, fuseAll, cleanUp});
  fuse->addSeparator();
  fuse->addActions({undoFusion, redoFusion, saveFusion});
  fuse->addSeparator();
  fuse->addActions({nextMissed, previousMissed, whyNotFused, verdicts});

  QMenu *runMenu = bar->addMenu(tr("&Run"));
  runMenu->addActions({run, cancel});
  runMenu->addSeparator();
  runMenu->addActions({refreshDevices, heat});
  runMenu->addSeparator();
  runMenu->addActions({restartEngine, engineCommand});

  QMenu *help = bar->addMenu(tr("&Help"));
  help->addActions({helpShortcuts, helpSteps, helpPasses, helpReasons});
  help->addSeparator();
  help->addAction(about);
  menus_ = {file, view, step, fuse, runMenu, help};
}

void WindowActions::buildToolBar() {
  QToolBar *bar = window_.addToolBar(tr("Main Toolbar"));
  bar->setObjectName("toolbar"_L1);
  bar->setMovable(false);
  bar->setIconSize(QSize(20, 20));
  bar->setToolButtonStyle(Qt::ToolButtonIconOnly);
  bar->addActions({open, reload});
  bar->addSeparator();
  bar->addActions({previousStep, nextStep});
  bar->addSeparator();
  bar->addActions({levelOps, levelDispatches});
  bar->addSeparator();
  bar->addActions({layoutLayered, layoutDot, foldConstants});
  bar->addSeparator();
  bar->addActions({fit, minimap, trace, verdicts});
  bar->addSeparator();
  bar->addActions({run, cancel, heat});
  bar->addSeparator();
  bar->addActions({find, exportGraph});
  window_.setContextMenuPolicy(Qt::NoContextMenu);
}

/// `path`: the menus within the group that lead here, such as "Repeated Layers: ".
static void collect(const QMenu *menu, const QString &group, const QString &path, QList<ShortcutEntry> &entries) {
  for (const QAction *action : menu->actions()) {
    if (action->menu()) {
      collect(action->menu(), group, path + action->menu()->title().remove(u'&') + u": "_s, entries);
      continue;
    }
    if (action->shortcuts().isEmpty())
      continue;
    entries.append({group, path + action->text().remove(u'&').remove(u'\u2026'), action->shortcuts()});
  }
}

QList<ShortcutEntry> WindowActions::shortcuts() const {
  QList<ShortcutEntry> entries;
  for (const QMenu *menu : menus_)
    collect(menu, menu->title().remove(u'&'), {}, entries);
  const QString graph = tr("In the graph");
  entries += {
      {graph, tr("Walk along edges; with Shift: pan"), {QKeySequence(Qt::Key_Up), QKeySequence(Qt::Key_Down), QKeySequence(Qt::Key_Left), QKeySequence(Qt::Key_Right)}},
      {graph, tr("Zoom in, out, to 100 %"), {QKeySequence(u"+"_s), QKeySequence(u"-"_s), QKeySequence(u"0"_s)}},
      {graph, tr("Fit everything; the selection"), {QKeySequence(u"F"_s), QKeySequence(u"Shift+F"_s)}},
      {graph, tr("Trace both ways, inputs, outputs"), {QKeySequence(u"T"_s), QKeySequence(u"I"_s), QKeySequence(u"O"_s)}},
      {graph, tr("Minimap"), {QKeySequence(u"M"_s)}},
      {graph, tr("Collapse or expand a cluster"), {QKeySequence(Qt::Key_Space)}},
      {graph, tr("Menu of the selected edge or op"), {QKeySequence(Qt::Key_Menu)}},
      {graph, tr("Clear trace and selection"), {QKeySequence(Qt::Key_Escape)}},
  };
  const QString diff = tr("In the diff");
  entries += {
      {diff, tr("Next and previous change"), {QKeySequence(u"N"_s), QKeySequence(u"P"_s)}},
      {diff, tr("Open or close all folds"), {QKeySequence(u"E"_s)}},
  };
  const QString missed = tr("In the missed fusions");
  entries += {{missed, tr("Fuse the edge"), {QKeySequence(Qt::Key_Return)}}};
  const QString pipeline = tr("In the pipeline editor");
  entries += {
      {pipeline, tr("Record"), {QKeySequence(u"Ctrl+Return"_s)}},
      {pipeline, tr("Complete the name of a pass"), {QKeySequence(u"Ctrl+Space"_s)}},
  };
  return entries;
}

} // namespace fuselage

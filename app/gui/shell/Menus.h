// Every command of the window: its text, icon, shortcut, and its place in menus and toolbar.
#pragma once
#include "views/widgets/HelpDialog.h"
#include <QAction>
#include <QMainWindow>

class QActionGroup;
class QMenu;

namespace fuselage {

/// Makes the actions and builds the menu bar and the toolbar from them; the window connects them.
/// Help lists the shortcuts from here, so that no command is forgotten.
class WindowActions : public QObject {
  Q_OBJECT
public:
  explicit WindowActions(QMainWindow &window);

  QAction *open, *openDirectory, *reload, *exportGraph, *exportReport, *reproducer, *quit;
  QAction *viewGraph, *viewText, *viewDiff, *splitText;
  QAction *levelOps, *levelDispatches, *layoutLayered, *layoutDot, *foldConstants;
  QAction *repeatsAuto, *repeatsCollapse, *repeatsExpand;
  QAction *fit, *zoomIn, *zoomOut, *zoomReset, *minimap, *trace;
  QAction *find, *findNext, *findPrevious;
  QAction *themeSystem, *themeLight, *themeDark;
  QAction *nextStep, *previousStep, *hideUnchanged, *filterSteps, *nextChange, *previousChange;
  QAction *record, *editPipeline, *loadSchedule, *restartEngine, *engineCommand;
  QAction *verdicts, *nextMissed, *previousMissed, *whyNotFused, *fuseEdge, *fuseAll, *cleanUp, *undoFusion, *redoFusion, *saveFusion;
  QAction *run, *cancel, *refreshDevices, *heat;
  QAction *helpShortcuts, *helpSteps, *helpPasses, *helpReasons, *about;
  QMenu *recentMenu, *docksMenu;

  /// For the Help page, in the order of the menus; ends with the keys of the views themselves.
  QList<ShortcutEntry> shortcuts() const;

private:
  QAction *make(const QString &text, const QString &icon = {}, const QList<QKeySequence> &keys = {});
  QAction *makeToggle(const QString &text, const QString &icon = {}, const QList<QKeySequence> &keys = {});
  void makeActions();
  void buildMenus();
  void buildToolBar();

  QMainWindow &window_;
  QList<QMenu *> menus_;
};

} // namespace fuselage

// The menu bar and the toolbar: what stands where, and in which order.
#pragma once
#include "views/widgets/help/HelpDialog.h"
#include <QMainWindow>
#include <QMap>

class QAction;
class QMenu;
class QToolBar;

namespace fuselage {

/// Where a command stands. Places of a menu follow each other as they are listed here, whoever fills them first.
enum class Place {
  FileOpen,
  FileTabs,
  FileSchedule,
  FileExport,
  FileQuit,
  EditUndo,
  EditClipboard,
  EditFind,
  EditPreferences,
  ViewTabs,
  ViewLevel,
  ViewLayout,
  ViewFit,
  ViewZoom,
  ViewMarks,
  ViewFind,
  ViewPanels,
  ViewTheme,
  StepMove,
  StepChange,
  StepRecord,
  FuseEdges,
  FuseHistory,
  FuseOutcome,
  FuseMissed,
  RunStart,
  RunCancel,
  RunBaselines,
  RunDevices,
  RunEngine,
  HelpLessons,
  HelpPages,
  HelpReasons,
  HelpAbout,
  BarOpen,
  BarStep,
  BarLevel,
  BarFuse,
  BarRun,
  BarCancel,
  BarFind,
  BarTasks,
};

/// An entry of a menu, as it was made.
struct Command {
  QString id;    ///< "File/Open": the same in every window and at every start
  QString group; ///< the menu
  QString text;
  QAction *action = nullptr;
  QList<QKeySequence> keys;
};

/// Controllers add their actions to places; build() then makes menus and toolbar of them. Help lists the
/// shortcuts from here, so that no command is forgotten.
class Menus : public QObject {
  Q_OBJECT
public:
  explicit Menus(QMainWindow &window);
  void add(Place place, const QList<QAction *> &actions);
  /// A menu within a menu.
  QMenu *addMenu(Place place, const QString &title);
  QMenu *panels() const { return panels_; }
  void build();
  /// The menu that a place is in.
  QMenu *menuOf(Place place) const;
  /// All entries of the menus, in their order; after build().
  const QList<Command> &commands() const { return commands_; }
  /// In a narrow window the toolbar has icons without words.
  void followWidth(int width);
  /// Keys of a view that are no commands, for the Help page.
  void addKeys(const QList<ShortcutEntry> &entries) { keys_ += entries; }
  /// Of all commands, in the order of the menus; ends with the keys of the views themselves.
  QList<ShortcutEntry> shortcuts() const;
  /// Those of the views, and of the menu bar: they stay as they are.
  QList<ShortcutEntry> fixedKeys() const;

private:
  QMainWindow &window_;
  QList<QMenu *> menus_;
  QMenu *panels_;
  QToolBar *bar_;
  QMap<Place, QList<QAction *>> actions_;
  QList<ShortcutEntry> keys_;
  QList<Command> commands_;
};

} // namespace fuselage

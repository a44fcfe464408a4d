// The docks around the views: where each stands at first, and how it is reached.
#pragma once
#include <QByteArray>
#include <QList>
#include <QMap>
#include <QObject>
#include <QSet>
#include <QString>
#include <QStringList>

class QDockWidget;
class QMainWindow;
class QMenu;
class QWidget;

namespace fuselage {

class DockTitles;
class StepChip;

/// Where a panel stands until the user moves it.
struct DockPlace {
  Qt::DockWidgetArea area = Qt::BottomDockWidgetArea;
  QString name; ///< saved layouts know the dock by it
  QString title;
  QString shortcut{};
  QString beside{};           ///< name of the dock that it shares its place with; empty: none
  int extent = 0;             ///< width at a side, height at the bottom; 0: as it comes
  bool isOpen = false;        ///< from the start; others open when there is something to see
  bool keepsKeyboard = false; ///< also where another view is shown
};

/// Docks are declared first and take their places in arrange().
class Docks : public QObject {
  Q_OBJECT
public:
  /// `menu` gets a command for every dock.
  Docks(QMainWindow &window, QMenu &menu);
  QDockWidget *add(const DockPlace &place, QWidget *content);
  /// On top of the panel: says what it shows where that is not the current step.
  StepChip &chip(const QDockWidget *dock) const;
  QList<StepChip *> chips() const;
  void arrange();
  /// Opens a dock and brings it to the front.
  void raise(QDockWidget *dock);
  /// Raises it, and gives it a share of the window's height.
  void raise(QDockWidget *dock, double share);
  /// Where everything stands when nobody moved it, with these docks open (by name); the first of those in one place is
  /// in front. `extents`: heights and widths other than those of their places.
  void arrange(const QStringList &open, const QMap<QString, int> &extents);
  QDockWidget *find(const QString &name) const;
  QStringList names() const;
  /// An empty dock that is open is hidden until it has something to show, or somebody opens it.
  void setEmpty(QDockWidget *dock, bool isEmpty);
  /// The dock that the widget is in; null: it is in none.
  QDockWidget *around(const QWidget *widget) const;

  /// A dock fills the window; null: the views do. Again, and everything is where it was.
  void maximize(QDockWidget *dock);
  bool isMaximized() const { return !maximized_.isEmpty(); }
  void endMaximized();
  /// Of all docks, as restore() takes it; while one is maximized, as it was before.
  QByteArray state() const;
  void restore(const QByteArray &state);
  /// Whether the keyboard is in a panel that keeps it.
  bool keepKeyboard() const;
  /// Panels at the sides get less of a small window, so that the graph keeps its part.
  void followWidth(int before, int now);

signals:
  /// A panel, or with null the views, fill the window, or no longer.
  void maximizedChanged(bool maximized);
  /// The dock that had the keyboard was closed.
  void left();
  /// A panel was made after all others had been arranged (LazyPanel).
  void panelMade(QWidget *panel);

private:
  struct Dock {
    QDockWidget *dock;
    DockPlace place;
    StepChip *chip;
  };
  void goTo(QDockWidget *dock);
  void hideWhileEmpty(QDockWidget *dock);
  void resize(const QMap<QString, int> &extents = {});

  QMainWindow &window_;
  QMenu &menu_;
  DockTitles *titles_;
  QList<Dock> docks_;
  QSet<QDockWidget *> empty_, hidden_; ///< those that are empty; and of them, those that are hidden for it
  QByteArray first_;                   ///< how everything stands when nobody moved it
  QByteArray maximized_;               ///< the layout from before; empty: nothing is maximized
};

} // namespace fuselage

// Each panel has its name once: on its tab where it shares its place, else on a bar of its own.
#pragma once
#include <QObject>

class QDockWidget;
class QMainWindow;
class QTabBar;

namespace fuselage {

class PanelTitle;

class DockTitles : public QObject {
  Q_OBJECT
public:
  explicit DockTitles(QMainWindow &window);
  void add(QDockWidget *dock);
  void setMaximized(const QDockWidget *dock);
  static PanelTitle *titleOf(const QDockWidget *dock);

signals:
  void maximizeRequested(QDockWidget *dock);

protected:
  bool eventFilter(QObject *watched, QEvent *event) override;

private:
  void schedule();
  void update();
  bool hasTab(QDockWidget *dock) const;
  QDockWidget *dockAt(const QTabBar &bar, const QPoint &point) const;
  void showMenu(QDockWidget *dock, const QPoint &place);

  QMainWindow &window_;
  QList<QDockWidget *> docks_;
  bool isScheduled_ = false;
};

} // namespace fuselage

#include "app/gui/shell/DockTitles.h"
#include "views/widgets/PanelTitle.h"
#include <QContextMenuEvent>
#include <QDockWidget>
#include <QMainWindow>
#include <QMenu>
#include <QMouseEvent>
#include <QTabBar>
#include <algorithm>

namespace fuselage {

DockTitles::DockTitles(QMainWindow &window) : QObject(&window), window_(window) {}

PanelTitle *DockTitles::titleOf(const QDockWidget *dock) { return qobject_cast<PanelTitle *>(dock->titleBarWidget()); }

void DockTitles::add(QDockWidget *dock) {
  auto *title = new PanelTitle(dock->windowTitle());
  dock->setTitleBarWidget(title);
  docks_.append(dock);
  connect(title, &PanelTitle::maximizeRequested, this, [this, dock] { emit maximizeRequested(dock); });
  connect(title, &PanelTitle::floatRequested, dock, [dock] { dock->setFloating(!dock->isFloating()); });
  connect(title, &PanelTitle::closeRequested, dock, &QDockWidget::close);
  for (auto signal : {&QDockWidget::topLevelChanged, &QDockWidget::visibilityChanged})
    connect(dock, signal, this, &DockTitles::schedule);
  connect(dock, &QDockWidget::dockLocationChanged, this, &DockTitles::schedule);
}

void DockTitles::setMaximized(const QDockWidget *dock) {
  for (QDockWidget *each : std::as_const(docks_))
    titleOf(each)->setMaximized(each == dock);
}

/// Once, when the layout has come to rest.
void DockTitles::schedule() {
  if (!std::exchange(isScheduled_, true))
    QMetaObject::invokeMethod(this, &DockTitles::update, Qt::QueuedConnection);
}

bool DockTitles::hasTab(QDockWidget *dock) const {
  const QList<QDockWidget *> others = window_.tabifiedDockWidgets(dock);
  return !dock->isFloating() &&
         std::any_of(others.begin(), others.end(), [](const QDockWidget *other) { return !other->isHidden(); });
}

void DockTitles::update() {
  isScheduled_ = false;
  for (QDockWidget *dock : std::as_const(docks_))
    titleOf(dock)->setCollapsed(hasTab(dock));
  for (QTabBar *bar : window_.findChildren<QTabBar *>(Qt::FindDirectChildrenOnly)) {
    bar->removeEventFilter(this);
    bar->installEventFilter(this);
    bar->setElideMode(Qt::ElideNone);
    bar->setDocumentMode(true);
    bar->setExpanding(false);
    bar->setAccessibleName(tr("Panels"));
  }
}

QDockWidget *DockTitles::dockAt(const QTabBar &bar, const QPoint &point) const {
  const QString title = bar.tabText(bar.tabAt(point));
  const auto found = std::find_if(docks_.begin(), docks_.end(), [&](const QDockWidget *dock) {
    return dock->windowTitle() == title && !dock->isHidden();
  });
  return found == docks_.end() ? nullptr : *found;
}

bool DockTitles::eventFilter(QObject *watched, QEvent *event) {
  const auto *bar = qobject_cast<QTabBar *>(watched);
  if (!bar)
    return false;
  if (event->type() == QEvent::MouseButtonDblClick)
    if (QDockWidget *dock = dockAt(*bar, static_cast<QMouseEvent *>(event)->position().toPoint())) {
      emit maximizeRequested(dock);
      return true;
    }
  if (event->type() == QEvent::ContextMenu) {
    const auto *menu = static_cast<QContextMenuEvent *>(event);
    if (QDockWidget *dock = dockAt(*bar, menu->pos())) {
      showMenu(dock, menu->globalPos());
      return true;
    }
  }
  return false;
}

void DockTitles::showMenu(QDockWidget *dock, const QPoint &place) {
  QMenu menu(&window_);
  menu.addAction(tr("Maximize"), this, [this, dock] { emit maximizeRequested(dock); });
  menu.addAction(tr("Own Window"), dock, [dock] { dock->setFloating(true); });
  menu.addAction(tr("Close"), dock, &QDockWidget::close);
  menu.exec(place);
}

} // namespace fuselage

#include "app/gui/shell/Docks.h"
#include <QAction>
#include <QDockWidget>
#include <QKeySequence>
#include <QMainWindow>
#include <QMenu>
#include <algorithm>
#include <cmath>

namespace fuselage {

Docks::Docks(QMainWindow &window, QMenu &menu) : QObject(&window), window_(window), menu_(menu) {}

QDockWidget *Docks::add(const DockPlace &place, QWidget *content) {
  auto *dock = new QDockWidget(place.title);
  dock->setObjectName(place.name);
  dock->setWidget(content);
  docks_.append({dock, place});
  QAction *action = menu_.addAction(place.title);
  action->setShortcut(QKeySequence(place.shortcut));
  connect(action, &QAction::triggered, this, [this, dock] { goTo(dock); });
  return dock;
}

QDockWidget *Docks::find(const QString &name) const {
  for (const Dock &dock : docks_)
    if (dock.place.name == name)
      return dock.dock;
  return nullptr;
}

static bool isSide(const DockPlace &place) {
  return place.area == Qt::LeftDockWidgetArea || place.area == Qt::RightDockWidgetArea;
}

void Docks::arrange() {
  const QSize size = window_.size(); // until they share places, docks stand beside each other and widen the window
  for (const Dock &dock : docks_)
    window_.addDockWidget(dock.place.area, dock.dock);
  for (const Dock &dock : docks_)
    if (QDockWidget *other = find(dock.place.beside))
      window_.tabifyDockWidget(other, dock.dock);
  resize();
  for (const Dock &dock : docks_)
    if (!dock.place.isOpen)
      dock.dock->hide();
  // Of those that are open in one place, the first is in front.
  for (const Dock &dock : docks_)
    if (QDockWidget *other = dock.place.isOpen ? find(dock.place.beside) : nullptr)
      other->raise();
  window_.resize(size);
}

void Docks::resize() {
  QList<QDockWidget *> sides;
  QList<int> widths;
  for (const Dock &dock : docks_) {
    if (dock.place.extent == 0)
      continue;
    if (!isSide(dock.place)) {
      window_.resizeDocks({dock.dock}, {dock.place.extent}, Qt::Vertical);
      continue;
    }
    sides.append(dock.dock);
    widths.append(dock.place.extent);
  }
  window_.resizeDocks(sides, widths, Qt::Horizontal);
}

void Docks::raise(QDockWidget *dock) {
  dock->show();
  dock->raise();
}

void Docks::raise(QDockWidget *dock, double share) {
  raise(dock);
  window_.resizeDocks({dock}, {int(window_.height() * share)}, Qt::Vertical);
}

/// Opens a panel, brings it to the front and gives it the keyboard; where it has that, closes it.
void Docks::goTo(QDockWidget *dock) {
  const bool isInFront = dock->isVisible() && !dock->visibleRegion().isEmpty();
  if (isInFront && dock->isAncestorOf(window_.focusWidget())) {
    dock->hide();
    emit left();
    return;
  }
  raise(dock);
  dock->widget()->setFocus(Qt::ShortcutFocusReason);
}

bool Docks::keepKeyboard() const {
  return std::any_of(docks_.begin(), docks_.end(), [this](const Dock &dock) {
    return dock.place.keepsKeyboard && dock.dock->isAncestorOf(window_.focusWidget());
  });
}

/// What a panel at the side gets of a window: less where that is small.
static double shareOfSides(int width) {
  constexpr double roomy = 1440;
  return std::min(1.0, width / roomy);
}

void Docks::followWidth(int before, int now) {
  const double shareBefore = shareOfSides(before), share = shareOfSides(now);
  if (before <= 0 || shareBefore == share)
    return;
  QList<QDockWidget *> sides;
  QList<int> widths;
  for (const Dock &dock : docks_)
    if (isSide(dock.place) && dock.dock->isVisible() && !dock.dock->isFloating() &&
        !dock.dock->visibleRegion().isEmpty()) {
      sides.append(dock.dock);
      widths.append(int(std::lround(dock.dock->width() * share / shareBefore)));
    }
  window_.resizeDocks(sides, widths, Qt::Horizontal);
}

} // namespace fuselage

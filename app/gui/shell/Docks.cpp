#include "app/gui/shell/Docks.h"
#include "app/gui/shell/DockTitles.h"
#include "app/gui/shell/LazyPanel.h"
#include "views/widgets/StepChip.h"
#include <QAction>
#include <QDockWidget>
#include <QKeySequence>
#include <QMainWindow>
#include <QMenu>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <utility>

namespace fuselage {

Docks::Docks(QMainWindow &window, QMenu &menu)
    : QObject(&window), window_(window), menu_(menu), titles_(new DockTitles(window)) {
  connect(titles_, &DockTitles::maximizeRequested, this, &Docks::maximize);
}

QDockWidget *Docks::add(const DockPlace &place, QWidget *content) {
  auto *dock = new QDockWidget(place.title);
  dock->setObjectName(place.name);
  auto *chip = new StepChip;
  auto *top = new QHBoxLayout;
  top->setContentsMargins(8, 4, 8, 2);
  top->addWidget(chip);
  top->addStretch(1);
  auto *frame = new QWidget;
  auto *layout = new QVBoxLayout(frame);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addLayout(top);
  layout->addWidget(content, 1);
  frame->setFocusProxy(content);
  dock->setWidget(frame);
  if (const auto *lazy = qobject_cast<PanelPlace *>(content))
    connect(lazy, &PanelPlace::held, this, &Docks::panelMade);
  titles_->add(dock);
  docks_.append({dock, place, chip});
  QAction *action = menu_.addAction(place.title);
  action->setShortcut(QKeySequence(place.shortcut));
  // Checked: it is open, in front or behind another one.
  action->setCheckable(true);
  connect(dock->toggleViewAction(), &QAction::toggled, action, &QAction::setChecked);
  connect(action, &QAction::triggered, this, [this, dock, action] {
    goTo(dock);
    action->setChecked(dock->toggleViewAction()->isChecked());
  });
  return dock;
}

QStringList Docks::names() const {
  QStringList names;
  for (const Dock &dock : docks_)
    names.append(dock.place.name);
  return names;
}

QDockWidget *Docks::find(const QString &name) const {
  for (const Dock &dock : docks_)
    if (dock.place.name == name)
      return dock.dock;
  return nullptr;
}

StepChip &Docks::chip(const QDockWidget *dock) const {
  const auto found =
      std::find_if(docks_.begin(), docks_.end(), [dock](const Dock &known) { return known.dock == dock; });
  return *found->chip; // every dock is made by add()
}

QList<StepChip *> Docks::chips() const {
  QList<StepChip *> chips;
  for (const Dock &dock : docks_)
    chips.append(dock.chip);
  return chips;
}

static bool isSide(const DockPlace &place) {
  return place.area == Qt::LeftDockWidgetArea || place.area == Qt::RightDockWidgetArea;
}

/// What a panel at the side gets of a window: less where that is small.
static double shareOfSides(int width) {
  constexpr double roomy = 1440;
  return std::min(1.0, width / roomy);
}

void Docks::arrange() {
  const QSize size = window_.size(); // until they share places, docks stand beside each other and widen the window
  // Hidden first: the layout is made anew with each dock that is seen to come or go.
  for (const Dock &dock : docks_)
    if (!dock.place.isOpen)
      dock.dock->hide();
  for (const Dock &dock : docks_)
    window_.addDockWidget(dock.place.area, dock.dock);
  for (const Dock &dock : docks_)
    if (QDockWidget *other = find(dock.place.beside))
      window_.tabifyDockWidget(other, dock.dock);
  resize({});
  // Of those that are open in one place, the first is in front.
  for (const Dock &dock : docks_)
    if (QDockWidget *other = dock.place.isOpen ? find(dock.place.beside) : nullptr)
      other->raise();
  window_.resize(size);
  first_ = window_.saveState();
}

void Docks::arrange(const QStringList &open, const QMap<QString, int> &extents) {
  endMaximized();
  hidden_.clear();
  window_.restoreState(first_);
  for (const Dock &dock : docks_) {
    dock.dock->setVisible(open.contains(dock.place.name));
    hideWhileEmpty(dock.dock);
  }
  resize(extents);
  for (auto name = open.rbegin(); name != open.rend(); ++name)
    if (QDockWidget *dock = find(*name); dock && !hidden_.contains(dock))
      dock->raise();
}

void Docks::resize(const QMap<QString, int> &extents) {
  QList<QDockWidget *> sides;
  QList<int> widths;
  const double share = shareOfSides(window_.width());
  for (const Dock &dock : docks_) {
    const int extent = extents.value(dock.place.name, dock.place.extent);
    // One that is closed shares its place with others, and has no say in it.
    if (extent == 0 || dock.dock->isHidden())
      continue;
    if (!isSide(dock.place)) {
      window_.resizeDocks({dock.dock}, {extent}, Qt::Vertical);
      continue;
    }
    sides.append(dock.dock);
    widths.append(extents.isEmpty() ? extent : int(std::lround(extent * share)));
  }
  window_.resizeDocks(sides, widths, Qt::Horizontal);
}

QDockWidget *Docks::around(const QWidget *widget) const {
  for (const Dock &dock : docks_)
    if (widget && dock.dock->isAncestorOf(widget))
      return dock.dock;
  return nullptr;
}

void Docks::maximize(QDockWidget *dock) {
  if (isMaximized())
    return endMaximized();
  maximized_ = window_.saveState();
  for (const Dock &other : docks_)
    if (other.dock != dock && !other.dock->isFloating())
      other.dock->hide();
  if (dock) {
    dock->setFloating(false);
    dock->show();
    window_.centralWidget()->hide();
    dock->widget()->setFocus();
  }
  titles_->setMaximized(dock);
  emit maximizedChanged(true);
}

void Docks::endMaximized() {
  if (!isMaximized())
    return;
  QWidget *focus = window_.focusWidget();
  window_.centralWidget()->show();
  window_.restoreState(std::exchange(maximized_, {}));
  titles_->setMaximized(nullptr);
  if (QDockWidget *dock = around(focus)) { // that was maximized: it may have been behind another
    dock->raise();
    focus->setFocus();
  }
  for (QDockWidget *dock : QSet(hidden_))
    setEmpty(dock, empty_.contains(dock)); // it may have something to show by now
  emit maximizedChanged(false);
}

/// Stands before the names of docks that are hidden while they are empty.
static const QByteArray hiddenMark = "\nhidden while empty: ";

QByteArray Docks::state() const {
  QByteArray state = isMaximized() ? maximized_ : window_.saveState();
  for (const QDockWidget *dock : hidden_)
    state += hiddenMark + dock->objectName().toUtf8();
  return state;
}

void Docks::restore(const QByteArray &state) {
  endMaximized();
  const qsizetype end = state.indexOf(hiddenMark);
  window_.restoreState(end < 0 ? state : state.first(end));
  hidden_.clear();
  for (const Dock &dock : docks_) {
    if (state.contains(hiddenMark + dock.place.name.toUtf8()))
      dock.dock->show();
    hideWhileEmpty(dock.dock);
  }
}

void Docks::setEmpty(QDockWidget *dock, bool isEmpty) {
  if (isEmpty) {
    empty_.insert(dock);
    return hideWhileEmpty(dock);
  }
  empty_.remove(dock);
  if (!isMaximized() && hidden_.remove(dock))
    dock->show();
}

void Docks::hideWhileEmpty(QDockWidget *dock) {
  if (!empty_.contains(dock) || isMaximized() || dock->isHidden() || dock->isFloating() ||
      dock->isAncestorOf(window_.focusWidget()))
    return;
  dock->hide();
  hidden_.insert(dock);
}

void Docks::raise(QDockWidget *dock) {
  hidden_.remove(dock);
  if (isMaximized() && (dock->isHidden() || !window_.centralWidget()->isHidden()))
    endMaximized(); // it would be another one
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

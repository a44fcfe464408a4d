#include "app/gui/shell/LazyPanel.h"
#include <QVBoxLayout>

namespace fuselage {

PanelPlace::PanelPlace() {
  auto *layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  // A tab stop, so that the panel's fields come at its turn; the panel takes it over.
  setFocusPolicy(Qt::TabFocus);
}

void PanelPlace::hold(QWidget *panel) {
  layout()->addWidget(panel);
  panel->show();
}

/// In the order in which the panel made them. They came last in the window.
static QList<QWidget *> tabStops(QWidget *panel) {
  QList<QWidget *> stops;
  QWidget *window = panel->window();
  for (QWidget *widget = window->nextInFocusChain(); widget != window; widget = widget->nextInFocusChain())
    if ((widget == panel || panel->isAncestorOf(widget)) && widget->focusPolicy() != Qt::NoFocus &&
        !widget->focusProxy())
      stops.append(widget);
  return stops;
}

void PanelPlace::settle(QWidget *panel) {
  QWidget *before = this;
  for (QWidget *stop : tabStops(panel)) {
    setTabOrder(before, stop);
    before = stop;
  }
  setFocusPolicy(Qt::NoFocus);
  setFocusProxy(panel);
  emit held(panel);
}

void PanelPlace::showEvent(QShowEvent *event) {
  QWidget::showEvent(event);
  emit wanted();
}

void PanelPlace::focusInEvent(QFocusEvent *event) {
  const bool hadPanel = focusProxy();
  emit wanted();
  if (!hadPanel && focusProxy())
    focusProxy()->setFocus(event->reason());
}

} // namespace fuselage

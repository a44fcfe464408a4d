#include "app/gui/shell/LazyPanel.h"
#include <QVBoxLayout>

namespace fuselage {

PanelPlace::PanelPlace() {
  auto *layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  // A tab stop, so that the panel's fields come at its turn; the panel takes it over.
  setFocusPolicy(Qt::TabFocus);
}

/// The fields of a panel that nobody has seen yet, in their order.
static QList<QWidget *> tabStops(QWidget *panel) {
  QList<QWidget *> stops;
  for (QWidget *widget = panel; stops.isEmpty() || widget != panel; widget = widget->nextInFocusChain())
    stops.append(widget);
  return stops;
}

void PanelPlace::hold(QWidget *panel) {
  const QList<QWidget *> stops = tabStops(panel);
  layout()->addWidget(panel);
  QWidget *before = this;
  for (QWidget *stop : stops)
    if (stop->focusPolicy() != Qt::NoFocus && !stop->focusProxy()) {
      setTabOrder(before, stop);
      before = stop;
    }
  setFocusPolicy(Qt::NoFocus);
  setFocusProxy(panel);
  panel->show();
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

#include "views/text/ZoomArea.h"
#include <QKeyEvent>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

namespace fuselage {

void ZoomArea::setZoom(double zoom) {
  zoom = std::clamp(zoom, 0.5, 4.0);
  if (zoom == zoom_)
    return;
  zoom_ = zoom;
  applyZoom();
  emit zoomChanged(zoom_);
}

bool ZoomArea::zoomByKey(QKeyEvent *event) {
  if (!(event->modifiers() & Qt::ControlModifier))
    return false;
  switch (event->key()) {
  case Qt::Key_Plus:
  case Qt::Key_Equal:
    setZoom(zoom_ * 1.1);
    return true;
  case Qt::Key_Minus:
    setZoom(zoom_ / 1.1);
    return true;
  case Qt::Key_0:
    setZoom(1);
    return true;
  default:
    return false;
  }
}

void ZoomArea::wheelEvent(QWheelEvent *event) {
  if (!(event->modifiers() & Qt::ControlModifier))
    return QAbstractScrollArea::wheelEvent(event);
  setZoom(zoom_ * std::pow(1.1, event->angleDelta().y() / 120.0));
  event->accept();
}

void ZoomArea::focusInEvent(QFocusEvent *event) {
  QAbstractScrollArea::focusInEvent(event);
  viewport()->update();
}

void ZoomArea::focusOutEvent(QFocusEvent *event) {
  QAbstractScrollArea::focusOutEvent(event);
  viewport()->update();
}

} // namespace fuselage

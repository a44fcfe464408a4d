#include "views/text/ZoomArea.h"
#include <QKeyEvent>
#include <QScrollBar>
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
  event->accept();
  if (event->modifiers() & Qt::ControlModifier)
    return setZoom(zoom_ * std::pow(1.1, event->angleDelta().y() / 120.0));
  // A notch is 120: three steps of the scroll bar, as everywhere.
  const double notch = 3 * horizontalScrollBar()->singleStep() / 120.0, line = 9 * fontMetrics().lineSpacing() / 120.0;
  QPointF pixels = event->pixelDelta();
  if (event->pixelDelta().isNull())
    pixels = {event->angleDelta().x() * notch, event->angleDelta().y() * line};
  if ((event->modifiers() & Qt::ShiftModifier) && pixels.x() == 0)
    pixels = {event->pixelDelta().isNull() ? event->angleDelta().y() * notch : pixels.y(), 0};
  scrollByPixels(-pixels);
}

void ZoomArea::scrollByPixels(QPointF pixels) {
  rest_.rx() += pixels.x();
  const int x = int(rest_.x());
  rest_.rx() -= x;
  horizontalScrollBar()->setValue(horizontalScrollBar()->value() + x);
  if (pixels.y() != 0)
    verticalScrollBar()->setValue(verticalScrollBar()->value() + int(wholeRows(pixels.y(), 1)));
}

double ZoomArea::wholeRows(double pixels, double row) {
  rest_.ry() += pixels;
  const double whole = std::trunc(rest_.y() / row) * row;
  rest_.ry() -= whole;
  return whole;
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

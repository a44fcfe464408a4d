#include "app/gui/program/FirstPaint.h"
#include <QEvent>
#include <QWidget>

namespace fuselage {

FirstPaint::FirstPaint(QWidget &view, QObject *parent) : QObject(parent), view_(view) { view.installEventFilter(this); }

void FirstPaint::await() {
  if (stage_ != Stage::Empty)
    return;
  stage_ = Stage::Waiting;
  view_.repaint();
  tell();
}

bool FirstPaint::eventFilter(QObject *, QEvent *event) {
  if (event->type() == QEvent::Paint && stage_ == Stage::Waiting) {
    stage_ = Stage::Painting;
    QMetaObject::invokeMethod(this, &FirstPaint::tell, Qt::QueuedConnection); // it is about to paint
  }
  return false;
}

void FirstPaint::tell() {
  if (stage_ != Stage::Painting)
    return;
  stage_ = Stage::Painted;
  emit painted();
}

} // namespace fuselage

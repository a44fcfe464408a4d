#include "app/gui/shell/ListKeys.h"
#include <QAbstractItemView>
#include <QKeyEvent>

namespace fuselage {

bool ListKeys::eventFilter(QObject *watched, QEvent *event) {
  if (event->type() != QEvent::KeyPress)
    return false;
  const auto *view = qobject_cast<QAbstractItemView *>(watched);
  // What drops down of a combo box, or is edited by typing, has nothing but its letters.
  if (!view || view->window()->windowType() == Qt::Popup || view->editTriggers() & QAbstractItemView::AnyKeyPressed)
    return false;
  const auto *key = static_cast<QKeyEvent *>(event);
  const bool isPlain = !(key->modifiers() & ~(Qt::ShiftModifier | Qt::KeypadModifier));
  if (!isPlain || key->text().isEmpty() || !key->text().front().isPrint() || key->key() == Qt::Key_Space)
    return false;
  event->ignore();
  return true;
}

} // namespace fuselage

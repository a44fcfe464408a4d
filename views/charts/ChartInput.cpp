#include "views/charts/ChartInput.h"
#include <QHelpEvent>
#include <QKeyEvent>
#include <QToolTip>
#include <QWidget>
#include <algorithm>

namespace fuselage {

bool showChartToolTip(QEvent *event, QWidget *chart, const std::function<QString(const QPoint &)> &textAt) {
  if (event->type() != QEvent::ToolTip)
    return false;
  const auto *help = static_cast<QHelpEvent *>(event);
  const QString text = textAt(help->pos());
  if (text.isEmpty())
    QToolTip::hideText();
  else
    QToolTip::showText(help->globalPos(), text, chart);
  return true;
}

std::optional<int> itemByKey(const QKeyEvent &event, Qt::Orientations along, int now, int count) {
  if (count == 0)
    return std::nullopt;
  int item = now;
  switch (event.key()) {
  case Qt::Key_Left:
  case Qt::Key_Right:
    if (!along.testFlag(Qt::Horizontal))
      return std::nullopt;
    item += event.key() == Qt::Key_Right ? 1 : -1;
    break;
  case Qt::Key_Up:
  case Qt::Key_Down:
    if (!along.testFlag(Qt::Vertical))
      return std::nullopt;
    item += event.key() == Qt::Key_Down ? 1 : -1;
    break;
  case Qt::Key_Home:
    item = 0;
    break;
  case Qt::Key_End:
    item = count - 1;
    break;
  case Qt::Key_Return:
  case Qt::Key_Enter:
    break;
  default:
    return std::nullopt;
  }
  return std::clamp(item, 0, count - 1);
}

} // namespace fuselage

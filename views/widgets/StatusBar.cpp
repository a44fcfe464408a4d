#include "views/widgets/StatusBar.h"
#include <QPainter>
#include <QSizeGrip>
#include <QStyleOption>

namespace fuselage {

StatusBar::StatusBar(QWidget *parent) : QStatusBar(parent) {
  connect(this, &QStatusBar::messageChanged, this, &QWidget::setToolTip);
}

QRect StatusBar::room() const {
  constexpr int margin = 6;
  QRect room = rect().adjusted(margin, 0, -margin, 0);
  for (const QWidget *widget : findChildren<QWidget *>(Qt::FindDirectChildrenOnly))
    if (widget->isVisible() && !qobject_cast<const QSizeGrip *>(widget))
      room.setRight(std::min(room.right(), widget->x() - margin));
  return room;
}

QString StatusBar::shownMessage() const {
  return fontMetrics().elidedText(currentMessage(), Qt::ElideRight, std::max(0, room().width()));
}

void StatusBar::paintEvent(QPaintEvent *event) {
  if (currentMessage().isEmpty())
    return QStatusBar::paintEvent(event);
  QPainter painter(this);
  QStyleOption option;
  option.initFrom(this);
  style()->drawPrimitive(QStyle::PE_PanelStatusBar, &option, &painter, this);
  style()->drawItemText(&painter, room(), Qt::AlignLeading | Qt::AlignVCenter, palette(), isEnabled(), shownMessage(),
                        foregroundRole());
}

} // namespace fuselage

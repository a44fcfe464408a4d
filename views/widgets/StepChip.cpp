#include "views/widgets/StepChip.h"
#include "views/widgets/Icons.h"
#include <QKeyEvent>
#include <QPainter>

using namespace Qt::StringLiterals;

namespace fuselage {

static constexpr int iconExtent = 14, margin = 8, gap = 5, leastTextWidth = 60;

StepChip::StepChip(QWidget *parent) : QAbstractButton(parent) {
  setObjectName("stepChip"_L1);
  setFocusPolicy(Qt::StrongFocus);
  setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
  setAttribute(Qt::WA_Hover);
  setAccessibleName(tr("What the view shows"));
  hide();
}

void StepChip::tell(const QString &what, const QString &tip) {
  setText(what);
  setToolTip(u"%1. %2"_s.arg(what, tip));
  setAccessibleName(what);
  setAccessibleDescription(tip);
  updateGeometry();
  show();
}

void StepChip::clear() {
  if (hasFocus() && parentWidget()) // the view that it is about goes on
    parentWidget()->setFocus(Qt::OtherFocusReason);
  setText({});
  hide();
}

QSize StepChip::sizeFor(int textWidth) const {
  return {margin + iconExtent + gap + textWidth + gap + iconExtent + margin, fontMetrics().height() + 6};
}

QSize StepChip::sizeHint() const { return sizeFor(fontMetrics().horizontalAdvance(text()) + 2); }
QSize StepChip::minimumSizeHint() const {
  return sizeFor(std::min(leastTextWidth, fontMetrics().horizontalAdvance(text()) + 2));
}

void StepChip::paintEvent(QPaintEvent *) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const QColor colour = palette().color(QPalette::Link);
  QColor ground = colour;
  ground.setAlphaF(isDown() ? 0.34f : underMouse() ? 0.26f : 0.16f);
  painter.setPen(QPen(colour, hasFocus() ? 2 : 1));
  painter.setBrush(ground);
  const QRectF shape = QRectF(rect()).adjusted(1, 1, -1, -1);
  painter.drawRoundedRect(shape, shape.height() / 2, shape.height() / 2);
  const int top = (height() - iconExtent) / 2;
  const QRect textRect = rect().adjusted(margin + iconExtent + gap, 0, -(margin + iconExtent + gap), 0);
  lineIcon(u"steps"_s, colour).paint(&painter, QRect(margin, top, iconExtent, iconExtent));
  lineIcon(u"close"_s).paint(&painter, QRect(width() - margin - iconExtent, top, iconExtent, iconExtent));
  painter.setPen(palette().color(QPalette::WindowText));
  painter.drawText(textRect, Qt::AlignVCenter | Qt::AlignLeft,
                   fontMetrics().elidedText(text(), Qt::ElideRight, textRect.width()));
}

void StepChip::keyPressEvent(QKeyEvent *event) {
  switch (event->key()) {
  case Qt::Key_Return:
  case Qt::Key_Enter:
  case Qt::Key_Delete:
  case Qt::Key_Backspace:
  case Qt::Key_Escape:
    return click();
  default:
    QAbstractButton::keyPressEvent(event);
  }
}

} // namespace fuselage

#include "views/common/Marks.h"
#include <QPainter>
#include <QPainterPath>

namespace fuselage {

QColor markColour(const Theme &theme, MarkKind kind) {
  switch (kind) {
  case MarkKind::Subject:
    return theme.accent;
  case MarkKind::Read:
    return theme.dark ? QColor(0x5f, 0xb3, 0xf9) : QColor(0x0b, 0x6b, 0xcb);
  case MarkKind::Write:
    return theme.error;
  case MarkKind::Definition:
    return theme.dark ? QColor(0xe3, 0xb3, 0x41) : QColor(0x96, 0x64, 0x00);
  }
  return theme.accent;
}

void paintBookmark(QPainter &painter, const QRectF &rect, const Theme &theme, const QColor &ground) {
  QPainterPath ribbon(rect.topLeft());
  ribbon.lineTo(rect.topRight());
  ribbon.lineTo(rect.bottomRight());
  ribbon.lineTo(rect.center().x(), rect.bottom() - rect.width() * 0.4);
  ribbon.lineTo(rect.bottomLeft());
  ribbon.closeSubpath();
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(QPen(ground, 1.2));
  painter.setBrush(theme.accent);
  painter.drawPath(ribbon);
  painter.restore();
}

} // namespace fuselage

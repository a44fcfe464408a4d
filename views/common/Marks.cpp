#include "views/common/Marks.h"
#include "core/protocol/Fusion.h"
#include <QPainter>
#include <QPainterPath>
#include <algorithm>

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

QString fusionWords(FusionMark mark) { return QString::fromUtf8(message::fusionStateWords[int(mark)]); }

QPen fusionPen(FusionMark mark, const QColor &color, double width) {
  QPen pen(color, width, Qt::SolidLine, Qt::FlatCap, Qt::RoundJoin);
  // Dashes are as long as the pen is wide; those of thin lines would be dust.
  const double unit = std::max(1.0, 1.6 / width);
  if (mark == FusionMark::Possible) {
    pen.setWidthF(width * 1.35);
    pen.setDashPattern({4.5 * unit, 2 * unit});
  } else if (mark == FusionMark::Tried) {
    pen.setDashPattern({4.5 * unit, 1.8 * unit, 1.4 * unit, 1.8 * unit});
  } else if (mark == FusionMark::NotTried) {
    pen.setDashPattern({8 * unit, 4 * unit});
  } else if (mark == FusionMark::Impossible) {
    pen.setDashPattern({1.4 * unit, 1.6 * unit});
  }
  return pen;
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

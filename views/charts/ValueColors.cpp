#include "views/charts/ValueColors.h"
#include <QPainter>
#include <algorithm>
#include <cmath>

namespace fuselage {

QColor valueColor(const Theme &theme, double value, double low, double high) {
  if (!std::isfinite(value))
    return theme.error;
  if (low < 0 && high > 0) {
    const double most = std::max(-low, high);
    return mix(value < 0 ? theme.halo : theme.edgeInput, theme.surface, std::clamp(std::abs(value) / most, 0.0, 1.0));
  }
  return high > low ? mix(theme.accent, theme.surface, 0.08 + 0.92 * (value - low) / (high - low))
                    : mix(theme.accent, theme.surface, 0.4);
}

void paintScale(QPainter &painter, const QRectF &place, const Theme &theme, double low, double high,
                const std::function<QColor(double)> &colour) {
  constexpr int steps = 48;
  painter.setRenderHint(QPainter::Antialiasing, false);
  for (int i = 0; i < steps; ++i)
    painter.fillRect(
        QRectF(place.left() + i * place.width() / steps, place.top(), place.width() / steps + 1, scaleHeight),
        colour(low + (high - low) * i / (steps - 1)));
  painter.setPen(theme.textMuted);
  const QRectF words(place.left(), place.top() + scaleHeight + 1, place.width(), painter.fontMetrics().height());
  painter.drawText(words, Qt::AlignLeft, QString::number(low, 'g', 4));
  painter.drawText(words, Qt::AlignRight, QString::number(high, 'g', 4));
}

} // namespace fuselage

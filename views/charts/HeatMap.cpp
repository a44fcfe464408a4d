#include "views/charts/HeatMap.h"
#include "views/charts/ChartInput.h"
#include "views/charts/ValueColors.h"
#include "views/common/Numbers.h"
#include "views/common/Theme.h"
#include "views/widgets/EmptyHint.h"
#include <QPainter>
#include <algorithm>
#include <cmath>

using namespace Qt::StringLiterals;

namespace fuselage {

static constexpr int margin = 8;

HeatMap::HeatMap(QWidget *parent) : QWidget(parent) {
  setAccessibleName(tr("A slice of the result"));
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

void HeatMap::clear() {
  heat_.reset();
  worst_.reset();
  setAccessibleDescription({});
  update();
}

void HeatMap::setOutput(const protocol::Output &output) {
  heat_ = output.heat;
  worst_ = output.worst;
  setShows(shows_);
}

void HeatMap::setShows(Shows shows) {
  shows_ = shows;
  low_ = high_ = 0;
  finite_ = 0;
  if (heat_) {
    for (const double value : shows == Shows::Values ? heat_->values : heat_->errors) {
      if (!std::isfinite(value))
        continue;
      low_ = finite_ == 0 ? value : std::min(low_, value);
      high_ = finite_ == 0 ? value : std::max(high_, value);
      ++finite_;
    }
    if (shows == Shows::Errors)
      low_ = 0;
    setAccessibleDescription(
        tr("%1, from %2 to %3").arg(title(), QString::number(low_, 'g', 4), QString::number(high_, 'g', 4)));
  }
  update();
}

/// "[0, i, j], 128 x 768, a cell is 2 x 12 elements"
QString HeatMap::title() const {
  if (!heat_)
    return {};
  QStringList index;
  int shown = 0;
  for (const qint64 i : heat_->slice)
    index.append(i >= 0 ? QString::number(i) : shown++ == 0 ? u"i"_s : u"j"_s);
  QString text = u"[%1]"_s.arg(index.join(u", "_s));
  if (heat_->rowStep > 1 || heat_->columnStep > 1)
    text += tr(", a cell is %1 \u00d7 %2").arg(groupedNumber(heat_->rowStep), groupedNumber(heat_->columnStep));
  if (finite_ < heat_->values.size())
    text += tr(", red: not finite");
  return text;
}

double HeatMap::valueAt(int row, int column) const {
  return (shows_ == Shows::Values ? heat_->values : heat_->errors)[qsizetype(row) * heat_->columns + column];
}

/// Errors go from nothing to the colour of an error.
QColor HeatMap::colorOf(double value) const {
  const Theme &theme = Theme::of(palette());
  if (shows_ == Shows::Errors && std::isfinite(value))
    return high_ > 0 ? theme.heat(value / high_) : mix(theme.border, theme.surface, 0.35);
  return valueColor(theme, value, low_, high_);
}

QRectF HeatMap::picture() const {
  if (!heat_)
    return {};
  const double line = fontMetrics().height();
  const QRectF room = QRectF(rect()).adjusted(margin, margin + line + 4, -margin, -(margin + line + scaleHeight + 8));
  if (room.width() < 8 || room.height() < 8)
    return {};
  // As the slice is, but never a thread.
  const double aspect =
      std::clamp(double(heat_->columnExtent) / double(std::max<qint64>(1, heat_->rowExtent)), 0.25, 6.0);
  const double width = std::min(room.width(), room.height() * aspect);
  return {room.topLeft(), QSizeF(width, std::max(8.0, std::min(room.height(), width / aspect)))};
}

void HeatMap::paintEvent(QPaintEvent *) {
  QPainter painter(this);
  if (!heat_) {
    paintHint(painter, rect(), palette(), tr("No slice to draw"), tr("A scalar, or nothing has run yet."));
    return;
  }
  const Theme &theme = Theme::of(palette());
  const QRectF cells = picture();
  if (cells.isEmpty())
    return;
  painter.setPen(theme.textMuted);
  const QRectF head(margin, margin, width() - 2 * margin, fontMetrics().height());
  painter.drawText(head, Qt::AlignLeft | Qt::AlignVCenter,
                   fontMetrics().elidedText(title(), Qt::ElideRight, int(head.width())));
  const double w = cells.width() / heat_->columns, h = cells.height() / heat_->rows;
  painter.setPen(Qt::NoPen);
  for (int row = 0; row < heat_->rows; ++row)
    for (int column = 0; column < heat_->columns; ++column) {
      // Borders on whole pixels: cells neither overlap nor leave gaps.
      const double left = std::round(cells.left() + column * w), right = std::round(cells.left() + (column + 1) * w);
      const double top = std::round(cells.top() + row * h), bottom = std::round(cells.top() + (row + 1) * h);
      const QColor color = colorOf(valueAt(row, column));
      painter.fillRect(QRectF(left, top, right - left, bottom - top),
                       isEnabled() ? color : mix(color, theme.surface, 0.35));
    }
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(theme.borderStrong, 1));
  painter.drawRect(cells.adjusted(-0.5, -0.5, 0.5, 0.5));
  if (worst_ && heat_->columnDim >= 0 && heat_->columnDim < worst_->index.size()) {
    const qint64 row =
        heat_->rowDim >= 0 && heat_->rowDim < worst_->index.size() ? worst_->index[heat_->rowDim] / heat_->rowStep : 0;
    const qint64 column = worst_->index[heat_->columnDim] / heat_->columnStep;
    QRectF ring(cells.left() + double(column) * w, cells.top() + double(row) * h, w, h);
    const QPointF middle = ring.center();
    ring.setSize(ring.size().expandedTo(QSizeF(9, 9)));
    ring.moveCenter(middle);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme.surface, 4));
    painter.drawEllipse(ring);
    painter.setPen(QPen(theme.text, 1.6));
    painter.drawEllipse(ring);
  }
  paintLegend(painter, cells);
}

void HeatMap::paintLegend(QPainter &painter, const QRectF &cells) const {
  if (finite_ == 0)
    return;
  const double width = std::max(cells.width(), std::min(160.0, this->width() - 2.0 * margin));
  paintScale(painter, {cells.left(), cells.bottom() + 6, width, scaleHeight}, Theme::of(palette()), low_, high_,
             [this](double value) { return colorOf(value); });
}

QString HeatMap::cellText(const QPoint &position) const {
  const QRectF cells = picture();
  if (!heat_ || !cells.contains(position))
    return {};
  const int row = std::min(heat_->rows - 1, int((position.y() - cells.top()) / cells.height() * heat_->rows));
  const int column = std::min(heat_->columns - 1, int((position.x() - cells.left()) / cells.width() * heat_->columns));
  const qsizetype cell = qsizetype(row) * heat_->columns + column;
  const auto range = [](qint64 first, qint64 step, qint64 extent) {
    const qint64 last = std::min(extent, first + step) - 1;
    return last > first ? u"%1\u2013%2"_s.arg(first).arg(last) : QString::number(first);
  };
  QStringList index;
  int dim = 0;
  for (const qint64 i : heat_->slice) {
    index.append(i >= 0                 ? QString::number(i)
                 : dim == heat_->rowDim ? range(row * heat_->rowStep, heat_->rowStep, heat_->rowExtent)
                                        : range(column * heat_->columnStep, heat_->columnStep, heat_->columnExtent));
    ++dim;
  }
  const bool isOne = heat_->rowStep == 1 && heat_->columnStep == 1;
  return (isOne ? tr("[%1]: %2, error %3") : tr("[%1]: largest %2, largest error %3"))
      .arg(index.join(u", "_s), QString::number(heat_->values[cell], 'g', 6),
           QString::number(heat_->errors[cell], 'g', 3));
}

bool HeatMap::event(QEvent *event) {
  return showChartToolTip(event, this, [this](const QPoint &place) { return cellText(place); }) ||
         QWidget::event(event);
}

} // namespace fuselage

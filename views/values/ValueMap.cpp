#include "views/values/ValueMap.h"
#include "views/charts/ValueColors.h"
#include "views/common/Numbers.h"
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>

using namespace Qt::StringLiterals;

namespace fuselage {

static constexpr int margin = 2;

ValueMap::ValueMap(QWidget *parent) : QWidget(parent) {
  setAccessibleName(tr("A slice of the value"));
  setFocusPolicy(Qt::StrongFocus);
  setMouseTracking(true);
  QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  policy.setHeightForWidth(true);
  setSizePolicy(policy);
}

void ValueMap::setSlice(const std::optional<protocol::ValueSlice> &slice) {
  slice_ = slice && slice->isComplete() ? slice : std::nullopt;
  low_ = high_ = 0;
  finite_ = 0;
  for (const double value : slice_ ? slice_->values : QList<double>()) {
    if (!std::isfinite(value))
      continue;
    low_ = finite_ == 0 ? value : std::min(low_, value);
    high_ = finite_ == 0 ? value : std::max(high_, value);
    ++finite_;
  }
  current_ =
      slice_ ? QPoint(std::clamp(current_.x(), 0, slice_->columns - 1), std::clamp(current_.y(), 0, slice_->rows - 1))
             : QPoint(0, 0);
  setAccessibleDescription(slice_ ? title() + u". "_s + cellText(current_) : QString());
  emit cellChanged(cellText(current_));
  updateGeometry();
  update();
}

bool ValueMap::hasCells() const { return slice_ && (slice_->rowStep > 1 || slice_->columnStep > 1); }

bool ValueMap::isWhole() const {
  if (!slice_)
    return true;
  const qsizetype rank = slice_->shape.size();
  return slice_->columnExtent == slice_->shape[rank - 1] &&
         slice_->rowExtent == (rank > 1 ? slice_->shape[rank - 2] : 1);
}

/// "rows 0–95 of 128", or "128 rows".
static QString partText(const QString &name, qint64 first, qint64 extent, qint64 size) {
  if (extent == size)
    return u"%1 %2"_s.arg(groupedNumber(size), name);
  return ValueMap::tr("%1 %2\u2013%3 of %4")
      .arg(name, groupedNumber(first), groupedNumber(first + extent - 1), groupedNumber(size));
}

QString ValueMap::title() const {
  if (!slice_)
    return {};
  const protocol::ValueSlice &s = *slice_;
  const qsizetype rank = s.shape.size();
  QString text = partText(tr("columns"), s.firstColumn, s.columnExtent, s.shape[rank - 1]);
  if (rank > 1)
    text = partText(tr("rows"), s.firstRow, s.rowExtent, s.shape[rank - 2]) + u" \u00d7 "_s + text;
  if (hasCells())
    text += tr("; each cell shows the largest magnitude of up to %1 \u00d7 %2 elements")
                .arg(groupedNumber(s.rowStep), groupedNumber(s.columnStep));
  return text;
}

QString ValueMap::cellText(const QPoint &cell) const {
  if (!slice_)
    return {};
  const protocol::ValueSlice &s = *slice_;
  const qsizetype number = qsizetype(cell.y()) * s.columns + cell.x();
  const qint64 width = s.shape.last();
  QStringList index;
  for (const qint64 i : s.index)
    index.append(QString::number(i));
  if (s.shape.size() > 1)
    index.append(QString::number(s.places[number] / width));
  index.append(QString::number(s.places[number] % width));
  QString text = u"[%1]: %2"_s.arg(index.join(u", "_s), s.texts[number]);
  if (hasCells()) {
    const qint64 rows = std::min(s.rowStep, s.rowExtent - cell.y() * s.rowStep);
    const qint64 columns = std::min(s.columnStep, s.columnExtent - cell.x() * s.columnStep);
    text += tr(", the largest magnitude of %1").arg(counted(rows * columns, tr("element"), tr("elements")));
  }
  return text;
}

void ValueMap::setCurrent(const QPoint &cell) {
  if (!slice_)
    return;
  const QPoint within(std::clamp(cell.x(), 0, slice_->columns - 1), std::clamp(cell.y(), 0, slice_->rows - 1));
  if (within == current_)
    return;
  current_ = within;
  setAccessibleDescription(title() + u". "_s + cellText(current_));
  emit cellChanged(cellText(current_));
  update();
}

/// As the slice is, but never a thread.
double ValueMap::aspect() const {
  return slice_ ? std::clamp(double(slice_->columnExtent) / double(std::max<qint64>(1, slice_->rowExtent)), 0.25, 8.0)
                : 1;
}

/// Of the colours and their words, below the picture.
int ValueMap::legendHeight() const { return scaleHeight + fontMetrics().height() + 8; }

int ValueMap::heightForWidth(int width) const {
  constexpr int most = 200;
  return std::min(most, int((width - 2 * margin) / aspect())) + 2 * margin + legendHeight();
}

QRectF ValueMap::picture() const {
  if (!slice_)
    return {};
  const QRectF room = QRectF(rect()).adjusted(margin, margin, -margin, -margin - legendHeight());
  if (room.width() < 8 || room.height() < 8)
    return {};
  const double width = std::min(room.width(), room.height() * aspect());
  return {room.topLeft(), QSizeF(width, std::max(8.0, std::min(room.height(), width / aspect())))};
}

QRectF ValueMap::placeOf(const QPoint &cell) const {
  const QRectF cells = picture();
  const double w = cells.width() / slice_->columns, h = cells.height() / slice_->rows;
  return {cells.left() + cell.x() * w, cells.top() + cell.y() * h, w, h};
}

std::optional<QPoint> ValueMap::cellAt(const QPointF &position) const {
  const QRectF cells = picture();
  if (!slice_ || !cells.contains(position))
    return std::nullopt;
  return QPoint(std::min(slice_->columns - 1, int((position.x() - cells.left()) / cells.width() * slice_->columns)),
                std::min(slice_->rows - 1, int((position.y() - cells.top()) / cells.height() * slice_->rows)));
}

/// One pixel a cell, scaled without smoothing; what is not finite has a cross, too, where there is room.
void ValueMap::paintCells(QPainter &painter, const QRectF &cells) const {
  const Theme &theme = Theme::of(palette());
  QImage image(slice_->columns, slice_->rows, QImage::Format_RGB32);
  for (int row = 0; row < slice_->rows; ++row)
    for (int column = 0; column < slice_->columns; ++column)
      image.setPixel(column, row,
                     valueColor(theme, slice_->values[qsizetype(row) * slice_->columns + column], low_, high_).rgb());
  painter.setRenderHint(QPainter::SmoothPixmapTransform, false);
  painter.setOpacity(isEnabled() ? 1 : 0.5);
  painter.drawImage(cells, image);
  painter.setOpacity(1);
  constexpr double room = 7;
  if (cells.width() < room * slice_->columns || cells.height() < room * slice_->rows)
    return;
  painter.setPen(QPen(theme.surface, 1.2));
  for (int row = 0; row < slice_->rows; ++row)
    for (int column = 0; column < slice_->columns; ++column)
      if (!std::isfinite(slice_->values[qsizetype(row) * slice_->columns + column])) {
        const QRectF cell = placeOf({column, row}).adjusted(2, 2, -2, -2);
        painter.drawLine(cell.topLeft(), cell.bottomRight());
        painter.drawLine(cell.bottomLeft(), cell.topRight());
      }
}

void ValueMap::paintEvent(QPaintEvent *) {
  const QRectF cells = picture();
  if (cells.isEmpty())
    return;
  QPainter painter(this);
  const Theme &theme = Theme::of(palette());
  paintCells(painter, cells);
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(hasFocus() ? theme.accent : theme.borderStrong, 1));
  painter.drawRect(cells.adjusted(-0.5, -0.5, 0.5, 0.5));
  QRectF cursor = placeOf(current_);
  const QPointF middle = cursor.center();
  cursor.setSize(cursor.size().expandedTo(QSizeF(5, 5)));
  cursor.moveCenter(middle);
  painter.setPen(QPen(theme.surface, 3));
  painter.drawRect(cursor);
  painter.setPen(QPen(theme.text, 1.4));
  painter.drawRect(cursor);
  QRectF legend(cells.left(), cells.bottom() + 6, width() - 2 * margin, scaleHeight);
  if (finite_ < slice_->values.size()) {
    const QString text = tr("not finite");
    const double room = fontMetrics().horizontalAdvance(text) + 24;
    legend.setWidth(std::max(60.0, legend.width() - room));
    const QRectF mark(legend.right() + 12, legend.top(), scaleHeight, scaleHeight);
    painter.fillRect(mark, theme.error);
    painter.setPen(theme.textMuted);
    painter.drawText(QRectF(mark.left(), mark.bottom() + 1, room, fontMetrics().height()), Qt::AlignLeft, text);
  }
  if (finite_ > 0)
    paintScale(painter, legend, theme, low_, high_,
               [&](double value) { return valueColor(theme, value, low_, high_); });
}

void ValueMap::mouseMoveEvent(QMouseEvent *event) {
  if (const auto cell = cellAt(event->position()))
    setCurrent(*cell);
}

void ValueMap::mousePressEvent(QMouseEvent *event) { mouseMoveEvent(event); }

void ValueMap::mouseDoubleClickEvent(QMouseEvent *event) {
  if (cellAt(event->position()))
    zoom();
}

void ValueMap::zoom() {
  if (hasCells())
    emit zoomRequested(slice_->firstRow + current_.y() * slice_->rowStep,
                       slice_->firstColumn + current_.x() * slice_->columnStep);
  else if (!isWhole())
    emit wholeRequested();
}

void ValueMap::keyPressEvent(QKeyEvent *event) {
  if (!slice_)
    return QWidget::keyPressEvent(event);
  switch (event->key()) {
  case Qt::Key_Left:
    return setCurrent(current_ - QPoint(1, 0));
  case Qt::Key_Right:
    return setCurrent(current_ + QPoint(1, 0));
  case Qt::Key_Up:
    return setCurrent(current_ - QPoint(0, 1));
  case Qt::Key_Down:
    return setCurrent(current_ + QPoint(0, 1));
  case Qt::Key_Home:
    return setCurrent({0, current_.y()});
  case Qt::Key_End:
    return setCurrent({slice_->columns - 1, current_.y()});
  case Qt::Key_PageUp:
    return setCurrent({current_.x(), 0});
  case Qt::Key_PageDown:
    return setCurrent({current_.x(), slice_->rows - 1});
  case Qt::Key_Return:
  case Qt::Key_Enter:
    return zoom();
  case Qt::Key_Backspace:
  case Qt::Key_Escape:
    if (!isWhole()) {
      emit wholeRequested();
      return;
    }
  }
  QWidget::keyPressEvent(event);
}

} // namespace fuselage

#include "views/charts/RowChart.h"
#include "views/charts/ChartInput.h"
#include "views/common/Theme.h"
#include "views/widgets/EmptyHint.h"
#include <QKeyEvent>
#include <QPainter>
#include <QScrollBar>

namespace fuselage {

RowChart::RowChart(QWidget *parent) : QAbstractScrollArea(parent) {
  setFrameShape(QFrame::NoFrame);
  setFocusPolicy(Qt::StrongFocus);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  viewport()->setMouseTracking(true);
}

void RowChart::setEmptyText(const QString &title, const QString &hint) {
  emptyTitle_ = title;
  emptyHint_ = hint;
  viewport()->update();
}

void RowChart::setStale(bool isStale) {
  isStale_ = isStale;
  viewport()->update();
}

void RowChart::setEnds(int head, int foot) {
  head_ = head;
  foot_ = foot;
}

void RowChart::rowsChanged() {
  current_ = hovered_ = -1;
  updateScrollBar();
  viewport()->update();
}

void RowChart::setCurrent(int row) {
  current_ = row < rowCount() ? row : -1;
  if (current_ >= 0 && !rowsArea().contains(placeOf(current_)))
    verticalScrollBar()->setValue(current_ * rowHeight() - rowsArea().height() / 2);
  viewport()->update();
}

QRect RowChart::rowsArea() const { return viewport()->rect().adjusted(0, head_, 0, -foot_); }

int RowChart::rowHeight() const { return fontMetrics().height() + 8; }

QRect RowChart::placeOf(int row) const {
  return {0, head_ - verticalScrollBar()->value() + row * rowHeight(), viewport()->width(), rowHeight()};
}

int RowChart::rowAt(const QPoint &position) const {
  if (!rowsArea().contains(position))
    return -1;
  const int row = (position.y() - head_ + verticalScrollBar()->value()) / rowHeight();
  return row < rowCount() ? row : -1;
}

void RowChart::updateScrollBar() {
  const int page = std::max(0, rowsArea().height());
  verticalScrollBar()->setPageStep(page);
  verticalScrollBar()->setSingleStep(rowHeight());
  verticalScrollBar()->setRange(0, std::max(0, rowCount() * rowHeight() - page));
}

void RowChart::resizeEvent(QResizeEvent *) { updateScrollBar(); }

void RowChart::paintEvent(QPaintEvent *) {
  QPainter painter(viewport());
  painter.fillRect(viewport()->rect(), palette().base());
  if (rowCount() == 0) {
    paintHint(painter, viewport()->rect(), palette(), emptyTitle_, emptyHint_);
    return;
  }
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setOpacity(isStale_ ? staleOpacity : 1);
  painter.save();
  paintBackground(painter);
  painter.restore();
  painter.save();
  painter.setClipRect(rowsArea());
  for (int row = 0; row < rowCount(); ++row) {
    const QRect place = placeOf(row);
    if (!place.intersects(rowsArea()))
      continue;
    if (row == current_ || row == hovered_) {
      QColor ground = Theme::of(palette()).accent;
      ground.setAlphaF(row == current_ ? 0.22f : 0.12f);
      painter.fillRect(place, ground);
    }
    paintRow(painter, row, place);
  }
  painter.restore();
  painter.setOpacity(1);
  if (hasFocus())
    paintFocus(painter, viewport()->rect(), palette());
}

void RowChart::mouseMoveEvent(QMouseEvent *event) {
  if (const int row = rowAt(event->pos()); row != hovered_) {
    hovered_ = row;
    viewport()->update();
  }
}

void RowChart::mousePressEvent(QMouseEvent *event) {
  if (const int row = rowAt(event->pos()); row >= 0) {
    setCurrent(row);
    emit rowActivated(row);
  }
}

void RowChart::keyPressEvent(QKeyEvent *event) {
  const auto row = itemByKey(*event, Qt::Vertical, current_, rowCount());
  if (!row)
    return QAbstractScrollArea::keyPressEvent(event);
  setCurrent(*row);
  emit rowActivated(current_);
}

void RowChart::leaveEvent(QEvent *) {
  hovered_ = -1;
  viewport()->update();
}

bool RowChart::viewportEvent(QEvent *event) {
  const auto textAt = [this](const QPoint &place) {
    const int row = rowAt(place);
    return row < 0 ? QString() : rowToolTip(row);
  };
  return showChartToolTip(event, viewport(), textAt) || QAbstractScrollArea::viewportEvent(event);
}

} // namespace fuselage

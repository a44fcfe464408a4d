// The graph view's frames: the scene, what lies over it, and the empty state.
#include "views/graph/GraphMarks.h"
#include "views/graph/GraphPainter.h"
#include "views/graph/GraphView.h"
#include "views/graph/Minimap.h"
#include <QEvent>
#include <QPainter>

namespace fuselage {

PaintQuality GraphView::quality() const {
  if (!moving_ && state_->progress >= 1)
    return PaintQuality::Rest;
  int level = camera_.scale() >= GraphPainter::detailScale ? 2 : camera_.scale() >= GraphPainter::boxScale ? 1 : 0;
  double cost = restMilliseconds_[level];
  // Careful painting only stops where it would cost frames.
  bool cheap = cost >= 0 ? cost < 7 : scene_->data().nodes.size() < 1500;
  return cheap ? PaintQuality::Rest : PaintQuality::Moving;
}

void GraphView::paintEvent(QPaintEvent *) {
  QPainter painter(this);
  if (scene_->isEmpty()) {
    paintEmpty(painter);
  } else {
    PaintQuality chosen = quality();
    QElapsedTimer time;
    time.start();
    painter_->paint(painter, camera_, size(), *state_, chosen);
    int level = camera_.scale() >= GraphPainter::detailScale ? 2 : camera_.scale() >= GraphPainter::boxScale ? 1 : 0;
    if (chosen == PaintQuality::Rest)
      restMilliseconds_[level] = double(time.nsecsElapsed()) / 1e6;
  }
  paintOverlays(painter);
}

void GraphView::paintEmpty(QPainter &painter) {
  const Theme &theme = painter_->theme();
  painter.fillRect(rect(), theme.canvas);
  painter.setRenderHint(QPainter::Antialiasing);
  // A tiny graph as a drawing.
  QPointF c = QRectF(rect()).center() - QPointF(0, 58);
  painter.setPen(QPen(theme.borderStrong, 1.5));
  painter.setBrush(theme.surface);
  QPainterPath edges(c + QPointF(-30, -6));
  edges.cubicTo(c + QPointF(-30, 10), c + QPointF(0, 6), c + QPointF(0, 20));
  edges.moveTo(c + QPointF(30, -6));
  edges.cubicTo(c + QPointF(30, 10), c + QPointF(0, 6), c + QPointF(0, 20));
  painter.setBrush(Qt::NoBrush);
  painter.drawPath(edges);
  painter.setBrush(theme.surface);
  for (QPointF at : {QPointF(-30, -15), QPointF(30, -15), QPointF(0, 29)})
    painter.drawRoundedRect(QRectF(c + at - QPointF(22, 9), QSizeF(44, 18)), 5, 5);
  QRectF area = QRectF(rect()).adjusted(24, 0, -24, 0);
  painter.setPen(theme.text);
  painter.setFont(uiFont(15, QFont::DemiBold));
  painter.drawText(QRectF(area.left(), c.y() + 60, area.width(), 24), Qt::AlignCenter, emptyTitle_);
  painter.setPen(theme.textMuted);
  painter.setFont(uiFont(12));
  painter.drawText(QRectF(area.left(), c.y() + 86, area.width(), 80),
                   Qt::AlignHCenter | Qt::AlignTop | Qt::TextWordWrap, emptyHint_);
}

void GraphView::paintOverlays(QPainter &painter) {
  const Theme &theme = painter_->theme();
  // Legends stand on each other, as far as they leave the graph in sight.
  constexpr double gap = 8, leastGraph = 240;
  QPointF corner(12, height() - 12);
  const auto fits = [&] { return !scene_->isEmpty() && width() > 420 && corner.y() > leastGraph; };
  if (!nodeMarks_.isEmpty() && !scene_->isEmpty()) {
    QList<QRectF> rects;
    for (const NodeMark &mark : nodeMarks_)
      rects.append(rectOf(mark.id));
    paintNodeMarks(painter, nodeMarks_, rects, theme);
    corner.ry() -= paintMarkLegend(painter, corner, nodeMarks_, rects, theme) + gap;
  }
  QList<QRectF> noted;
  for (const NodeId id : std::as_const(state_->noted))
    if (const QRectF rect = rectOf(id); rect.width() > 20 && rect.intersects(this->rect()))
      noted.append(rect);
  paintNotes(painter, noted, theme);
  if (!state_->heat.isEmpty() && state_->heatHigh > 0 && fits())
    corner.ry() -= paintHeatLegend(painter, corner, *state_, theme) + gap;
  if (!state_->marks.isEmpty() && nodeMarks_.isEmpty() && fits()) {
    const double room = width() - 24 - (minimap_->isVisible() ? minimap_->width() + 12 : 0);
    paintFusionLegend(painter, corner, room, *state_, theme);
  }
  if (!busy_.isEmpty()) {
    QFont font = uiFont(12);
    QFontMetricsF metrics(font);
    QString text = metrics.elidedText(busy_, Qt::ElideRight, width() - 60);
    QRectF pill(0, 0, metrics.horizontalAdvance(text) + 28, 28);
    pill.moveCenter(QPointF(width() / 2.0, 28));
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme.border, 1));
    painter.setBrush(theme.surfaceRaised);
    painter.drawRoundedRect(pill, 14, 14);
    painter.setPen(theme.text);
    painter.setFont(font);
    painter.drawText(pill, Qt::AlignCenter, text);
  }
  if (drag_ == Drag::Area && moved_) {
    QColor fill = theme.accent;
    fill.setAlphaF(0.12f);
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setPen(QPen(theme.accent, 1));
    painter.setBrush(fill);
    painter.drawRect(QRectF(pressed_, lastMouse_).normalized());
  }
  if (hasFocus())
    paintFocus(painter, rect(), palette());
}

void GraphView::resizeEvent(QResizeEvent *event) {
  QWidget::resizeEvent(event);
  if (fitted_)
    camera_ = startCamera();
  cameraMoved();
}

void GraphView::showEvent(QShowEvent *event) {
  QWidget::showEvent(event);
  if (fitted_)
    camera_ = startCamera();
  cameraMoved();
}

void GraphView::changeEvent(QEvent *event) {
  if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) {
    painter_->setTheme(Theme::of(palette()));
    update();
  }
  QWidget::changeEvent(event);
}

} // namespace fuselage

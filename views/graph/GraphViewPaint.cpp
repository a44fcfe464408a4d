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
    painter.save();
    painter.setClipRect(canvasRect());
    painter_->paint(painter, camera_, canvas_, *state_, chosen);
    painter.restore();
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

/// Legend and minimap stand beside the graph, so that they cover nothing. What is in sight stays where it is.
void GraphView::arrange() {
  const Theme &theme = painter_->theme();
  QSizeF room = size();
  constexpr double leastGraph = 200;
  legend_.clear();
  if (!scene_->isEmpty() && room.height() > leastGraph)
    legend_ = legendOf(
        *state_, nodeMarks_, remarkMarks_ + meshMarks_, [this](NodeId id) { return scene_->contains(id); }, theme);
  if (const double height = legendHeight(legend_, room.width()); height > 0 && room.height() - height >= leastGraph)
    room.rheight() -= height;
  else
    legend_.clear();
  const bool hasMap = needsMinimap(room);
  if (hasMap) {
    const QSize map = minimap_->sizeIn(room.toSize());
    const bool isBeside = map.height() == int(room.height());
    (isBeside ? room.rwidth() : room.rheight()) -= isBeside ? map.width() : map.height();
    minimap_->setGeometry(QRect(isBeside ? QPoint(int(room.width()), 0) : QPoint(0, int(room.height())), map));
  }
  minimap_->setVisible(hasMap);
  const QSizeF change = room - std::exchange(canvas_, room);
  if (fitted_)
    camera_ = startCamera();
  else if (!change.isNull())
    camera_ =
        Camera(camera_.center() + QPointF(change.width(), change.height()) / 2 / camera_.scale(), camera_.scale());
  updateMinimap();
}

/// Where the graph is larger than what can be read of it at once.
bool GraphView::needsMinimap(const QSizeF &room) const {
  constexpr double leastWidth = 420, leastHeight = 260;
  return minimapWanted_ && !scene_->isEmpty() && room.width() > leastWidth && room.height() > leastHeight &&
         Camera::fitting(scene_->bounds(), room, 28, 1).scale() < 0.9;
}

void GraphView::updateMinimap() { minimap_->setVisibleArea(camera_.visible(canvas_)); }

void GraphView::paintScene(QPainter &painter, const QRectF &target) const {
  if (scene_->isEmpty() || target.isEmpty())
    return;
  QRectF area = scene_->bounds().adjusted(-12, -12, 12, 12);
  double scale = std::min(target.width() / area.width(), target.height() / area.height());
  painter.save();
  painter.translate(target.center());
  painter.scale(scale, scale);
  painter.translate(-area.width() / 2, -area.height() / 2);
  GraphPainter painterOfAll(*scene_);
  painterOfAll.setTheme(painter_->theme());
  painterOfAll.setBoxNumbers(painter_->boxNumbers());
  painterOfAll.paint(painter, Camera(area.center(), 1), area.size(), state_->atRest(), PaintQuality::Print);
  painter.restore();
}

QSizeF GraphView::sightSize() const { return canvas_ + QSizeF(0, legendHeight(legend_, canvas_.width())); }

void GraphView::paintSight(QPainter &painter, bool print) const {
  const Theme &theme = painter_->theme();
  painter.fillRect(QRectF(QPointF(), sightSize()), theme.canvas);
  painter.save();
  painter.setClipRect(canvasRect());
  GraphPainter own(*scene_);
  own.setTheme(theme);
  own.setBoxNumbers(painter_->boxNumbers());
  const bool details = print || camera_.scale() >= GraphPainter::detailScale;
  own.paint(painter, camera_, canvas_, state_->atRest(), details ? PaintQuality::Print : PaintQuality::Rest);
  paintBadges(painter);
  painter.restore();
  const QRectF below(0, canvas_.height(), canvas_.width(), legendHeight(legend_, canvas_.width()));
  paintLegend(painter, below, legend_, theme);
}

/// What stands on nodes at one size, whatever the scale.
void GraphView::paintBadges(QPainter &painter) const {
  const Theme &theme = painter_->theme();
  QList<QRectF> rects;
  const QList<NodeMark> marks = nodeMarks_ + remarkMarks_ + meshMarks_;
  for (const NodeMark &mark : marks)
    rects.append(rectOf(mark.id));
  paintNodeMarks(painter, marks, rects, canvasRect(), theme);
  rects.clear();
  for (const NodeId id : std::as_const(state_->noted))
    if (const QRectF rect = rectOf(id); rect.width() > 20 && rect.intersects(canvasRect()))
      rects.append(rect);
  paintNotes(painter, rects, theme);
}

void GraphView::paintOverlays(QPainter &painter) {
  const Theme &theme = painter_->theme();
  if (!scene_->isEmpty()) {
    painter.save();
    painter.setClipRect(canvasRect());
    paintBadges(painter);
    painter.restore();
    if (!legend_.isEmpty()) {
      const double height = legendHeight(legend_, width());
      paintLegend(painter, QRectF(0, this->height() - height, width(), height), legend_, theme);
    }
  }
  if (!busy_.isEmpty()) {
    QFont font = uiFont(12);
    QFontMetricsF metrics(font);
    QString text = metrics.elidedText(busy_, Qt::ElideRight, canvas_.width() - 60);
    QRectF pill(0, 0, metrics.horizontalAdvance(text) + 28, 28);
    pill.moveCenter(QPointF(canvas_.width() / 2.0, 28));
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
  const QPointF middle = camera_.center();
  arrange();
  if (!fitted_)
    camera_ = Camera(middle, camera_.scale());
  cameraMoved();
}

void GraphView::showEvent(QShowEvent *event) {
  QWidget::showEvent(event);
  arrange();
  cameraMoved();
}

void GraphView::changeEvent(QEvent *event) {
  if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) {
    painter_->setTheme(Theme::of(palette()));
    arrange();
    update();
  }
  QWidget::changeEvent(event);
}

} // namespace fuselage

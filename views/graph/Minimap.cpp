#include "views/graph/Minimap.h"
#include "views/graph/BlockRaster.h"
#include <QMouseEvent>
#include <algorithm>

namespace fuselage {

static constexpr double padding = 7;

Minimap::Minimap(QWidget *parent) : QWidget(parent) {
  setAccessibleName(tr("Overview of the graph"));
  setCursor(Qt::PointingHandCursor);
  setToolTip(tr("Overview: click or drag to move there (M hides it)"));
}

void Minimap::setScene(const PreparedScene *scene) {
  scene_ = scene;
  picture_ = QPixmap();
  update();
}

void Minimap::setVisibleArea(const QRectF &area) {
  if (area_ == area)
    return;
  area_ = area;
  update();
}

QSize Minimap::sizeHint() const {
  QSizeF extent = scene_ ? scene_->bounds().size() : QSizeF();
  if (extent.isEmpty())
    return {180, 120};
  QSizeF size = extent.scaled(196, 156, Qt::KeepAspectRatio);
  return QSize(std::max(64, int(size.width())), std::max(48, int(size.height()))) + QSize(14, 14);
}

QTransform Minimap::toMap() const {
  QRectF room = QRectF(rect()).adjusted(padding, padding, -padding, -padding);
  QRectF bounds = scene_->bounds();
  double scale = std::min(room.width() / std::max(1.0, bounds.width()),
                          room.height() / std::max(1.0, bounds.height()));
  QTransform map;
  map.translate(room.center().x(), room.center().y());
  map.scale(scale, scale);
  map.translate(-bounds.center().x(), -bounds.center().y());
  return map;
}

/// Clusters and nodes as blocks, once a scene and size.
void Minimap::renderScene() {
  const Theme &theme = Theme::of(palette());
  double ratio = devicePixelRatioF();
  picture_ = QPixmap((QSizeF(size()) * ratio).toSize());
  picture_.setDevicePixelRatio(ratio);
  picture_.fill(Qt::transparent);
  QPainter painter(&picture_);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(QPen(theme.border, 1));
  painter.setBrush(mix(theme.surfaceRaised, theme.canvas, 0.5));
  painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
  painter.setRenderHint(QPainter::Antialiasing, false);
  QTransform map = toMap();
  painter.setPen(Qt::NoPen);
  for (const ClusterData &cluster : scene_->data().clusters) {
    QRectF view = map.mapRect(cluster.rect);
    if (view.width() < 2 || view.height() < 2 || cluster.kind == ClusterData::Kind::Function)
      continue;
    QColor hue = cluster.dispatch >= 0 ? theme.dispatch(scene_->data().hueOf(cluster.dispatch)) : theme.textMuted;
    painter.fillRect(view, mix(hue, theme.surfaceRaised, 0.16));
  }
  BlockRaster raster;
  raster.begin(picture_.size(), ratio);
  for (const NodeData &node : scene_->data().nodes) {
    QRectF view = map.mapRect(node.rect);
    QColor hue = node.dispatch >= 0 ? theme.dispatch(scene_->data().hueOf(node.dispatch)) : theme.edgeStrong;
    raster.fill(view.left() * ratio, view.top() * ratio, view.right() * ratio,
                view.bottom() * ratio, mix(hue, theme.surfaceRaised, 0.75).rgb());
  }
  raster.end(painter);
}

void Minimap::paintEvent(QPaintEvent *) {
  if (!scene_ || scene_->isEmpty())
    return;
  if (picture_.isNull() || picture_.deviceIndependentSize().toSize() != size())
    renderScene();
  const Theme &theme = Theme::of(palette());
  QPainter painter(this);
  painter.drawPixmap(0, 0, picture_);
  QRectF frame = QRectF(rect()).adjusted(2, 2, -2, -2);
  QRectF view = toMap().mapRect(area_).intersected(frame);
  if (view.isEmpty())
    return;
  QPainterPath outside;
  outside.addRoundedRect(frame, 5, 5);
  outside.addRect(view);
  QColor shade = theme.dark ? QColor(0, 0, 0, 70) : QColor(40, 50, 70, 22);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.fillPath(outside, shade);
  painter.setPen(QPen(theme.accent, 1.4));
  painter.setBrush(Qt::NoBrush);
  painter.drawRoundedRect(view, 2, 2);
}

void Minimap::mousePressEvent(QMouseEvent *event) {
  if (scene_ && event->button() == Qt::LeftButton)
    emit centerRequested(toMap().inverted().map(event->position()));
}

void Minimap::mouseMoveEvent(QMouseEvent *event) {
  if (scene_ && event->buttons() & Qt::LeftButton)
    emit centerRequested(toMap().inverted().map(event->position()));
}

void Minimap::wheelEvent(QWheelEvent *event) { event->ignore(); }

void Minimap::changeEvent(QEvent *event) {
  if (event->type() == QEvent::PaletteChange)
    picture_ = QPixmap();
  QWidget::changeEvent(event);
}

} // namespace fuselage

#include "views/graph/Minimap.h"
#include "views/graph/BlockRaster.h"
#include <QMouseEvent>
#include <algorithm>
#include <array>

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

bool Minimap::isWide(QSizeF room) const {
  const QSizeF extent = scene_->bounds().size();
  return extent.width() * room.height() > extent.height() * room.width();
}

QSize Minimap::sizeIn(QSize room) const {
  constexpr double least = 56, share = 0.15;
  const QSizeF extent = scene_->bounds().size().expandedTo({1, 1});
  const double proportion =
      isWide(room) ? extent.height() / extent.width() * room.width() : extent.width() / extent.height() * room.height();
  if (isWide(room))
    return {room.width(), int(std::clamp(proportion + 2 * padding, least, std::max(least, share * room.height())))};
  return {int(std::clamp(proportion + 2 * padding, least, std::max(least, share * room.width()))), room.height()};
}

/// A long thin graph is drawn wider than it is, else it would be a line.
QTransform Minimap::toMap() const {
  constexpr double mostAcross = 16, mostAlong = 2;
  QRectF room = QRectF(rect()).adjusted(padding, padding, -padding, -padding);
  QRectF bounds = scene_->bounds();
  double x = room.width() / std::max(1.0, bounds.width()), y = room.height() / std::max(1.0, bounds.height());
  const bool wide = width() > height();
  x = std::min(x, y * (wide ? mostAlong : mostAcross));
  y = std::min(y, x * (wide ? mostAcross : mostAlong));
  QTransform map;
  map.translate(room.center().x(), room.center().y());
  map.scale(x, y);
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
  painter.fillRect(rect(), mix(theme.surfaceRaised, theme.canvas, 0.5));
  painter.fillRect(width() > height() ? QRect(0, 0, width(), 1) : QRect(0, 0, 1, height()), theme.border);
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
  // Mixed once: the first letter of a search makes room for its bar, and the map anew.
  std::array<QRgb, Theme::hueCount + 1> colors;
  for (int hue = 0; hue <= Theme::hueCount; ++hue)
    colors[hue] = mix(hue > 0 ? theme.dispatch(hue - 1) : theme.edgeStrong, theme.surfaceRaised, 0.75).rgb();
  map *= QTransform::fromScale(ratio, ratio);
  for (const NodeData &node : scene_->data().nodes) {
    const int hue = node.dispatch < 0 ? 0 : 1 + scene_->data().hueOf(node.dispatch) % Theme::hueCount;
    const QPointF from = map.map(node.rect.topLeft()), to = map.map(node.rect.bottomRight());
    raster.fill(from.x(), from.y(), to.x(), to.y(), colors[hue]);
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
  QRectF view = toMap().mapRect(area_);
  constexpr double least = 8; // of a huge graph a screen would be a hairline
  if (view.width() < least || view.height() < least) {
    const QPointF center = view.center();
    view.setSize(view.size().expandedTo({least, least}));
    view.moveCenter(center);
  }
  view = view.intersected(frame);
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

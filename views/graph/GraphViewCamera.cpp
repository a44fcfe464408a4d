// Flights, panning and zooming of the graph view.
#include "views/graph/GraphPainter.h"
#include "views/graph/GraphView.h"
#include <algorithm>
#include <cmath>

namespace fuselage {

static constexpr int flightMilliseconds = 220, glideMilliseconds = 320;

static double eased(double t) { return t >= 1 ? 1 : 1 - std::pow(1 - std::max(0.0, t), 3); }

/// At least a corner of the graph stays in sight.
static void keepInSight(Camera &camera, const QRectF &bounds, QSizeF viewport) {
  QSizeF half = viewport / camera.scale() / 2 * 0.8;
  QPointF c = camera.center();
  c.setX(std::clamp(c.x(), bounds.left() - half.width(), bounds.right() + half.width()));
  c.setY(std::clamp(c.y(), bounds.top() - half.height(), bounds.bottom() + half.height()));
  camera = Camera(c, camera.scale());
}

/// Everything if that stays readable; else where the program begins, at a size at which names are whole.
Camera GraphView::startCamera() const {
  if (scene_->isEmpty())
    return Camera();
  constexpr double readable = 0.95, margin = 28, legendRow = 28;
  // The legend comes after the graph: that should not decide anew.
  Camera all = Camera::fitting(scene_->bounds(), canvas_ - QSizeF(0, legend_.isEmpty() ? legendRow : 0), margin, 1.1);
  if (all.scale() >= readable)
    return all;
  const QRectF entry = scene_->rectOf(scene_->data().entry);
  const QRectF begin = entry.isNull() ? scene_->bounds() : entry;
  const QSizeF half = canvas_ / 2, room(canvas_.width() - 2 * margin, canvas_.height() - 2 * margin);
  double x = begin.center().x();
  if (begin.width() > room.width()) {
    // Of a wide one the part around its first op.
    const QList<NodeData> &nodes = scene_->data().nodes;
    const auto first =
        std::find_if(nodes.begin(), nodes.end(), [&](const NodeData &node) { return begin.contains(node.rect); });
    x = first == nodes.end() ? begin.left() : first->rect.center().x();
    x = std::clamp(x, begin.left() + half.width() - margin, begin.right() - half.width() + margin);
  }
  const double y = begin.height() > room.height() ? begin.top() + half.height() - margin : begin.center().y();
  return Camera(QPointF(x, y), 1);
}

QRectF GraphView::sight() const { return camera_.visible(canvas_) & scene_->bounds(); }

void GraphView::lookAt(QPointF center, double scale) {
  flying_ = false;
  camera_ = Camera(center, scale);
  keepInSight(camera_, scene_->bounds(), canvas_);
  fitted_ = false;
  cameraMoved();
}

void GraphView::flyTo(const Camera &target) {
  if (scene_->isEmpty())
    return;
  if (!mayMove()) {
    flying_ = false;
    camera_ = target;
    cameraMoved();
    return;
  }
  flightFrom_ = camera_;
  flightTo_ = target;
  flying_ = true;
  flight_.start();
  startTicking();
}

void GraphView::startTicking() {
  if (!ticker_.isActive())
    ticker_.start();
}

void GraphView::tick() {
  if (state_->progress < 1) {
    double t = double(transition_.elapsed()) / glideMilliseconds;
    state_->progress = eased(t);
    if (!flying_)
      camera_ = flightFrom_.scale() == flightTo_.scale()
                    ? Camera(flightFrom_.center() + (flightTo_.center() - flightFrom_.center()) * state_->progress,
                             flightTo_.scale())
                    : Camera::between(flightFrom_, flightTo_, state_->progress);
    if (t >= 1) {
      state_->progress = 1;
      state_->from.clear();
    }
  } else if (flying_) {
    double t = double(flight_.elapsed()) / flightMilliseconds;
    camera_ = t >= 1 ? flightTo_ : Camera::between(flightFrom_, flightTo_, eased(t));
    flying_ = t < 1;
  }
  if (state_->progress >= 1 && !flying_)
    ticker_.stop();
  cameraMoved();
}

void GraphView::cameraMoved() {
  moving_ = true;
  restTimer_.start();
  updateMinimap();
  update();
  emit zoomChanged(camera_.scale());
}

void GraphView::pan(QPointF pixels) {
  if (scene_->isEmpty())
    return;
  flying_ = false;
  state_->progress = 1;
  state_->from.clear();
  camera_ = camera_.panned(pixels);
  keepInSight(camera_, scene_->bounds(), canvas_);
  fitted_ = false;
  cameraMoved();
}

void GraphView::zoomAt(QPointF position, double factor) {
  if (scene_->isEmpty() || !(factor > 0))
    return;
  flying_ = false;
  state_->progress = 1;
  state_->from.clear();
  // No further out than where the graph is a postage stamp.
  double least = std::min(0.35, Camera::fitting(scene_->bounds(), canvas_, 28, 1).scale() * 0.6);
  factor = std::max(factor, std::min(1.0, least / camera_.scale()));
  camera_ = camera_.zoomed(factor, position, canvas_);
  keepInSight(camera_, scene_->bounds(), canvas_);
  fitted_ = false;
  cameraMoved();
  changeLevel(position, camera_.scale(), factor > 1);
}

void GraphView::fit() {
  flyTo(Camera::fitting(scene_->bounds(), canvas_, 28, 1.5));
  fitted_ = false;
}

void GraphView::fitSelection() {
  QRectF area = scene_->rectOf(selectedNodes());
  if (area.isNull())
    return fit();
  flyTo(Camera::fitting(area, canvas_, 60, 1.5));
  fitted_ = false;
}

void GraphView::fitNeighbours() {
  QList<NodeId> ids = selectedNodes();
  if (state_->currentEdge >= 0)
    ids = {scene_->data().edges[state_->currentEdge].from, scene_->data().edges[state_->currentEdge].to};
  for (const NodeId id : QList<NodeId>(ids))
    if (scene_->nodeIndex(id) >= 0) {
      for (const int edge : scene_->edgesInto(id))
        ids.append(scene_->data().edges[edge].from);
      for (const int edge : scene_->edgesOutOf(id))
        ids.append(scene_->data().edges[edge].to);
    }
  const QRectF area = scene_->rectOf(ids);
  if (area.isNull())
    return fit();
  flyTo(Camera::fitting(area, canvas_, 40, 1.2));
  fitted_ = false;
}

/// Around what is selected and in sight, else around the middle.
void GraphView::zoomByKey(double factor) {
  const QPointF selected = rectOf(current_).center();
  const QPointF position = current_ != noNode && canvasRect().contains(selected) ? selected : canvasRect().center();
  const Camera target = (flying_ ? flightTo_ : camera_).zoomed(factor, position, canvas_);
  flyTo(target);
  fitted_ = false;
  changeLevel(position, target.scale(), factor > 1);
}

void GraphView::zoomIn() { zoomByKey(1.25); }
void GraphView::zoomOut() { zoomByKey(0.8); }

void GraphView::zoomTo(double scale) {
  flyTo(Camera(camera_.center(), scale));
  fitted_ = false;
}

void GraphView::fitTo(NodeId id) {
  QRectF target = scene_->rectOf(id);
  if (target.isNull())
    return;
  constexpr double readable = 0.7, beginning = 0.95;
  Camera all = Camera::fitting(target, canvas_, 40, 1);
  fitted_ = false;
  if (all.scale() >= readable)
    return flyTo(all);
  // Its beginning, where all of it would be too small to read.
  double x = target.width() * beginning < canvas_.width() ? target.center().x()
                                                          : target.left() + (canvas_.width() / 2.0 - 40) / beginning;
  double y = target.height() * beginning < canvas_.height() ? target.center().y()
                                                            : target.top() + (canvas_.height() / 2.0 - 40) / beginning;
  flyTo(Camera(QPointF(x, y), beginning));
}

void GraphView::reveal(NodeId id, bool always) {
  QRectF target = scene_->rectOf(id);
  if (target.isNull())
    return;
  QRectF view = camera_.toView(target, canvas_);
  QRectF sight = canvasRect().adjusted(24, 24, -24, -24);
  bool readable = camera_.scale() >= 0.3;
  if (!always && readable && (sight.contains(view) || (view.width() > sight.width() && view.intersects(sight))))
    return;
  fitted_ = false;
  double scale = std::max(camera_.scale(), 0.9);
  if (target.width() * scale > sight.width() || target.height() * scale > sight.height())
    scale = std::min(scale, Camera::fitting(target, canvas_, 28, 1).scale());
  flyTo(Camera(target.center(), scale));
}

} // namespace fuselage

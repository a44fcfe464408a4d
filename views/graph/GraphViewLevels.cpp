// Semantic zoom: zooming into a closed box opens it under the pointer, zooming out closes what was opened so.
#include "views/graph/GraphPainter.h"
#include "views/graph/GraphView.h"
#include "views/graph/PreparedScene.h"
#include <QLineF>
#include <algorithm>

namespace fuselage {

/// Boxes open at a scale at which they hide more than they say, with their content between the next two; at the last
/// but one they close again, and what is around them gets the last one.
static constexpr double opensAt = 1.35, leastInside = 0.45, mostInside = 0.85, closesAt = 0.32, outside = 0.9;
/// An engine that does not answer for so long will not.
static constexpr qint64 patienceMs = 4000;

void GraphView::changeLevel(QPointF position, double scale, bool isIn) {
  if (levelChange_.id != noNode && levelChange_.since.elapsed() < patienceMs)
    return;
  if (!isIn) {
    if (scale <= closesAt && !openedByZoom_.isEmpty())
      closeByZoom(position);
    return;
  }
  const NodeId id = nodeAt(position);
  const int node = scene_->nodeIndex(id);
  if (scale >= opensAt && node >= 0 && scene_->data().nodes[node].collapsed)
    openByZoom(id, position);
}

void GraphView::openByZoom(NodeId id, QPointF position) {
  openedByZoom_.insert(id);
  levelChange_.id = id;
  levelChange_.position = position;
  levelChange_.since.start();
  emit clusterToggled(id, false);
}

/// All of them: who zooms out wants to see the whole. The pointer stays on the box that is nearest to it.
void GraphView::closeByZoom(QPointF position) {
  const QPointF point = camera_.toScene(position, canvas_);
  NodeId nearest = noNode;
  double least = std::numeric_limits<double>::max();
  QList<NodeId> closing;
  for (const ClusterData &cluster : scene_->data().clusters) { // outer before inner
    if (!openedByZoom_.contains(cluster.id))
      continue;
    closing.prepend(cluster.id);
    const QPointF inside(std::clamp(point.x(), cluster.rect.left(), cluster.rect.right()),
                         std::clamp(point.y(), cluster.rect.top(), cluster.rect.bottom()));
    const double distance = QLineF(inside, point).length();
    if (distance < least) {
      least = distance;
      nearest = cluster.id;
    }
  }
  openedByZoom_.clear();
  levelChange_.id = nearest;
  levelChange_.position = position;
  levelChange_.since.start();
  for (const NodeId id : closing)
    emit clusterToggled(id, true);
}

bool GraphView::isChangingLevel(const PreparedScene &old) const {
  const NodeId id = levelChange_.id;
  const bool opened = old.nodeIndex(id) >= 0 && scene_->clusterIndex(id) >= 0;
  const bool closed = old.clusterIndex(id) >= 0 && scene_->nodeIndex(id) >= 0;
  return id != noNode && (opened || closed);
}

/// What was under the pointer stays under it: of a box that opens its head, of one that closes its node.
Camera GraphView::levelCamera(const PreparedScene &old) const {
  const QRectF was = old.rectOf(levelChange_.id), is = scene_->rectOf(levelChange_.id);
  const QPointF point = camera_.toScene(levelChange_.position, canvas_);
  double scale = std::max(camera_.scale(), outside);
  QPointF target = is.center();
  if (scene_->clusterIndex(levelChange_.id) >= 0) {
    const double all = Camera::fitting(is, canvas_, 24, mostInside).scale();
    scale = std::min(camera_.scale(), std::max(all, leastInside));
    target = QPointF(is.center().x() + std::clamp(point.x() - was.center().x(), -is.width() / 2, is.width() / 2),
                     is.top() + std::clamp(point.y() - was.top(), 0.0, is.height()));
  }
  const QPointF fromMiddle = levelChange_.position - canvasRect().center();
  return Camera(target - fromMiddle / scale, scale);
}

/// Of a box its chevron, in the corner; of what stands for one that is closed, the one at its end.
QPointF GraphView::chevronOf(const PreparedScene &scene, NodeId id) const {
  if (const int node = scene.nodeIndex(id); node >= 0)
    return scene.data().nodes[node].collapsed ? GraphPainter::chevronRect(scene.data().nodes[node]).center()
                                              : QPointF();
  const int cluster = scene.clusterIndex(id);
  return cluster < 0 ? QPointF() : GraphPainter::chevronRect(scene.data().clusters[cluster]).center();
}

/// The chevron that was clicked is where it was: another click there undoes the first.
Camera GraphView::toggleCamera(const PreparedScene &old) const {
  if (toggle_.since.elapsed() >= patienceMs)
    return Camera(camera_.center() + scene_->rectOf(toggle_.id).center() - old.rectOf(toggle_.id).center(),
                  camera_.scale());
  return Camera(chevronOf(*scene_, toggle_.id) - (toggle_.position - canvasRect().center()) / camera_.scale(),
                camera_.scale());
}

/// The boxes of another snapshot have other ids; those that nobody knows again stay open as if by hand.
void GraphView::followLevels(const QHash<NodeId, NodeId> &ancestors) {
  QSet<NodeId> open;
  for (const ClusterData &cluster : scene_->data().clusters)
    if (openedByZoom_.contains(ancestors.value(cluster.id, noNode)))
      open.insert(cluster.id);
  openedByZoom_ = open;
}

} // namespace fuselage

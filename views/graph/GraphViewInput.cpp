// Mouse, touch and keys of the graph view.
#include "views/graph/GraphPainter.h"
#include "views/graph/GraphView.h"
#include <QApplication>
#include <QGestureEvent>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QToolTip>
#include <algorithm>
#include <cmath>

namespace fuselage {

bool GraphView::event(QEvent *event) {
  switch (event->type()) {
  case QEvent::ToolTip: {
    auto *help = static_cast<QHelpEvent *>(event);
    QString text = toolTipAt(help->pos());
    if (text.isEmpty())
      QToolTip::hideText();
    else
      QToolTip::showText(help->globalPos(), text, this);
    return true;
  }
  case QEvent::Gesture:
    return gestureEvent(event);
  case QEvent::NativeGesture: {
    auto *gesture = static_cast<QNativeGestureEvent *>(event);
    if (gesture->gestureType() != Qt::ZoomNativeGesture)
      break;
    zoomAt(gesture->position(), 1 + gesture->value());
    return true;
  }
  case QEvent::ShortcutOverride: {
    // Plain keys that mean something here win over the window's shortcuts while the graph has focus.
    auto *key = static_cast<QKeyEvent *>(event);
    static const QList<int> ours = {Qt::Key_Up,  Qt::Key_Down,  Qt::Key_Left,   Qt::Key_Right, Qt::Key_Home,
                                    Qt::Key_End, Qt::Key_Space, Qt::Key_Return, Qt::Key_Plus,  Qt::Key_Minus};
    if (!(key->modifiers() & ~(Qt::ShiftModifier | Qt::KeypadModifier)) && ours.contains(key->key()) &&
        !scene_->isEmpty())
      event->accept();
    break;
  }
  default:
    break;
  }
  return QWidget::event(event);
}

bool GraphView::gestureEvent(QEvent *event) {
  auto *gestures = static_cast<QGestureEvent *>(event);
  auto *pinch = static_cast<QPinchGesture *>(gestures->gesture(Qt::PinchGesture));
  if (!pinch)
    return false;
  if (pinch->changeFlags() & QPinchGesture::ScaleFactorChanged)
    zoomAt(mapFromGlobal(pinch->centerPoint().toPoint()), pinch->scaleFactor());
  if (pinch->changeFlags() & QPinchGesture::CenterPointChanged)
    pan(pinch->centerPoint() - pinch->lastCenterPoint());
  gestures->accept(pinch);
  return true;
}

void GraphView::mousePressEvent(QMouseEvent *event) {
  if ((event->button() != Qt::LeftButton && event->button() != Qt::MiddleButton) ||
      !canvasRect().contains(event->position()))
    return;
  pressed_ = lastMouse_ = event->position();
  moved_ = false;
  bool area = event->button() == Qt::LeftButton && event->modifiers() & Qt::ShiftModifier;
  drag_ = area ? Drag::Area : Drag::Pan;
  pressedInside_ = event->button() == Qt::LeftButton;
}

void GraphView::mouseMoveEvent(QMouseEvent *event) {
  QPointF position = event->position();
  if (drag_ == Drag::None) {
    setHovered(position);
    return;
  }
  if (!moved_ && (position - pressed_).manhattanLength() < QApplication::startDragDistance())
    return;
  if (!moved_ && drag_ == Drag::Pan)
    setCursor(Qt::ClosedHandCursor);
  moved_ = true;
  if (drag_ == Drag::Pan)
    pan(position - lastMouse_);
  else
    update();
  lastMouse_ = position;
}

void GraphView::mouseReleaseEvent(QMouseEvent *event) {
  Drag drag = std::exchange(drag_, Drag::None);
  unsetCursor();
  if (drag == Drag::None)
    return;
  if (drag == Drag::Area && moved_) {
    QRectF area(camera_.toScene(pressed_, canvas_), camera_.toScene(event->position(), canvas_));
    area = area.normalized();
    QList<NodeId> ids;
    scene_->nodeGrid().query(area, [&](int node) {
      if (area.intersects(scene_->data().nodes[node].rect))
        ids.append(scene_->data().nodes[node].id);
    });
    std::sort(ids.begin(), ids.end());
    selectByUser(ids, ids.isEmpty() ? noNode : ids.first());
    update();
    return;
  }
  if (moved_ || !pressedInside_)
    return;
  QPointF point = camera_.toScene(event->position(), canvas_);
  NodeId node = nodeAt(event->position());
  if (int index = scene_->nodeIndex(node); index >= 0 && camera_.scale() >= GraphPainter::detailScale &&
                                           GraphPainter::chevronRect(scene_->data().nodes[index]).contains(point))
    return toggleCluster(node);
  if (int cluster = scene_->clusterAt(point); node == noNode && cluster >= 0) {
    const ClusterData &data = scene_->data().clusters[cluster];
    bool chevron = camera_.scale() >= GraphPainter::detailScale && GraphPainter::chevronRect(data).contains(point);
    // The title selects a cluster; its inside is canvas.
    bool title = QRectF(data.rect.topLeft(), QSizeF(data.rect.width(), 20)).contains(point);
    if (chevron)
      return toggleCluster(data.id);
    node = title || camera_.scale() < GraphPainter::boxScale ? data.id : noNode;
  }
  if (int edge = node == noNode ? edgeAt(event->position()) : -1; edge >= 0)
    return selectEdgeByUser(edge);
  select(node, event->modifiers() & Qt::ControlModifier);
}

void GraphView::mouseDoubleClickEvent(QMouseEvent *event) {
  if (event->button() != Qt::LeftButton)
    return;
  drag_ = Drag::None;
  NodeId node = nodeAt(event->position());
  if (int index = scene_->nodeIndex(node); index >= 0 && !scene_->data().nodes[index].collapsed) {
    emit nodeActivated(node);
    return;
  }
  NodeId id = node != noNode ? node : clusterAt(event->position());
  if (id == noNode)
    return;
  fitsOpened_ = node;
  toggleCluster(id);
}

void GraphView::toggleCluster(NodeId id) {
  const int node = scene_->nodeIndex(id);
  if (node >= 0 ? !scene_->data().nodes[node].collapsed : scene_->clusterIndex(id) < 0)
    return;
  toggle_.id = id;
  toggle_.position = camera_.toView(chevronOf(*scene_, id), canvas_);
  toggle_.since.start();
  emit clusterToggled(id, node < 0);
}

void GraphView::wheelEvent(QWheelEvent *event) {
  QPoint pixels = event->pixelDelta(), angle = event->angleDelta();
  if (event->modifiers() & Qt::ControlModifier) {
    double steps = pixels.isNull() ? angle.y() / 120.0 : pixels.y() / 60.0;
    zoomAt(event->position(), std::pow(1.2, std::clamp(steps, -8.0, 8.0)));
  } else {
    QPointF delta = pixels.isNull() ? QPointF(angle) * 0.6 : QPointF(pixels);
    if (event->modifiers() & Qt::ShiftModifier && delta.x() == 0)
      delta = QPointF(delta.y(), 0);
    pan(delta);
  }
  event->accept();
}

void GraphView::leaveEvent(QEvent *) { setHovered(QPointF(-1e9, -1e9)); }

void GraphView::setHovered(QPointF position) {
  bool inside = canvasRect().contains(position);
  QPointF point = camera_.toScene(position, canvas_);
  NodeId node = inside ? nodeAt(position) : noNode;
  int edge = inside && node == noNode ? edgeAt(position) : -1;
  int cluster = inside && node == noNode && edge < 0 ? scene_->clusterAt(point) : -1;
  if (cluster >= 0 && !QRectF(scene_->data().clusters[cluster].rect.topLeft(),
                              QSizeF(scene_->data().clusters[cluster].rect.width(), 20))
                           .contains(point))
    cluster = -1;
  if (drag_ == Drag::None)
    setCursor(node != noNode || cluster >= 0 || edge >= 0 ? Qt::PointingHandCursor : Qt::ArrowCursor);
  if (node == state_->hovered && edge == state_->hoveredEdge && cluster == state_->hoveredCluster)
    return;
  bool changed = node != state_->hovered;
  state_->hovered = node;
  state_->hoveredEdge = edge;
  state_->hoveredCluster = cluster;
  update();
  if (changed)
    emit nodeHovered(node);
}

QString GraphView::toolTipAt(QPointF position) const {
  QPointF point = camera_.toScene(position, canvas_);
  const SceneData &data = scene_->data();
  auto rich = [](const QString &title, const QStringList &lines) {
    QString text = QStringLiteral("<b>%1</b>").arg(title.toHtmlEscaped());
    for (const QString &line : lines)
      if (!line.isEmpty())
        text += QStringLiteral("<br>") + line;
    return text;
  };
  if (int node = scene_->nodeAt(point); node >= 0) {
    const NodeData &n = data.nodes[node];
    QStringList lines{n.subtitle.toHtmlEscaped()};
    if (n.collapsed)
      lines << tr("%1 inside; double-click to expand").arg(counted(n.hidden, tr("op"), tr("ops")));
    for (const QString &port : n.ports)
      lines << tr("reads %1").arg(port.toHtmlEscaped());
    if (n.portCount > n.ports.size())
      lines << tr("reads %1 more").arg(n.portCount - n.ports.size());
    if (auto change = state_->changes.constFind(n.id); change != state_->changes.cend() && *change != Change::Same)
      lines << (*change == Change::Added     ? tr("added by this step")
                : *change == Change::Removed ? tr("removed by this step")
                                             : tr("changed by this step"));
    auto own = state_->heat.nodes.constFind(n.id);
    double value = own != state_->heat.nodes.cend() ? *own : state_->heat.dispatches.value(n.dispatch, -1);
    if (value >= 0)
      lines << QStringLiteral("%1: %2").arg(state_->heat.title, heatText(state_->heat, value)).toHtmlEscaped();
    if (toolTips_)
      lines << toolTips_(n.id);
    return rich(n.title, lines);
  }
  if (int edge = edgeAt(position); edge >= 0)
    return edgeToolTip(edge);
  if (state_->hoveredCluster >= 0 && state_->hoveredCluster < data.clusters.size())
    return rich(data.clusters[state_->hoveredCluster].label, {tr("double-click to collapse")});
  return {};
}

void GraphView::contextMenuEvent(QContextMenuEvent *event) {
  bool keyboard = event->reason() == QContextMenuEvent::Keyboard;
  if (keyboard) {
    if (state_->currentEdge >= 0) {
      emit edgeMenuRequested(state_->currentEdge, mapToGlobal(placeOf(state_->currentEdge).toPoint()));
      return event->accept();
    }
    QPoint at = current_ != noNode ? rectOf(current_).center().toPoint() : canvasRect().center().toPoint();
    emit contextMenuRequested(current_, mapToGlobal(at));
  } else {
    if (int edge = nodeAt(event->pos()) == noNode ? edgeAt(event->pos()) : -1; edge >= 0) {
      selectEdgeByUser(edge);
      emit edgeMenuRequested(edge, event->globalPos());
      return event->accept();
    }
    NodeId id = itemAt(event->pos());
    if (id != noNode && !state_->selected.contains(id))
      select(id, false);
    emit contextMenuRequested(id, event->globalPos());
  }
  event->accept();
}

void GraphView::focusInEvent(QFocusEvent *event) {
  state_->focused = true;
  QWidget::focusInEvent(event);
  update();
}

void GraphView::focusOutEvent(QFocusEvent *event) {
  state_->focused = false;
  QWidget::focusOutEvent(event);
  update();
}

/// Up and Down follow edges to the neighbour that is straightest above or below; Left and Right go
/// to the closest node beside.
NodeId GraphView::neighbour(int key) const {
  QPointF from = scene_->rectOf(current_).center();
  NodeId best = noNode;
  double bestCost = std::numeric_limits<double>::max();
  auto offer = [&](NodeId id, double cost) {
    if (id != current_ && (cost < bestCost || (cost == bestCost && id < best)))
      bestCost = cost, best = id;
  };
  const SceneData &data = scene_->data();
  if (key == Qt::Key_Up || key == Qt::Key_Down) {
    bool up = key == Qt::Key_Up;
    for (int edge : up ? scene_->edgesInto(current_) : scene_->edgesOutOf(current_)) {
      NodeId id = up ? data.edges[edge].from : data.edges[edge].to;
      QPointF off = scene_->rectOf(id).center() - from;
      offer(id, std::abs(off.x()) + 0.25 * std::abs(off.y()));
    }
    if (best != noNode)
      return best;
  }
  for (const NodeData &node : data.nodes) {
    QPointF off = node.rect.center() - from;
    double ahead = key == Qt::Key_Left    ? -off.x()
                   : key == Qt::Key_Right ? off.x()
                   : key == Qt::Key_Up    ? -off.y()
                                          : off.y();
    double aside = key == Qt::Key_Left || key == Qt::Key_Right ? std::abs(off.y()) : std::abs(off.x());
    if (ahead > 1 && aside < ahead * 3 + 4)
      offer(node.id, ahead + 2.5 * aside);
  }
  return best;
}

void GraphView::walk(int key) {
  const SceneData &data = scene_->data();
  if (data.nodes.isEmpty())
    return;
  NodeId next = noNode;
  if (key == Qt::Key_Home)
    next = data.nodes.first().id;
  else if (key == Qt::Key_End)
    next = data.nodes.last().id;
  else
    next = neighbour(key);
  if (next == noNode)
    return;
  selectByUser({next}, next);
  reveal(next, false);
}

/// Where no box is selected: from an edge to its ends, else to the first box in sight.
bool GraphView::beginWalk(int key) {
  if (current_ != noNode)
    return false;
  NodeId begin = noNode;
  if (const int edge = state_->currentEdge; edge >= 0) {
    const EdgeData &data = scene_->data().edges[edge];
    begin = key == Qt::Key_Up || key == Qt::Key_Left ? data.from : data.to;
  } else {
    QPointF best;
    scene_->nodeGrid().query(camera_.visible(canvas_), [&](int index) {
      const NodeData &node = scene_->data().nodes[index];
      const QPointF at(node.rect.top(), node.rect.left());
      if (begin == noNode || std::pair(at.x(), at.y()) < std::pair(best.x(), best.y())) {
        begin = node.id;
        best = at;
      }
    });
  }
  if (begin == noNode)
    return false;
  state_->progress = 1; // nothing glides on under the keys
  state_->from.clear();
  selectByUser({begin}, begin);
  reveal(begin, false);
  return true;
}

bool GraphView::keyCommand(QKeyEvent *event) {
  bool shift = event->modifiers() & Qt::ShiftModifier;
  auto toggleTrace = [&](Trace trace) { setTrace(trace_ == trace ? Trace::None : trace); };
  switch (event->key()) {
  case Qt::Key_Left:
  case Qt::Key_Right:
  case Qt::Key_Up:
  case Qt::Key_Down:
    if (!shift && beginWalk(event->key()))
      return true;
    if (current_ == noNode || shift) {
      double step = 80;
      pan({event->key() == Qt::Key_Left    ? step
           : event->key() == Qt::Key_Right ? -step
                                           : 0,
           event->key() == Qt::Key_Up     ? step
           : event->key() == Qt::Key_Down ? -step
                                          : 0});
    } else {
      walk(event->key());
    }
    return true;
  case Qt::Key_Home:
  case Qt::Key_End:
    walk(event->key());
    return true;
  case Qt::Key_PageUp:
    pan({0, canvas_.height() * 0.8});
    return true;
  case Qt::Key_PageDown:
    pan({0, -canvas_.height() * 0.8});
    return true;
  case Qt::Key_Plus:
  case Qt::Key_Equal:
    zoomIn();
    return true;
  case Qt::Key_Minus:
    zoomOut();
    return true;
  case Qt::Key_0:
    zoomTo(1);
    return true;
  case Qt::Key_F:
    shift ? fitSelection() : fit();
    return true;
  case Qt::Key_B:
    fitNeighbours();
    return true;
  case Qt::Key_T:
    toggleTrace(Trace::Both);
    return true;
  case Qt::Key_I:
    toggleTrace(Trace::Inputs);
    return true;
  case Qt::Key_O:
    toggleTrace(Trace::Outputs);
    return true;
  case Qt::Key_M:
    setMinimapVisible(!minimapWanted_);
    return true;
  case Qt::Key_Space:
    if (current_ != noNode)
      toggleCluster(current_);
    return true;
  case Qt::Key_Return:
  case Qt::Key_Enter:
    if (int node = scene_->nodeIndex(current_); node >= 0 && !scene_->data().nodes[node].collapsed)
      emit nodeActivated(current_);
    else if (current_ != noNode)
      toggleCluster(current_);
    return true;
  case Qt::Key_Escape:
    if (state_->currentEdge >= 0) {
      selectEdgeByUser(-1);
      return true;
    }
    if (trace_ == Trace::None && state_->selected.isEmpty())
      return false;
    if (trace_ != Trace::None)
      setTrace(Trace::None);
    else
      selectByUser({}, noNode);
    return true;
  default:
    return false;
  }
}

void GraphView::keyPressEvent(QKeyEvent *event) {
  bool command = event->modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier);
  if (command || scene_->isEmpty() || !keyCommand(event))
    QWidget::keyPressEvent(event);
}

} // namespace fuselage

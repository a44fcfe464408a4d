#include "views/graph/GraphView.h"
#include "views/graph/GraphPainter.h"
#include "views/graph/Minimap.h"
#include <QAccessible>
#include <QEvent>
#include <QPainter>
#include <QStyle>
#include <QThreadPool>
#include <algorithm>
#include <cmath>

namespace fuselage {

static constexpr int restDelay = 140;
/// More nodes than this appear at their new place at once.
static constexpr int glideLimit = 3000;

GraphView::GraphView(QWidget *parent)
    : QWidget(parent), scene_(std::make_shared<const PreparedScene>()),
      painter_(std::make_unique<GraphPainter>(*scene_)), state_(std::make_unique<GraphPaintState>()),
      minimap_(new Minimap(this)) {
  setFocusPolicy(Qt::StrongFocus);
  setMouseTracking(true);
  setAttribute(Qt::WA_OpaquePaintEvent);
  grabGesture(Qt::PinchGesture);
  setAccessibleName(tr("Dispatch graph"));
  setEmptyText(tr("No graph yet"), tr("Open an MLIR file, or drop one here."));
  painter_->setTheme(Theme::of(palette()));
  minimap_->hide();
  canvas_ = size();
  connect(minimap_, &Minimap::centerRequested, this, [this](const QPointF &point) { lookAt(point, camera_.scale()); });
  ticker_.setInterval(16);
  ticker_.setTimerType(Qt::PreciseTimer);
  connect(&ticker_, &QTimer::timeout, this, &GraphView::tick);
  restTimer_.setSingleShot(true);
  restTimer_.setInterval(restDelay);
  flashTimer_.setSingleShot(true);
  flashTimer_.setInterval(1000);
  connect(&flashTimer_, &QTimer::timeout, this, [this] {
    state_->flashing = false;
    update();
  });
  connect(&restTimer_, &QTimer::timeout, this, [this] {
    moving_ = false;
    update();
  });
}

GraphView::~GraphView() = default;

const SceneData &GraphView::scene() const { return scene_->data(); }
bool GraphView::contains(NodeId id) const { return scene_->contains(id); }

void GraphView::setScene(const SceneData &data, const QHash<NodeId, NodeId> &origins) {
  setScene(std::make_shared<const PreparedScene>(data), origins);
}

void GraphView::setScene(std::shared_ptr<const PreparedScene> scene, const QHash<NodeId, NodeId> &origins) {
  auto old = std::exchange(scene_, std::move(scene));
  const SceneData &data = scene_->data();
  painter_ = std::make_unique<GraphPainter>(*scene_);
  painter_->setTheme(Theme::of(palette()));
  minimap_->setScene(scene_.get());

  bool sameOps = data.snapshot >= 0 && data.snapshot == old->data().snapshot;
  QHash<NodeId, NodeId> ancestors;
  auto relate = [&](NodeId id) {
    NodeId before = sameOps ? id : origins.value(id, noNode);
    if (before != noNode && old->contains(before))
      ancestors.insert(id, before);
  };
  if (!old->isEmpty() && (sameOps || !origins.isEmpty())) {
    ancestors.reserve(
        std::min(data.nodes.size() + data.clusters.size(), old->data().nodes.size() + old->data().clusters.size()));
    for (const NodeData &node : data.nodes)
      relate(node.id);
    for (const ClusterData &cluster : data.clusters)
      relate(cluster.id);
  }

  QSet<NodeId> selected;
  NodeId current = noNode;
  for (auto it = ancestors.cbegin(); it != ancestors.cend(); ++it) {
    if (state_->selected.contains(it.value()))
      selected.insert(it.key());
    if (it.value() == current_ && (current == noNode || it.key() < current))
      current = it.key();
  }
  followLevels(ancestors);
  bool wasSelected = current_ != noNode;
  Trace trace = trace_;
  const GraphPaintState before = std::exchange(*state_, GraphPaintState());
  if (sameOps)
    state_->noted = before.noted;
  state_->focused = hasFocus();
  state_->selected = selected;
  current_ = state_->current = current;
  matches_.clear();
  nodeMarks_.clear();
  remarkMarks_.clear();
  meshMarks_.clear();
  currentMatch_ = -1;
  trace_ = selected.isEmpty() ? Trace::None : trace;
  updateTrace();
  if (trace_ != trace)
    emit traceChanged(trace_);
  if (wasSelected && current_ == noNode)
    announce();

  arrange();
  if (old->isEmpty() || scene_->isEmpty()) {
    camera_ = startCamera();
    fitted_ = true;
  } else {
    beginGlide(*old, before, ancestors);
  }
  levelChange_.id = toggle_.id = noNode;
  if (const NodeId opened = std::exchange(fitsOpened_, noNode); scene_->clusterIndex(opened) >= 0)
    fitTo(opened);
  std::fill(std::begin(restMilliseconds_), std::end(restMilliseconds_), -1.0);
  cameraMoved();
  // Giving back a large scene takes longer than a frame.
  if (old->data().nodes.size() > glideLimit)
    QThreadPool::globalInstance()->start([old = std::move(old)]() mutable { old.reset(); });
}

bool GraphView::isGliding() const { return state_->progress < 1; }

/// Desktops that ask for less motion set the duration of animations to 0.
bool GraphView::mayMove() const {
  return animated_ && isVisible() && style()->styleHint(QStyle::SH_Widget_Animation_Duration, nullptr, this) > 0;
}

/// Where something stood on the screen when the scene changed, be it on its way.
static QRectF placeBefore(const PreparedScene &old, const GraphPaintState &before, NodeId id) {
  QRectF rect = old.rectOf(id);
  auto from = before.from.constFind(id);
  return before.progress >= 1 || from == before.from.cend() ? rect : between(*from, rect, before.progress);
}

/// Keeps what the user looks at where it is, and lets everything else move there from its old place.
void GraphView::beginGlide(const PreparedScene &old, const GraphPaintState &before,
                           const QHash<NodeId, NodeId> &ancestors) {
  flying_ = false;
  NodeId anchor = noNode;
  const QRectF seen = camera_.visible(canvas_);
  if (current_ != noNode && ancestors.contains(current_)) {
    anchor = current_;
  } else {
    double best = std::numeric_limits<double>::max();
    for (const NodeData &node : scene_->data().nodes) {
      auto was = ancestors.constFind(node.id);
      if (was == ancestors.cend())
        continue;
      QPointF center = old.rectOf(*was).center();
      QPointF off = center - camera_.center();
      double distance = QPointF::dotProduct(off, off);
      if (seen.contains(center) && distance < best)
        best = distance, anchor = node.id;
    }
  }
  flightFrom_ = camera_;
  if (isChangingLevel(old)) {
    flightTo_ = levelCamera(old);
  } else if (!chevronOf(*scene_, toggle_.id).isNull() && old.contains(toggle_.id)) {
    flightTo_ = toggleCamera(old);
    fitted_ = false;
  } else if (anchor == noNode || fitted_) {
    flightTo_ = startCamera();
    fitted_ = true;
  } else {
    QPointF shift = scene_->rectOf(anchor).center() - old.rectOf(ancestors.value(anchor)).center();
    flightTo_ = Camera(camera_.center() + shift, camera_.scale());
  }
  if (!mayMove() || ancestors.isEmpty() || !findOrigins(old, before, ancestors, seen)) {
    state_->from.clear();
    camera_ = flightTo_;
    return;
  }
  state_->progress = 0;
  transition_.start();
  startTicking();
}

/// Notes where what is in sight, now or then, comes from: its old place, or the box that it was
/// hidden in. False if that is too much to move smoothly.
bool GraphView::findOrigins(const PreparedScene &old, const GraphPaintState &before,
                            const QHash<NodeId, NodeId> &ancestors, const QRectF &seen) {
  const QRectF willSee = flightTo_.visible(canvas_);
  for (auto it = ancestors.cbegin(); it != ancestors.cend(); ++it) {
    const QRectF was = placeBefore(old, before, it.value());
    if (!was.intersects(seen) && !scene_->rectOf(it.key()).intersects(willSee))
      continue;
    if (state_->from.size() >= glideLimit)
      return false;
    state_->from.insert(it.key(), was);
  }
  for (const ClusterData &cluster : scene_->data().clusters) {
    const NodeId was = ancestors.value(cluster.id, noNode);
    if (was == noNode || old.nodeIndex(was) < 0 || !cluster.rect.isValid())
      continue;
    // It was one node: its content unfolds from there.
    const QRectF node = placeBefore(old, before, was);
    auto folded = [&](const QRectF &rect) {
      const double x = node.width() / cluster.rect.width(), y = node.height() / cluster.rect.height();
      return QRectF(node.left() + (rect.left() - cluster.rect.left()) * x,
                    node.top() + (rect.top() - cluster.rect.top()) * y, rect.width() * x, rect.height() * y);
    };
    scene_->nodeGrid().query(cluster.rect & willSee, [&](int index) {
      const NodeData &inner = scene_->data().nodes[index];
      if (cluster.rect.contains(inner.rect) && !ancestors.contains(inner.id))
        state_->from.insert(inner.id, folded(inner.rect));
    });
    for (const ClusterData &inner : scene_->data().clusters)
      if (inner.id != cluster.id && cluster.rect.contains(inner.rect) && !ancestors.contains(inner.id))
        state_->from.insert(inner.id, folded(inner.rect));
  }
  return state_->from.size() < glideLimit;
}

void GraphView::clear() { setScene(SceneData()); }

void GraphView::setEmptyText(const QString &title, const QString &hint) {
  emptyTitle_ = title;
  emptyHint_ = hint;
  update();
}

void GraphView::setBusyText(const QString &text) {
  busy_ = text;
  update();
}

bool GraphView::hasPorts(NodeId id) const {
  const int node = scene_->nodeIndex(id);
  return node >= 0 && scene_->data().nodes[node].portCount > 0 && !scene_->data().nodes[node].collapsed;
}

QList<NodeId> GraphView::selectedNodes() const {
  QList<NodeId> ids(state_->selected.begin(), state_->selected.end());
  std::sort(ids.begin(), ids.end());
  return ids;
}

void GraphView::setSelection(const QList<NodeId> &ids, bool revealFirst) {
  QSet<NodeId> selected;
  NodeId first = noNode;
  for (NodeId id : ids) {
    if (!scene_->contains(id))
      continue;
    if (first == noNode)
      first = id;
    selected.insert(id);
  }
  state_->selected = selected;
  state_->currentEdge = -1;
  current_ = state_->current = first;
  updateTrace();
  if (revealFirst && first != noNode)
    reveal(first, false);
  update();
}

void GraphView::selectByUser(const QList<NodeId> &ids, NodeId current) {
  QList<NodeId> before = selectedNodes();
  NodeId currentBefore = current_;
  const bool hadEdge = std::exchange(state_->currentEdge, -1) >= 0;
  state_->selected = QSet<NodeId>(ids.begin(), ids.end());
  current_ = state_->current = current;
  updateTrace();
  update();
  if (hadEdge)
    emit edgeSelected(-1);
  if (before != selectedNodes() || currentBefore != current_)
    announce();
}

void GraphView::select(NodeId id, bool toggle) {
  if (id == noNode && toggle)
    return;
  if (!toggle) {
    selectByUser(id == noNode ? QList<NodeId>() : QList<NodeId>{id}, id);
    return;
  }
  QSet<NodeId> ids = state_->selected;
  bool removed = ids.remove(id);
  if (!removed)
    ids.insert(id);
  QList<NodeId> list(ids.begin(), ids.end());
  std::sort(list.begin(), list.end());
  selectByUser(list, !removed ? id : list.isEmpty() ? noNode : list.first());
}

/// Tells the program and assistive technology what is selected.
void GraphView::announce() {
  QString text;
  if (int node = scene_->nodeIndex(current_); node >= 0) {
    const NodeData &data = scene_->data().nodes[node];
    text = tr("%1, %2, %3 inputs, %4 outputs")
               .arg(data.title, data.subtitle)
               .arg(scene_->edgesInto(current_).size())
               .arg(scene_->edgesOutOf(current_).size());
  } else if (int cluster = scene_->clusterIndex(current_); cluster >= 0) {
    text = tr("cluster %1").arg(scene_->data().clusters[cluster].label);
  }
  setAccessibleDescription(text);
  QAccessibleEvent changed(this, QAccessible::DescriptionChanged);
  QAccessible::updateAccessibility(&changed);
  emit selectionChanged(current_, selectedNodes());
}

void GraphView::setTrace(Trace trace) {
  if (state_->selected.isEmpty())
    trace = Trace::None;
  if (trace == trace_)
    return;
  trace_ = trace;
  updateTrace();
  update();
  emit traceChanged(trace_);
}

void GraphView::updateTrace() {
  bool lost = trace_ != Trace::None && state_->selected.isEmpty();
  if (lost)
    trace_ = Trace::None;
  state_->tracing = trace_ != Trace::None;
  state_->traced =
      state_->tracing ? scene_->reach(selectedNodes(), trace_ != Trace::Outputs, trace_ != Trace::Inputs) : NodeFlags();
  if (lost)
    emit traceChanged(trace_);
}

void GraphView::setMatches(const QList<NodeId> &ids) {
  NodeFlags flags(ids.isEmpty() ? 0 : scene_->data().nodes.size());
  QList<NodeId> known;
  for (const NodeId id : ids) {
    const int node = scene_->nodeIndex(id);
    if (node < 0)
      continue;
    flags[node] = true;
    known.append(id);
  }
  showMatches(std::move(flags), known);
}

const QList<NodeId> &GraphView::find(const QRegularExpression &expression) {
  NodeFlags found = scene_->find(expression);
  QList<NodeId> ids;
  for (size_t node = 0; node < found.size(); ++node)
    if (found[node])
      ids.append(scene_->data().nodes[node].id);
  showMatches(std::move(found), ids);
  return matches_;
}

void GraphView::showMatches(NodeFlags flags, const QList<NodeId> &ids) {
  matches_ = ids;
  state_->matches = std::move(flags);
  currentMatch_ = -1;
  state_->currentMatch = noNode;
  update();
  emit currentMatchChanged(-1, matchCount());
}

void GraphView::goToMatch(int index) {
  if (matches_.isEmpty())
    return;
  currentMatch_ = int((index + matches_.size()) % matches_.size());
  state_->currentMatch = matches_[currentMatch_];
  reveal(state_->currentMatch, true);
  update();
  emit currentMatchChanged(currentMatch_, matchCount());
}

void GraphView::nextMatch() { goToMatch(currentMatch_ + 1); }
void GraphView::previousMatch() { goToMatch(currentMatch_ < 0 ? -1 : currentMatch_ - 1); }

void GraphView::setChanges(const QHash<NodeId, Change> &changes) {
  state_->changes = changes;
  // A closed box is marked for what is in it.
  for (auto change = changes.begin(); change != changes.end(); ++change)
    if (const int box = scene_->nodeIndex(scene_->data().hiddenOps.value(change.key(), noNode));
        box >= 0 && *change != Change::Same)
      if (const NodeData &node = scene_->data().nodes[box]; node.collapsed)
        state_->changes.insert(node.id, Change::Changed);
  update();
}

void GraphView::flashChanges() {
  state_->flashing = !state_->changes.isEmpty();
  flashTimer_.start();
  update();
}

bool GraphView::isFlashing() const { return state_->flashing; }

void GraphView::setNodeMarks(const QList<NodeMark> &marks) {
  nodeMarks_ = marks;
  arrange();
  update();
}

void GraphView::setMeshMarks(const QList<NodeMark> &marks) {
  meshMarks_ = marks;
  arrange();
  update();
}

void GraphView::setRemarkMarks(const QList<NodeMark> &marks) {
  remarkMarks_ = marks;
  arrange();
  update();
}

void GraphView::setNoted(const QSet<NodeId> &nodes) {
  if (nodes == state_->noted)
    return;
  state_->noted = nodes;
  arrange();
  update();
}

const QSet<NodeId> &GraphView::noted() const { return state_->noted; }

const HeatData &GraphView::heat() const { return state_->heat; }

void GraphView::setHeat(const HeatData &heat) {
  state_->heat = heat;
  state_->measureHeat(scene_->data());
  QHash<NodeId, QString> numbers;
  if (!heat.isEmpty())
    for (const NodeData &node : scene_->data().nodes)
      if (const double value = heat.nodes.value(node.id, heat.dispatches.value(node.dispatch, -1));
          node.collapsed && value >= 0)
        numbers.insert(node.id, heatText(heat, value));
  painter_->setBoxNumbers(numbers);
  arrange();
  update();
}

void GraphView::setToolTipProvider(std::function<QString(NodeId)> provider) { toolTips_ = std::move(provider); }

bool GraphView::isMinimapVisible() const { return minimapWanted_; }

void GraphView::setMinimapVisible(bool visible) {
  if (visible == minimapWanted_)
    return;
  minimapWanted_ = visible;
  arrange();
  update();
  emit minimapVisibleChanged(visible);
}

NodeId GraphView::nodeAt(QPointF position) const {
  if (!canvasRect().contains(position))
    return noNode;
  int node = scene_->nodeAt(camera_.toScene(position, canvas_));
  return node < 0 ? noNode : scene_->data().nodes[node].id;
}

NodeId GraphView::clusterAt(QPointF position) const {
  if (!canvasRect().contains(position))
    return noNode;
  int cluster = scene_->clusterAt(camera_.toScene(position, canvas_));
  return cluster < 0 ? noNode : scene_->data().clusters[cluster].id;
}

NodeId GraphView::itemAt(QPointF position) const {
  NodeId node = nodeAt(position);
  return node != noNode ? node : clusterAt(position);
}

QRectF GraphView::rectOf(NodeId id) const {
  QRectF rect = scene_->rectOf(id);
  return rect.isNull() ? rect : camera_.toView(rect, canvas_);
}

} // namespace fuselage

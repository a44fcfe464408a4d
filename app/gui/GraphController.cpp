#include "app/gui/GraphController.h"
#include "views/graph/GraphView.h"
#include "views/models/Format.h"
#include <QJsonArray>

using namespace Qt::StringLiterals;

namespace fuselage {

/// Removed ops named under a step; the rest is counted.
static constexpr qsizetype removedNamesShown = 12;

GraphController::GraphController(EngineSession &session, GraphView &view, QObject *parent)
    : QObject(parent), session_(session), view_(view) {
  connect(&view, &GraphView::clusterToggled, this, &GraphController::toggleCluster);
}

void GraphController::reset() {
  snapshot_ = 0;
  collapsed_.clear();
  expanded_.clear();
  names_.clear();
  dropSteps();
}

void GraphController::dropSteps() {
  changes_.clear();
  names_.removeIf([](const auto &item) { return item.key() > 0; });
  report_ = {};
}

void GraphController::show(int snapshot) {
  if (snapshot != snapshot_) {
    collapsed_.clear();
    expanded_.clear();
  }
  // Neighbours glide into each other: what the step did is needed before its scene arrives.
  const int shown = view_.scene().snapshot;
  if (snapshot > 0)
    requestChanges(snapshot - 1);
  if (shown == snapshot + 1)
    requestChanges(snapshot);
  snapshot_ = snapshot;
  request();
}

void GraphController::setOptions(const GraphOptions &options) {
  if (options.dispatches != options_.dispatches) {
    collapsed_.clear();
    expanded_.clear();
  }
  options_ = options;
  if (session_.hasDocument())
    request();
}

void GraphController::toggleCluster(NodeId id, bool collapse) {
  (collapse ? collapsed_ : expanded_).insert(id);
  (collapse ? expanded_ : collapsed_).remove(id);
  request();
}

void GraphController::refresh() {
  if (snapshot_ > 0)
    requestChanges(snapshot_ - 1);
  request();
}

static QJsonArray ids(const QSet<NodeId> &set) {
  QList<NodeId> sorted(set.begin(), set.end());
  std::sort(sorted.begin(), sorted.end());
  QJsonArray array;
  for (const NodeId id : sorted)
    array.append(id);
  return array;
}

QJsonObject GraphController::parameters() const {
  return {{u"snapshot"_s, snapshot_},
          {u"level"_s, options_.dispatches ? u"dispatches"_s : u"ops"_s},
          {u"layout"_s, options_.dot ? u"dot"_s : u"layered"_s},
          {u"foldConstants"_s, options_.foldConstants},
          {u"collapsed"_s, ids(collapsed_)},
          {u"expanded"_s, ids(expanded_)},
          {u"function"_s, QString()}};
}

void GraphController::setLoading(bool loading) {
  if (loading == loading_)
    return;
  loading_ = loading;
  emit loadingChanged(loading);
}

void GraphController::request() {
  setLoading(true);
  session_.client().call<SceneData>(
      u"graph/scene"_s, parameters(), this,
      [this, snapshot = snapshot_](const SceneData &scene) {
        setLoading(false);
        SceneData mine = scene;
        mine.snapshot = snapshot;
        present(std::move(mine));
      },
      [this](const protocol::Error &error) {
        setLoading(false);
        if (error.code != protocol::Error::Cancelled && error.code != protocol::Error::EngineGone)
          emit failed(error);
      },
      u"scene"_s);
}

void GraphController::requestChanges(int step) {
  if (changes_.contains(step))
    return;
  session_.client().call<GraphChanges>(u"step/graphDiff"_s, {{u"step"_s, step}}, this,
                                       [this, step](const GraphChanges &changes) { changes_.insert(step, changes); });
}

QHash<NodeId, NodeId> GraphController::originsFor(int from, int to) const {
  if (to == from + 1)
    return changes_.value(from).origins;
  if (to == from - 1)
    return changes_.value(to).successors;
  return {};
}

void GraphController::present(SceneData scene) {
  QHash<NodeId, QString> &names = names_[scene.snapshot];
  for (const NodeData &node : std::as_const(scene.nodes))
    names.insert(node.id, node.title);
  const int snapshot = scene.snapshot;
  view_.setScene(scene, originsFor(view_.scene().snapshot, snapshot));
  if (snapshot > 0 && changes_.contains(snapshot - 1)) {
    view_.setChanges(changes_[snapshot - 1].changes);
    nameRemoved(snapshot - 1);
    listRemoved(snapshot - 1);
  }
  applyHeat();
  emit shown(snapshot);
}

void GraphController::listRemoved(int step) {
  const QList<NodeId> ids = changes_.value(step).removed;
  QStringList removed;
  for (const NodeId id : ids.first(std::min(removedNamesShown, ids.size())))
    removed.append(nameOf(step, id));
  if (ids.size() > removedNamesShown)
    removed.append(tr("and %1 more").arg(ids.size() - removedNamesShown));
  emit removedOps(step + 1, removed);
}

/// Ops that were never in the view, because it came from elsewhere or had folded them away.
void GraphController::nameRemoved(int step) {
  const QList<NodeId> ids = changes_.value(step).removed;
  for (const NodeId id : ids.first(std::min(removedNamesShown, ids.size()))) {
    if (!names_.value(step).value(id).isEmpty())
      continue;
    session_.client().call<protocol::OpDetails>(
        u"op/details"_s, {{u"snapshot"_s, step}, {u"id"_s, id}}, this, [this, step, id](const protocol::OpDetails &details) {
          if (!changes_.contains(step))
            return;
          const QString result = details.results.isEmpty() ? QString() : u' ' + details.results.first().name;
          names_[step].insert(id, details.op + result);
          if (snapshot_ == step + 1)
            listRemoved(step);
        });
  }
}

QString GraphController::nameOf(int snapshot, NodeId id) const {
  const QString name = names_.value(snapshot).value(id);
  return name.isEmpty() ? tr("op %1").arg(id) : name;
}

void GraphController::setReport(const protocol::RunReport &report) {
  report_ = report;
  applyHeat();
}

void GraphController::setHeatVisible(bool visible) {
  heatVisible_ = visible;
  applyHeat();
}

int GraphController::dispatchOf(const protocol::Kernel &kernel) const {
  const int known = kernel.loc.isEmpty() ? -1 : int(view_.scene().dispatchLocs.indexOf(kernel.loc));
  return known >= 0 ? known : int(kernel.dispatchIndex);
}

void GraphController::applyHeat() {
  HeatData heat{.title = tr("median time"), .unit = u"µs"_s, .nodes = {}, .dispatches = {}};
  if (heatVisible_)
    for (const protocol::Kernel &kernel : report_.kernels)
      if (const int dispatch = dispatchOf(kernel); dispatch >= 0)
        heat.dispatches[dispatch] += kernel.medianUs; // a dispatch may be several kernels
  view_.setHeat(heat);
}

} // namespace fuselage

#include "app/gui/navigation/ChangesController.h"
#include "app/gui/graph/GraphController.h"
#include "app/gui/steps/StepsController.h"
#include "app/gui/text/TextController.h"
#include "core/protocol/methods/OpMethods.h"
#include "views/graph/GraphView.h"
#include <algorithm>
#include <utility>

using namespace Qt::StringLiterals;

namespace fuselage {

ChangesController::ChangesController(Shell &shell, StepsController &steps, GraphController &graph, TextController &text)
    : Controller(shell), graph_(graph), text_(text) {
  next_ = command(tr("Next Change in &Graph"), {}, {QKeySequence(u"N"_s)});
  previous_ = command(tr("Previous Change in G&raph"), {}, {QKeySequence(u"Shift+N"_s)});
  next_->setToolTip(tr("Select the next box that this step changed"));
  previous_->setToolTip(tr("Select the previous box that this step changed"));
  on(next_, [this] { goTo(1); });
  on(previous_, [this] { goTo(-1); });
  shell.menus().add(Place::StepChange, {next_, previous_});
  connect(&steps, &StepsController::walked, this, [this] { wanted_ = Wanted::Change; });
  connect(&session(), &EngineSession::fused, this, [this](const protocol::FuseResult &result) {
    if (result.fused && result.first < result.history.steps.size())
      wanted_ = Wanted::FusedBox;
  });
  connect(&graph.scenes(), &GraphScenes::changesKnown, this, &ChangesController::showFirst);
}

QList<NodeId> ChangesController::places() const {
  const GraphView &view = graph_.view();
  const SceneData &scene = view.scene();
  QSet<NodeId> changed;
  const QHash<NodeId, Change> &marks = graph_.scenes().marked();
  for (auto mark = marks.cbegin(); mark != marks.cend(); ++mark)
    if (*mark != Change::Same)
      changed.insert(scene.hiddenOps.value(mark.key(), mark.key()));
  QList<std::pair<std::pair<double, double>, NodeId>> places;
  for (const NodeData &node : scene.nodes)
    if (changed.contains(node.id))
      places.append({{node.rect.top(), node.rect.left()}, node.id});
  std::sort(places.begin(), places.end());
  QList<NodeId> ids;
  for (const auto &place : places)
    ids.append(place.second);
  return ids;
}

void ChangesController::goTo(int by) {
  const QList<NodeId> all = places();
  if (all.isEmpty()) {
    shell().tell(tr("This step changed no op of the graph"));
    return;
  }
  const qsizetype at = all.indexOf(current_);
  const qsizetype to = at < 0 ? (by > 0 ? 0 : all.size() - 1) : (at + by + all.size()) % all.size();
  current_ = all[to];
  text_.point({current_});
  graph_.view().reveal(current_, false);
  graph_.view().flashChanges();
  shell().tell(tr("Change %1 of %2").arg(to + 1).arg(all.size()));
  hasTold_ = true;
}

void ChangesController::documentReset() { wanted_ = Wanted::Nothing; }

void ChangesController::stepShown(const ShownStep &step) {
  current_ = noNode;
  if (std::exchange(hasTold_, false))
    shell().tell({}); // it was about the step before
  if (!step.step)
    wanted_ = Wanted::Nothing;
}

void ChangesController::graphShown(int) { showFirst(); }

NodeId ChangesController::dispatchAround(NodeId box) const {
  const SceneData &scene = graph_.view().scene();
  const auto node =
      std::find_if(scene.nodes.begin(), scene.nodes.end(), [box](const NodeData &n) { return n.id == box; });
  if (node == scene.nodes.end())
    return box;
  for (const ClusterData &cluster : scene.clusters)
    if (cluster.kind == ClusterData::Kind::Dispatch && cluster.rect.contains(node->rect))
      return cluster.id;
  return box;
}

void ChangesController::showFirst() {
  if (wanted_ == Wanted::Nothing || graph_.scenes().shownSnapshot() != text_.snapshot())
    return;
  const QList<NodeId> all = places();
  if (all.isEmpty())
    return; // what changed may not be known yet
  const bool isFusion = std::exchange(wanted_, Wanted::Nothing) == Wanted::FusedBox;
  current_ = all.first();
  graph_.view().reveal(isFusion ? dispatchAround(current_) : current_, false);
  graph_.view().flashChanges();
  current_ = noNode; // N begins with it
  scrollTextTo(all.first());
}

/// To the op's line, whatever is selected.
void ChangesController::scrollTextTo(NodeId op) {
  session().client().call<method::OpDetails>(
      {.snapshot = text_.snapshot(), .id = op}, this,
      [this, snapshot = text_.snapshot()](const protocol::OpDetails &details) {
        if (snapshot == text_.snapshot() && details.first >= 0)
          text_.showLine(int(details.first));
      },
      [](const protocol::Error &) {}, u"change"_s);
}

} // namespace fuselage

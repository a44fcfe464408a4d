#include "app/gui/schedule/SchedulePlaces.h"
#include "app/gui/graph/GraphController.h"
#include "app/gui/text/TextController.h"
#include "views/graph/GraphView.h"
#include "views/text/TextView.h"
#include "views/widgets/Banner.h"

using namespace Qt::StringLiterals;

namespace fuselage {

SchedulePlaces::SchedulePlaces(Shell &shell, GraphController &graph, TextController &text, HandleModel &handles)
    : shell_(shell), graph_(graph), text_(text), handles_(handles) {
  connect(&graph.view(), &GraphView::nodeHovered, this, &SchedulePlaces::hoverNode);
  connect(&text.view(), &TextView::lineHovered, this, &SchedulePlaces::hoverLine);
  connect(&text, &TextController::selectionMoved, this, [this](qint64 id) {
    if (isShown())
      handles_.setPointedAt(holdersOf(id));
  });
}

void SchedulePlaces::show(const protocol::SchedulePosition &position, const protocol::ScheduleStep *applied, const QString &where) {
  place_ = int(position.snapshot);
  protocol::Step did;
  did.index = -1;
  did.before = int(position.before);
  did.after = place_;
  if (applied)
    did.name = applied->text;
  emit shell_.stepShown({.row = step_.row, .snapshot = place_, .step = position.before >= 0 ? &did : nullptr, .isPlace = true});
  shell_.banner().showMessage(Banner::Kind::Info, tr("Graph, text and diff show the schedule %1.").arg(where));
  shell_.banner().addButton(step_.row > 0 ? tr("Back to Step %1").arg(step_.row - 1) : tr("Back to the Input"), this, [this] { leave(); });
}

void SchedulePlaces::forget() {
  if (!isShown())
    return;
  place_ = -1;
  shell_.banner().hide();
}

void SchedulePlaces::forgetDocument() {
  forget();
  step_ = {};
}

void SchedulePlaces::leave() {
  if (!isShown())
    return;
  forget();
  emit shell_.stepShown(step_);
}

void SchedulePlaces::stepShown(const ShownStep &step) {
  if (step.isPlace)
    return;
  forget();
  step_ = step;
  if (step.step)
    led_ = *step.step;
  step_.step = step.step ? &led_ : nullptr;
}

void SchedulePlaces::select(const protocol::ScheduleHandle &handle) {
  if (!isShown() || graph_.view().scene().snapshot != place_)
    return;
  const SceneData &scene = graph_.view().scene();
  QList<NodeId> nodes;
  for (const qint64 op : handle.ops)
    nodes.append(scene.hiddenOps.value(op, op));
  graph_.view().setSelection(nodes);
}

/// By rows of the table.
QSet<int> SchedulePlaces::holdersOf(NodeId node) const {
  const SceneData &scene = graph_.view().scene();
  QSet<int> rows;
  for (int row = 0; node != noNode && row < handles_.rowCount(); ++row)
    for (const qint64 op : handles_.handleAt(row)->ops)
      if (op == node || scene.hiddenOps.value(op, op) == node)
        rows.insert(row);
  return rows;
}

void SchedulePlaces::hoverNode(NodeId node) {
  if (isShown() && graph_.view().scene().snapshot == place_)
    handles_.setPointedAt(holdersOf(node));
}

void SchedulePlaces::hoverLine(int line) {
  if (isShown() && text_.snapshot() == place_)
    handles_.pointAtLine(line);
}

} // namespace fuselage

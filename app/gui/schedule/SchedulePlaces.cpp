#include "app/gui/schedule/SchedulePlaces.h"
#include "app/gui/graph/GraphController.h"
#include "app/gui/text/TextController.h"
#include "views/graph/GraphView.h"
#include "views/text/TextView.h"

using namespace Qt::StringLiterals;

namespace fuselage {

SchedulePlaces::SchedulePlaces(Shell &shell, GraphController &graph, TextController &text, HandleModel &handles)
    : place_(shell, this), graph_(graph), text_(text), handles_(handles) {
  connect(&graph.view(), &GraphView::nodeHovered, this, &SchedulePlaces::hoverNode);
  connect(&text.view(), &TextView::lineHovered, this, &SchedulePlaces::hoverLine);
  connect(&text, &TextController::selectionMoved, this, [this](qint64 id) {
    if (place_.isShown())
      handles_.setPointedAt(holdersOf(id));
  });
}

void SchedulePlaces::show(const protocol::SchedulePosition &position, const protocol::ScheduleStep *applied,
                          const QString &where) {
  place_.show(int(position.snapshot), int(position.before), applied ? QString(applied->text) : QString(),
              tr("Schedule, %1").arg(where));
}

void SchedulePlaces::select(const protocol::ScheduleHandle &handle) {
  if (!place_.isShown() || graph_.view().scene().snapshot != place_.snapshot())
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
  if (place_.isShown() && graph_.view().scene().snapshot == place_.snapshot())
    handles_.setPointedAt(holdersOf(node));
}

void SchedulePlaces::hoverLine(int line) {
  if (place_.isShown() && text_.snapshot() == place_.snapshot())
    handles_.pointAtLine(line);
}

} // namespace fuselage

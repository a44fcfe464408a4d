// Edges of the graph view: verdicts, selection, tooltips.
#include "views/graph/GraphPainter.h"
#include "views/graph/GraphView.h"
#include <algorithm>

using namespace Qt::StringLiterals;

namespace fuselage {

void GraphView::setMarks(const QList<EdgeMark> &marks, const FusionCounts &counts,
                         const QHash<NodeId, EdgeMark> &inside) {
  state_->marks = marks;
  state_->counts = counts;
  state_->missedInside = inside;
  arrange();
  update();
}

int GraphView::currentEdge() const { return state_->currentEdge; }

void GraphView::setCurrentEdge(int edge, bool revealIt) {
  if (edge >= scene_->data().edges.size())
    edge = -1;
  state_->currentEdge = edge;
  if (edge >= 0) {
    state_->selected.clear();
    current_ = state_->current = noNode;
    updateTrace();
  }
  update();
  if (edge < 0 || !revealIt)
    return;
  const EdgeData &data = scene_->data().edges[edge];
  const QRectF ends = scene_->rectOf({data.from, data.to}) | data.points.boundingRect();
  const QRectF sight = canvasRect().adjusted(24, 24, -24, -24);
  if (camera_.scale() >= GraphPainter::detailScale && sight.contains(camera_.toView(ends, canvas_)))
    return;
  fitted_ = false;
  const Camera all = Camera::fitting(ends, canvas_, 60, 1);
  if (all.scale() >= GraphPainter::detailScale)
    flyTo(Camera(ends.center(), std::min(all.scale(), std::max(camera_.scale(), 0.7))));
  else // too long to be read as a whole: its end, where the reason is
    flyTo(Camera(data.points.last(), std::max(camera_.scale(), 0.7)));
}

int GraphView::edgeAt(QPointF position) const {
  if (!canvasRect().contains(position) || camera_.scale() < GraphPainter::boxScale)
    return -1;
  return scene_->edgeAt(camera_.toScene(position, canvas_), 5 / camera_.scale());
}

QPointF GraphView::placeOf(int edge) const {
  return camera_.toView(scene_->edgePath(edge).pointAtPercent(0.5), canvas_);
}

void GraphView::selectEdgeByUser(int edge) {
  if (edge == state_->currentEdge)
    return;
  const bool hadNodes = current_ != noNode || !state_->selected.isEmpty();
  setCurrentEdge(edge, false);
  if (edge >= 0 && hadNodes)
    announce();
  if (edge >= 0) {
    const EdgeData &data = scene_->data().edges[edge];
    setAccessibleDescription(tr("edge, %1").arg(data.label));
  }
  emit edgeSelected(edge);
}

QString GraphView::edgeToolTip(int edge) const {
  const QString note = edgeNotes_ ? edgeNotes_(edge) : QString();
  return note.isEmpty() ? describeEdge(edge) : describeEdge(edge) + QStringLiteral("<br>") + note;
}

QString GraphView::describeEdge(int edge) const {
  if (QString told = edgeToolTips_ ? edgeToolTips_(edge) : QString(); !told.isEmpty())
    return told;
  const SceneData &data = scene_->data();
  const EdgeData &e = data.edges[edge];
  auto name = [&](NodeId id) {
    int node = scene_->nodeIndex(id);
    return node >= 0 ? data.nodes[node].title.toHtmlEscaped() : QString::number(id);
  };
  QString text = QStringLiteral("<b>%1</b><br>%2 \u2192 %3").arg(e.label.toHtmlEscaped(), name(e.from), name(e.to));
  if (e.bytes >= 0)
    text += QStringLiteral("<br>") + tr("%1 bytes").arg(groupedNumber(e.bytes));
  return text;
}

} // namespace fuselage

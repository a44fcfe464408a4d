// Edges of the graph view: verdicts, selection, tooltips, and the legend.
#include "views/graph/GraphPainter.h"
#include "views/graph/GraphView.h"
#include <array>

namespace fuselage {

void GraphView::setMarks(const QList<EdgeMark> &marks) {
  state_->marks = marks;
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
  const QRectF sight = QRectF(rect()).adjusted(24, 24, -24, -24);
  if (camera_.scale() >= GraphPainter::detailScale && sight.contains(camera_.toView(ends, size())))
    return;
  fitted_ = false;
  const Camera all = Camera::fitting(ends, size(), 60, 1);
  if (all.scale() >= GraphPainter::detailScale)
    flyTo(Camera(ends.center(), std::min(all.scale(), std::max(camera_.scale(), 0.7))));
  else // too long to be read as a whole: its end, where the reason is
    flyTo(Camera(data.points.last(), std::max(camera_.scale(), 0.7)));
}

int GraphView::edgeAt(QPointF position) const {
  if (!rect().contains(position.toPoint()) || camera_.scale() < GraphPainter::boxScale)
    return -1;
  return scene_->edgeAt(camera_.toScene(position, size()), 5 / camera_.scale());
}

QPointF GraphView::placeOf(int edge) const {
  return camera_.toView(scene_->edgePath(edge).pointAtPercent(0.5), size());
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

namespace {
struct LegendRow {
  FusionMark mark;
  const char *text;
};
constexpr std::array legendRows = {
    LegendRow{FusionMark::Fused, QT_TRANSLATE_NOOP("GraphView", "fused")},
    LegendRow{FusionMark::Legal, QT_TRANSLATE_NOOP("GraphView", "not fused, could be")},
    LegendRow{FusionMark::Illegal, QT_TRANSLATE_NOOP("GraphView", "not as the ops stand")},
};
constexpr double legendRow = 17;
} // namespace

QSizeF fusionLegendSize() { return {218, 12 + legendRow * legendRows.size()}; }

void paintFusionLegend(QPainter &painter, QPointF corner, const GraphPaintState &state, const Theme &theme) {
  std::array<int, 4> counts{};
  for (const EdgeMark &mark : state.marks)
    ++counts[size_t(mark.mark)];
  const QRectF box(corner - QPointF(0, fusionLegendSize().height()), fusionLegendSize());
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(QPen(theme.border, 1));
  painter.setBrush(theme.surfaceRaised);
  painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
  painter.setFont(uiFont(11));
  double y = box.top() + 6;
  for (const LegendRow &row : legendRows) {
    const QRectF line(box.left() + 12, y, box.width() - 24, legendRow);
    painter.setPen(fusionPen(row.mark, theme.fusion(row.mark), 1.8));
    painter.drawLine(QPointF(line.left(), line.center().y()), QPointF(line.left() + 34, line.center().y()));
    painter.setPen(theme.text);
    painter.drawText(line.adjusted(44, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, GraphView::tr(row.text));
    painter.setPen(theme.textMuted);
    painter.drawText(line, Qt::AlignRight | Qt::AlignVCenter, groupedNumber(counts[size_t(row.mark)]));
    y += legendRow;
  }
  painter.restore();
}

} // namespace fuselage

// Edges of the graph view: verdicts, selection, tooltips, and the legend.
#include "views/graph/GraphPainter.h"
#include "views/graph/GraphView.h"
#include <algorithm>
#include <array>

using namespace Qt::StringLiterals;

namespace fuselage {

void GraphView::setMarks(const QList<EdgeMark> &marks, const FusionCounts &counts) {
  state_->marks = marks;
  state_->counts = counts;
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
constexpr double legendHeight = 17, legendLine = 30;

QString countText(const GraphPaintState &state, FusionMark mark) {
  return groupedNumber(mark == FusionMark::Fused   ? state.counts.fused
                       : mark == FusionMark::Legal ? state.counts.legal
                                                   : state.counts.illegal);
}
} // namespace

double paintFusionLegend(QPainter &painter, QPointF corner, double room, const GraphPaintState &state, const Theme &theme) {
  const QFont font = uiFont(11);
  const QFontMetricsF metrics(font);
  std::array<double, legendRows.size()> widths{};
  double across = 0;
  for (size_t i = 0; i < legendRows.size(); ++i) {
    widths[i] = legendLine + 8 + metrics.horizontalAdvance(GraphView::tr(legendRows[i].text) + u"  "_s + countText(state, legendRows[i].mark)) + 8;
    across += widths[i] + 14;
  }
  // In a row where there is room for it: that covers least of the graph.
  const bool inRow = across + 10 <= room;
  const double widest = *std::max_element(widths.begin(), widths.end());
  const QSizeF size(inRow ? across + 10 : widest + 24, 8 + legendHeight * (inRow ? 1 : double(legendRows.size())));
  const QRectF box(corner - QPointF(0, size.height()), size);
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(QPen(theme.border, 1));
  painter.setBrush(theme.surfaceRaised);
  painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
  painter.setFont(font);
  QPointF at = box.topLeft() + QPointF(12, 4);
  for (size_t i = 0; i < legendRows.size(); ++i) {
    const LegendRow &row = legendRows[i];
    const QRectF line(at, QSizeF(inRow ? widths[i] : widest, legendHeight));
    painter.setPen(fusionPen(row.mark, theme.fusion(row.mark), 1.8));
    painter.drawLine(QPointF(line.left(), line.center().y()), QPointF(line.left() + legendLine, line.center().y()));
    painter.setPen(theme.text);
    painter.drawText(line.adjusted(legendLine + 8, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, GraphView::tr(row.text));
    painter.setPen(theme.textMuted);
    painter.drawText(line, Qt::AlignRight | Qt::AlignVCenter, countText(state, row.mark));
    at += inRow ? QPointF(widths[i] + 14, 0) : QPointF(0, legendHeight);
  }
  painter.restore();
  return size.height();
}

} // namespace fuselage

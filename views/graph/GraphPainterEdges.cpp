// Edges of the graph painter, and the order in which details are painted.
#include "views/graph/GraphPainter.h"
#include <algorithm>
#include <cmath>

namespace fuselage {

/// Edges from this size on stand out.
static constexpr qint64 bigEdge = 1 << 20;

/// Keeps edge labels off boxes and off each other.
struct GraphPainter::LabelSpace {
  QList<QRectF> taken;
  bool isFree(const QRectF &box) const {
    return std::none_of(taken.begin(), taken.end(), [&](const QRectF &o) { return o.intersects(box); });
  }
};

/// 1.1 px up to 64 KiB, then wider by every factor of four, up to 4 px.
double GraphPainter::edgeWidth(const EdgeData &edge) const {
  if (edge.bytes <= 0)
    return 1.1;
  return std::clamp(1.1 + std::log2(double(edge.bytes) / 65536) * 0.24, 1.1, 4.0);
}

bool GraphPainter::isStrong(const GraphPaintState &state, int index) const {
  const EdgeData &edge = scene_.data().edges[index];
  if (index == state.hoveredEdge || index == state.currentEdge)
    return true;
  if (state.tracing)
    return state.traced.contains(edge.from) && state.traced.contains(edge.to);
  return (!state.selected.isEmpty() && (state.selected.contains(edge.from) || state.selected.contains(edge.to))) ||
         (state.hovered != noNode && (state.hovered == edge.from || state.hovered == edge.to));
}

QColor GraphPainter::edgeColor(const GraphPaintState &state, int index) const {
  const EdgeData &edge = scene_.data().edges[index];
  if (isStrong(state, index)) {
    if (const FusionMark mark = state.markOf(index).mark; mark != FusionMark::None)
      return mix(theme_->fusion(mark), theme_->text, index == state.hoveredEdge ? 0.7 : 0.9);
    if (index == state.hoveredEdge || index == state.currentEdge)
      return theme_->accent;
    if (state.selected.contains(edge.to))
      return theme_->edgeInput;
    if (state.selected.contains(edge.from))
      return theme_->edgeOutput;
    return state.tracing ? mix(theme_->accent, theme_->edgeStrong, 0.55) : theme_->edgeStrong;
  }
  if (state.tracing)
    return mix(theme_->edge, theme_->canvas, 0.3);
  if (const FusionMark mark = state.markOf(index).mark; mark != FusionMark::None)
    return state.progress < 1 ? mix(theme_->fusion(mark), theme_->canvas, std::max(0.0, state.progress * 2 - 1))
                              : theme_->fusion(mark);
  double weight = std::clamp(std::log2(std::max<double>(edge.bytes, 65536) / 65536) / 8, 0.0, 1.0);
  QColor color = mix(theme_->edgeStrong, theme_->edge, edge.bytes >= bigEdge ? std::max(weight, 0.6) : weight);
  return state.progress < 1 ? mix(color, theme_->canvas, std::max(0.0, state.progress * 2 - 1)) : color;
}

void GraphPainter::paintEdge(Frame &frame, int index) {
  const EdgeData &edge = scene_.data().edges[index];
  if (edge.points.size() < 2)
    return;
  ++painted_;
  QPainterPath path = scene_.edgePath(index);
  QColor color = edgeColor(frame.state, index);
  double width = edgeWidth(edge) + (isStrong(frame.state, index) ? 0.7 : 0);
  const FusionMark mark = frame.state.markOf(index).mark;
  // Lines and their heads grow less than the boxes, and stay in proportion to each other.
  const double grown = frame.quality == PaintQuality::Print ? 1 : std::clamp(frame.scale, 0.7, 1.8);
  const QPen plain = fusionPen(mark, color, width * grown), pen = frame.sized(plain);
  frame.painter.setBrush(Qt::NoBrush);
  if (index == frame.state.currentEdge) {
    QPen halo(theme_->accent, plain.widthF() + 7, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin);
    QColor soft = theme_->accent;
    soft.setAlphaF(frame.state.focused ? 0.34f : 0.24f);
    halo.setColor(soft);
    frame.painter.setPen(frame.sized(halo));
    frame.painter.drawPath(path);
  }
  frame.painter.setPen(pen);
  frame.painter.drawPath(path);
  QPointF end = edge.points.last(), before = edge.points[edge.points.size() - 2];
  // The curve arrives along its last leg; a straight drop where that is level with the box.
  QPointF along = end - before;
  if (edge.points.size() == 2 && std::abs(along.y()) > 1)
    along = QPointF(0, along.y());
  double length = std::hypot(along.x(), along.y());
  if (length < 1e-6)
    return;
  along /= length;
  QPointF across(-along.y(), along.x());
  double size = (6.5 + width) * (frame.quality == PaintQuality::Print ? 1 : grown / frame.scale);
  const QPointF head[] = {end, end - along * size + across * size * 0.42, end - along * size - across * size * 0.42};
  frame.painter.setPen(Qt::NoPen);
  frame.painter.setBrush(color);
  frame.painter.drawPolygon(head, 3);
}

void GraphPainter::paintEdgeLabel(Frame &frame, int index, LabelSpace &space) {
  const EdgeData &edge = scene_.data().edges[index];
  if (edge.label.isEmpty() || edge.points.size() < 2)
    return;
  bool strong = isStrong(frame.state, index);
  if (frame.state.tracing && !strong)
    return;
  QStaticText &text = edgeTexts_[index];
  if (text.text().isEmpty()) {
    text.setTextFormat(Qt::PlainText);
    text.setText(edge.label);
    text.prepare(QTransform(), edgeFont_);
  }
  const QSizeF size = (text.size() + QSizeF(8, 2)) * textScale_;
  auto paintAt = [&](const QRectF &box) {
    QColor back = theme_->canvas;
    back.setAlphaF(0.88f);
    frame.painter.setPen(Qt::NoPen);
    frame.painter.setBrush(back);
    frame.painter.drawRoundedRect(box, 4, 4);
    frame.painter.save();
    frame.painter.translate(box.topLeft());
    frame.painter.scale(textScale_, textScale_);
    frame.painter.setFont(edgeFont_);
    frame.painter.setPen(strong                  ? mix(edgeColor(frame.state, index), theme_->text, 0.65)
                         : edge.bytes >= bigEdge ? mix(theme_->text, theme_->textMuted, 0.6)
                                                 : theme_->textMuted);
    frame.painter.drawStaticText(QPointF(4, 1), text);
    frame.painter.restore();
  };
  if (!edge.labelRect.isNull()) {
    QRectF box(QPointF(), size);
    box.moveCenter(edge.labelRect.center());
    space.taken.append(box);
    return paintAt(box);
  }
  QPainterPath path = scene_.edgePath(index);
  for (double t : {0.5, 0.4, 0.6, 0.3, 0.7, 0.22, 0.78}) {
    QPointF c = path.pointAtPercent(t);
    QRectF box(c - QPointF(size.width(), size.height()) / 2, size);
    bool free = space.isFree(box);
    if (free)
      scene_.nodeGrid().query(box, [&](int) { free = false; });
    if (!free)
      continue;
    space.taken.append(box);
    return paintAt(box);
  }
}

QPen fusionPen(FusionMark mark, const QColor &color, double width) {
  QPen pen(color, width, Qt::SolidLine, Qt::FlatCap, Qt::RoundJoin);
  // Dashes are as long as the pen is wide; those of thin lines would be dust.
  const double unit = std::max(1.0, 1.6 / width);
  if (mark == FusionMark::Legal) {
    pen.setWidthF(width * 1.35);
    pen.setDashPattern({4.5 * unit, 2 * unit});
  } else if (mark == FusionMark::Illegal) {
    pen.setDashPattern({1.4 * unit, 1.6 * unit});
  }
  return pen;
}

/// On a line that stands for several values that are not fused: how many.
void GraphPainter::paintMissedBadge(Frame &frame, int index) {
  const EdgeMark mark = frame.state.markOf(index);
  if (mark.missed < 2)
    return;
  QPainter &painter = frame.painter;
  const QString text = mark.missed > 999 ? QStringLiteral("999+") : QString::number(mark.missed);
  const double width = std::max(16.0, QFontMetricsF(edgeFont_).horizontalAdvance(text) + 9);
  QRectF badge(0, 0, width, 15);
  badge.moveCenter(QPointF());
  const QColor color = theme_->fusion(mark.mark);
  painter.save();
  painter.translate(scene_.edgePath(index).pointAtPercent(0.28));
  painter.scale(textScale_, textScale_);
  painter.setPen(QPen(theme_->canvas, 1.5));
  painter.setBrush(color);
  painter.drawRoundedRect(badge, 7.5, 7.5);
  painter.setPen(readableOn(color));
  painter.setFont(edgeFont_);
  painter.drawText(badge, Qt::AlignCenter, text);
  painter.restore();
}

void GraphPainter::paintDetails(Frame &frame) {
  QPainter &painter = frame.painter;
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing, frame.quality != PaintQuality::Moving);
  QTransform outer = painter.worldTransform();
  painter.setWorldTransform(frame.camera.transform(frame.viewport), true);
  QTransform inner = painter.worldTransform();
  const GraphPaintState &state = frame.state;
  bool gliding = state.progress < 1;
  QList<int> quiet, strong;
  if (!gliding || state.progress > 0.5)
    scene_.edgeGrid().query(frame.visible, [&](int i) { (isStrong(state, i) ? strong : quiet).append(i); });
  // Rings, badges and sheets reach out of the box.
  const QList<int> nodes = nodesInSight(state, frame.visible.adjusted(-10, -10, 10, 10));
  std::sort(quiet.begin(), quiet.end());
  std::sort(strong.begin(), strong.end());
  for (int edge : quiet)
    paintEdge(frame, edge);
  for (int edge : strong)
    paintEdge(frame, edge);
  painter.setWorldTransform(outer);
  paintClusterLabels(frame);
  painter.setRenderHint(QPainter::Antialiasing, frame.quality != PaintQuality::Moving);
  painter.setWorldTransform(inner);
  for (int node : nodes)
    paintNode(frame, node);
  bool labels = frame.quality == PaintQuality::Print || frame.scale >= 0.95;
  if (!gliding && frame.quality != PaintQuality::Moving) {
    LabelSpace space;
    for (const ClusterData &cluster : scene_.data().clusters)
      if (cluster.rect.intersects(frame.visible))
        space.taken.append(QRectF(cluster.rect.topLeft(), QSizeF(std::min(cluster.rect.width(), 160.0), 20)));
    for (int edge : strong)
      if (labels || frame.scale >= 0.7)
        paintEdgeLabel(frame, edge, space);
    if (labels)
      for (int edge : quiet)
        paintEdgeLabel(frame, edge, space);
    if (!frame.state.marks.isEmpty())
      for (const QList<int> &edges : {quiet, strong})
        for (int edge : edges)
          paintMissedBadge(frame, edge);
  }
  painter.restore();
}

} // namespace fuselage

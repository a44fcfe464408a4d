// Edges of the graph painter, and the order in which details are painted.
#include "views/graph/GraphPainter.h"
#include "views/graph/LabelSpace.h"
#include <QFontMetricsF>
#include <QLineF>
#include <algorithm>
#include <cmath>
#include <optional>

namespace fuselage {

/// Edges from this size on stand out.
static constexpr qint64 bigEdge = 1 << 20;

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
    return isSet(state.traced, scene_.sourceOf(index)) && isSet(state.traced, scene_.targetOf(index));
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
  if (state.tracing || (state.flashing && !state.changes.contains(edge.from) && !state.changes.contains(edge.to)))
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
  ++curves_;
  const QList<PreparedScene::EdgePart> parts = scene_.edgeParts(index, frame.visible);
  QColor color = edgeColor(frame.state, index);
  double width = edgeWidth(edge) + (isStrong(frame.state, index) ? 0.7 : 0);
  const FusionMark mark = frame.state.markOf(index).mark;
  const QPen plain = fusionPen(mark, color, width * frame.grown()), pen = frame.sized(plain);
  frame.painter.setBrush(Qt::NoBrush);
  if (index == frame.state.currentEdge) {
    QPen halo(theme_->accent, plain.widthF() + 7, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin);
    QColor soft = theme_->accent;
    soft.setAlphaF(frame.state.focused ? 0.34f : 0.24f);
    halo.setColor(soft);
    frame.painter.setPen(frame.sized(halo));
    for (const PreparedScene::EdgePart &part : parts)
      frame.painter.drawPath(part.path);
  }
  for (const PreparedScene::EdgePart &part : parts) {
    // Dashes stay where they are when the line is longer than what is in sight.
    QPen dashed = pen;
    if (part.start > 0 && pen.style() == Qt::CustomDashLine)
      dashed.setDashOffset(part.start * (pen.isCosmetic() ? frame.scale * frame.ratio : 1) / pen.widthF());
    frame.painter.setPen(dashed);
    frame.painter.drawPath(part.path);
  }
  const QPolygonF head = headOf(frame, index);
  frame.painter.setPen(Qt::NoPen);
  frame.painter.setBrush(color);
  frame.painter.drawPolygon(head);
}

/// Edges as straight lines of one px. Where there are more than mostLines, a share of them shows the flow.
void GraphPainter::paintLines(Frame &frame, const QList<int> &edges) {
  if (edges.isEmpty())
    return;
  const double ratio = frame.ratio, scale = frame.scale * ratio;
  const QPointF origin = frame.camera.toView(QPointF(0, 0), frame.viewport) * ratio;
  raster_.begin((frame.viewport * ratio).toSize(), ratio);
  const qsizetype stride = (edges.size() + mostLines - 1) / mostLines;
  for (qsizetype i = 0; i < edges.size(); i += stride) {
    const QRgb color = edgeColor(frame.state, edges[i]).rgb();
    const QPolygonF &points = scene_.data().edges[edges[i]].points;
    for (qsizetype point = 0; point + 1 < points.size(); ++point) {
      const QPointF a = points[point] * scale + origin, b = points[point + 1] * scale + origin;
      raster_.line(a.x(), a.y(), b.x(), b.y(), color);
    }
    ++painted_;
  }
  raster_.end(frame.painter);
}

/// Those of `edges` that are to be stroked as curves; paints the others as lines. What the pointer is on, and the
/// selected edge, are always curves.
QList<int> GraphPainter::takeCurves(Frame &frame, QList<int> edges, qsizetype most) {
  if (frame.quality == PaintQuality::Print || edges.size() <= most)
    return edges;
  QList<int> curves;
  for (const int edge : {frame.state.hoveredEdge, frame.state.currentEdge})
    if (edge >= 0 && edges.removeOne(edge))
      curves.append(edge);
  paintLines(frame, edges);
  return curves;
}

/// The arrow's head; empty where the line has no direction.
QPolygonF GraphPainter::headOf(const Frame &frame, int index) const {
  const EdgeData &edge = scene_.data().edges[index];
  if (edge.points.size() < 2)
    return {};
  const double width = edgeWidth(edge) + (isStrong(frame.state, index) ? 0.7 : 0);
  const QPointF end = edge.points.last(), before = edge.points[edge.points.size() - 2];
  // The curve arrives along its last leg; a straight drop where that is level with the box.
  QPointF along = end - before;
  if (edge.points.size() == 2 && std::abs(along.y()) > 1)
    along = QPointF(0, along.y());
  const double length = std::hypot(along.x(), along.y());
  if (length < 1e-6)
    return {};
  along /= length;
  const QPointF across(-along.y(), along.x());
  const double size = (6.5 + width) * (frame.quality == PaintQuality::Print ? 1 : frame.grown() / frame.scale);
  return QPolygonF({end, end - along * size + across * size * 0.42, end - along * size - across * size * 0.42});
}

/// The point at a share of a path. QPainterPath::pointAtPercent measures every curve to a fraction of a px, which takes
/// a hundred times as long.
static QPointF pointOn(const QPainterPath &path, double share) {
  struct Piece {
    QPointF points[4];
    int count;
    double length;
  };
  QList<Piece> pieces;
  double all = 0;
  QPointF at;
  for (int i = 0; i < path.elementCount(); ++i) {
    const QPainterPath::Element element = path.elementAt(i);
    if (element.type == QPainterPath::MoveToElement) {
      at = element;
      continue;
    }
    Piece piece{.points = {at, element, {}, {}}, .count = 2, .length = 0};
    if (element.type == QPainterPath::CurveToElement) {
      piece.points[2] = path.elementAt(i + 1);
      piece.points[3] = path.elementAt(i + 2);
      piece.count = 4;
      i += 2;
    }
    for (int p = 0; p + 1 < piece.count; ++p)
      piece.length += QLineF(piece.points[p], piece.points[p + 1]).length();
    at = piece.points[piece.count - 1];
    all += piece.length;
    pieces.append(piece);
  }
  double left = share * all;
  for (const Piece &piece : pieces) {
    if (left > piece.length) {
      left -= piece.length;
      continue;
    }
    const double t = piece.length > 0 ? left / piece.length : 0, s = 1 - t;
    const QPointF *p = piece.points;
    return piece.count == 2 ? p[0] * s + p[1] * t
                            : p[0] * (s * s * s) + p[1] * (3 * s * s * t) + p[2] * (3 * s * t * t) + p[3] * (t * t * t);
  }
  return at;
}

QPainterPath GraphPainter::pathInSight(const Frame &frame, int index) const {
  QPainterPath longest;
  double most = -1;
  for (const PreparedScene::EdgePart &part : scene_.edgeParts(index, frame.visible)) {
    const QRectF box = part.path.controlPointRect();
    if (const double extent = box.width() + box.height(); extent > most) {
      most = extent;
      longest = part.path;
    }
  }
  return longest;
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
  const auto boxAt = [&](QPointF middle) { return QRectF(middle - QPointF(size.width(), size.height()) / 2, size); };
  QList<QPointF> places;
  if (!edge.labelRect.isNull())
    places.append(edge.labelRect.center());
  const QPainterPath path = pathInSight(frame, index);
  for (const double t : {0.5, 0.4, 0.6, 0.3, 0.7, 0.22, 0.78})
    places.append(pointOn(path, t));
  // Beside the line, too, where its neighbours leave room there.
  for (const double t : {0.5, 0.35, 0.65})
    for (const double side : {1.0, -1.0})
      places.append(pointOn(path, t) + QPointF(side * (size.width() / 2 + 4), 0));
  // Of the places where it covers nothing, the one where it lies on the fewest lines; the first where that is as good
  // as on its own alone.
  const int own = int(size.height() / frame.cell()) + 3;
  std::optional<QRectF> best;
  int least = 0;
  for (const QPointF &place : places) {
    const QRectF box = boxAt(place);
    if (!frame.visible.contains(box) || !space.isFree(box))
      continue;
    const int crossed = space.crossed(box);
    if (best && crossed >= least)
      continue;
    best = box;
    least = crossed;
    if (crossed <= own)
      break;
  }
  // On other lines nobody can tell whose it is; the edge's card and tooltip have the words.
  if (!best || (!strong && least > own + own / 2))
    return;
  space.take(*best);
  labels_.boxes.append(*best);
  paintAt(*best);
}

void GraphPainter::paintCount(QPainter &painter, QPointF middle, int count, const QColor &color) const {
  const QString text = count > 999 ? QStringLiteral("999+") : QString::number(count);
  QRectF badge(0, 0, countWidth(count), 15);
  badge.moveCenter(QPointF());
  painter.save();
  painter.translate(middle);
  painter.scale(textScale_, textScale_);
  painter.setPen(QPen(theme_->canvas, 1.5));
  painter.setBrush(color);
  painter.drawRoundedRect(badge, 7.5, 7.5);
  painter.setPen(readableOn(color));
  painter.setFont(edgeFont_);
  painter.drawText(badge, Qt::AlignCenter, text);
  painter.restore();
}

double GraphPainter::countWidth(int count) const {
  const QString text = count > 999 ? QStringLiteral("999+") : QString::number(count);
  return std::max(16.0, QFontMetricsF(edgeFont_).horizontalAdvance(text) + 9);
}

/// On a line that stands for several values that are not fused: how many.
void GraphPainter::paintMissedBadge(Frame &frame, int index, LabelSpace &space) {
  const EdgeMark mark = frame.state.markOf(index);
  if (mark.missed < 2)
    return;
  const QPainterPath path = pathInSight(frame, index);
  const QSizeF size = QSizeF(countWidth(mark.missed) + 2, 17) * textScale_;
  QPointF place = pointOn(path, 0.28);
  for (const double t : {0.28, 0.38, 0.18, 0.5, 0.62, 0.74}) {
    const QPointF middle = pointOn(path, t);
    if (!space.isFree(QRectF(middle - QPointF(size.width(), size.height()) / 2, size)))
      continue;
    place = middle;
    break;
  }
  space.take(QRectF(place - QPointF(size.width(), size.height()) / 2, size));
  paintCount(frame.painter, place, mark.missed, theme_->fusion(mark.mark));
}

/// How many values are not fused in collapsed boxes, where no line shows them.
void GraphPainter::paintMissedInside(Frame &frame, int index, LabelSpace &space) {
  const NodeData &node = scene_.data().nodes[index];
  const EdgeMark mark = frame.state.missedInside.value(node.id);
  if (!node.collapsed || mark.missed == 0)
    return;
  const QRectF rect = placed(frame.state, node.id, node.rect);
  const double width = countWidth(mark.missed) * textScale_;
  const QPointF place(rect.right() - width / 2 - 6, rect.bottom());
  space.take(QRectF(place - QPointF(width, 15 * textScale_) / 2, QSizeF(width, 15 * textScale_)));
  paintCount(frame.painter, place, mark.missed, theme_->fusion(mark.mark));
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
  painter.setWorldTransform(outer);
  const qsizetype strongCount = strong.size();
  quiet = takeCurves(frame, std::move(quiet), std::max<qsizetype>(0, mostCurves - strongCount));
  strong = takeCurves(frame, std::move(strong), mostCurves);
  painter.setWorldTransform(inner);
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
    LabelSpace space(frame.visible, frame.cell());
    // Titles with the place below them where edges leave them, and borders.
    constexpr double titleHeight = 20, leaving = 16;
    for (const ClusterData &cluster : scene_.data().clusters) {
      if (!cluster.rect.intersects(frame.visible))
        continue;
      space.take(QRectF(cluster.rect.topLeft(), QSizeF(cluster.rect.width(), titleHeight + leaving)));
      const QRectF &box = cluster.rect;
      for (const double side : {box.left(), box.right()})
        space.take(QRectF(side, box.top(), 1e-3, box.height()));
      space.cross(QPolygonF({box.bottomLeft(), box.bottomRight()}));
    }
    for (int node : nodes)
      space.take(placed(state, scene_.data().nodes[node].id, scene_.data().nodes[node].rect));
    for (const QList<int> &edges : {quiet, strong})
      for (int edge : edges) {
        space.take(headOf(frame, edge).boundingRect());
        space.cross(scene_.data().edges[edge].points);
      }
    for (int node : nodes)
      paintMissedInside(frame, node, space);
    if (!frame.state.marks.isEmpty())
      for (const QList<int> &edges : {strong, quiet})
        for (int edge : edges)
          paintMissedBadge(frame, edge, space);
    for (int edge : strong)
      if (labels || frame.scale >= 0.7)
        paintEdgeLabel(frame, edge, space);
    if (labels)
      for (int edge : quiet)
        paintEdgeLabel(frame, edge, space);
    labels_.work = space.work();
  }
  painter.restore();
}

} // namespace fuselage

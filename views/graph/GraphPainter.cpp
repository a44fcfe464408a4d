#include "views/graph/GraphPainter.h"
#include <QFontMetricsF>
#include <algorithm>
#include <cmath>

namespace fuselage {

void GraphPaintState::measureHeat(const SceneData &scene) {
  heatLow = std::numeric_limits<double>::max();
  heatHigh = 0;
  for (const NodeData &node : scene.nodes) {
    auto own = heat.nodes.constFind(node.id);
    double value = own != heat.nodes.cend() ? *own : heat.dispatches.value(node.dispatch, -1);
    if (value < 0 || !std::isfinite(value))
      continue;
    heatLow = std::min(heatLow, value);
    heatHigh = std::max(heatHigh, value);
  }
  heatLow = std::min(heatLow, heatHigh);
}

double GraphPaintState::heatOf(const NodeData &node) const {
  auto own = heat.nodes.constFind(node.id);
  double value = own != heat.nodes.cend() ? *own : heat.dispatches.value(node.dispatch, -1);
  if (value < 0 || !std::isfinite(value))
    return -1;
  return heatHigh > heatLow ? (value - heatLow) / (heatHigh - heatLow) : 1;
}

GraphPaintState GraphPaintState::atRest() const {
  GraphPaintState state = *this;
  state.progress = 1;
  state.from.clear();
  state.hovered = noNode;
  state.flashing = false;
  state.hoveredEdge = state.hoveredCluster = -1;
  return state;
}

GraphPainter::GraphPainter(const PreparedScene &scene) : scene_(scene), theme_(&Theme::light()) {
  setTheme(Theme::light());
  hues_.reserve(scene.data().nodes.size());
  for (const NodeData &node : scene.data().nodes) {
    if (node.collapsed && node.dispatch < 0)
      parts_.append(int(hues_.size()));
    widest_ = std::max(widest_, node.rect.width());
    hues_.push_back(
        node.dispatch < 0 ? 0 : static_cast<unsigned char>(1 + scene.data().hueOf(node.dispatch) % Theme::hueCount));
  }
  for (const ClusterData &cluster : scene.data().clusters)
    if (cluster.kind == ClusterData::Kind::Dispatch && cluster.dispatch >= 0)
      boxedDispatches_.insert(cluster.dispatch);
}

void GraphPainter::setTheme(const Theme &theme) {
  theme_ = &theme;
  // The engine makes boxes for 12 px of regular text; at 11 px there is room for a bold word.
  titleFont_ = graphFont(leastText, QFont::DemiBold);
  tailFont_ = graphFont(leastText);
  subFont_ = graphFont(leastText);
  clusterFont_ = graphFont(leastText, QFont::DemiBold);
  edgeFont_ = graphFont(leastText);
  nodeTexts_.clear();
  edgeTexts_.clear();
  clusterTexts_.clear();
  plainColors_.clear();
}

QRectF GraphPainter::chevronRect(const ClusterData &cluster) {
  return QRectF(cluster.rect.left() + 4, cluster.rect.top() + 2, 16, 16);
}

QRectF GraphPainter::chevronRect(const NodeData &node) {
  return QRectF(node.rect.right() - 15, node.rect.center().y() - 8, 16, 16);
}

QRectF GraphPainter::placed(const GraphPaintState &state, NodeId id, const QRectF &rect) const {
  if (state.progress >= 1)
    return rect;
  auto from = state.from.constFind(id);
  if (from == state.from.cend())
    return rect;
  return between(*from, rect, state.progress);
}

QList<int> GraphPainter::nodesInSight(const GraphPaintState &state, const QRectF &area) const {
  QList<int> nodes;
  scene_.nodeGrid().query(area, [&](int index) { nodes.append(index); });
  if (state.progress < 1)
    for (auto it = state.from.cbegin(); it != state.from.cend(); ++it)
      if (int index = scene_.nodeIndex(it.key()); index >= 0)
        nodes.append(index);
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  return nodes;
}

QRectF between(const QRectF &from, const QRectF &to, double progress) {
  auto blend = [progress](double a, double b) { return a + (b - a) * progress; };
  return QRectF(blend(from.x(), to.x()), blend(from.y(), to.y()), blend(from.width(), to.width()),
                blend(from.height(), to.height()));
}

void GraphPainter::paint(QPainter &painter, const Camera &camera, QSizeF viewport, const GraphPaintState &state,
                         PaintQuality quality) {
  painted_ = curves_ = 0;
  labels_ = {};
  if (nodeTexts_.size() > 20000)
    nodeTexts_.clear();
  Frame frame{painter, camera,  viewport,       camera.visible(viewport),
              state,   quality, camera.scale(), painter.device()->devicePixelRatio()};
  setTextScale(frame);
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing, false);
  if (quality != PaintQuality::Print)
    painter.fillRect(QRectF(QPointF(), viewport), theme_->canvas);
  if (quality != PaintQuality::Print)
    paintDots(frame);
  bool details = quality == PaintQuality::Print || frame.scale >= detailScale;
  if (details) {
    paintClusters(frame);
    paintDetails(frame);
  } else if (frame.scale >= boxScale) {
    paintClusters(frame);
    paintBoxes(frame);
  } else {
    paintClusters(frame);
    paintBlocks(frame);
  }
  if (!details)
    paintClusterLabels(frame);
  painter.restore();
}

/// In few steps, so that zooming does not lay all words out anew in every frame.
void GraphPainter::setTextScale(const Frame &frame) {
  constexpr double steps = 16;
  const bool isSmall = frame.quality != PaintQuality::Print && frame.scale < 1;
  const double scale = isSmall ? std::ceil(steps / std::max(frame.scale, boxScale)) / steps : 1;
  if (scale == textScale_)
    return;
  textScale_ = scale;
  nodeTexts_.clear();
}

void GraphPainter::paintClusterLabels(Frame &frame) {
  QList<QRectF> taken;
  const QList<ClusterData> &clusters = scene_.data().clusters;
  for (int i = 0; i < clusters.size(); ++i) {
    QRectF rect = placed(frame.state, clusters[i].id, clusters[i].rect);
    if (rect.intersects(frame.visible))
      paintClusterLabel(frame, clusters[i], i, frame.camera.toView(rect, frame.viewport), taken);
  }
  const bool details = frame.quality == PaintQuality::Print || frame.scale >= detailScale;
  if (!details && frame.quality != PaintQuality::Moving)
    paintNodeNames(frame, taken);
}

/// What is worth a name from afar: parts of the model and dispatches, but not the ops in one that has a box.
bool GraphPainter::hasName(const NodeData &node) const {
  return node.collapsed || (node.dispatch >= 0 && !boxedDispatches_.contains(node.dispatch));
}

/// From afar, parts of the model and dispatches that are nodes keep their names where there is room, and ops the word
/// for what they do.
void GraphPainter::paintNodeNames(Frame &frame, QList<QRectF> &taken) {
  constexpr double leastRoom = 34, leastWord = 14;
  QPainter &painter = frame.painter;
  const QFontMetricsF metrics(clusterFont_);
  painter.setRenderHint(QPainter::Antialiasing, true);
  painter.setFont(clusterFont_);
  const bool hasRoom = widest_ * frame.scale - 8 >= leastWord; // for words of ops and dispatches
  for (int index : hasRoom ? nodesInSight(frame.state, frame.visible) : parts_) {
    const NodeData &node = scene_.data().nodes[index];
    if (!hasRoom && !placed(frame.state, node.id, node.rect).intersects(frame.visible))
      continue;
    const bool isNamed = hasName(node);
    const QRectF view = frame.camera.toView(placed(frame.state, node.id, node.rect), frame.viewport);
    // The parts of a model say more than that they are cut; of dispatches nobody reads half a word.
    const bool isPart = node.collapsed && node.dispatch < 0;
    const double room = std::max(isPart ? leastRoom * 2 : 0, view.width() - 8);
    if (room < (isNamed ? leastRoom : leastWord) || (!isNamed && view.height() < metrics.height()))
      continue;
    // Of any other op the first word, where all of it has room.
    const QString word = isNamed ? QString() : node.title.section(u' ', 0, 0);
    if (!isNamed && (word.size() * leastWord / 3 > room || metrics.horizontalAdvance(word) > room))
      continue;
    const QString title =
        !isNamed ? word : metrics.elidedText(node.title, isPart ? Qt::ElideMiddle : Qt::ElideRight, room);
    const QSizeF extent(metrics.horizontalAdvance(title), metrics.height());
    const QRectF box(view.center() - QPointF(extent.width(), extent.height()) / 2, extent);
    if (std::any_of(taken.begin(), taken.end(), [&](const QRectF &other) { return other.intersects(box); }))
      continue;
    taken.append(box.adjusted(-2, 0, 2, 0));
    const NodeColors colors = colorsOf(frame.state, index);
    if (!view.contains(box)) { // a word that reaches out of its box needs ground of its own
      painter.setPen(Qt::NoPen);
      painter.setBrush(colors.fill);
      painter.drawRoundedRect(box.adjusted(-4, -1, 4, 1), 3, 3);
    }
    painter.setPen(colors.text);
    painter.drawText(QPointF(box.left(), box.top() + metrics.ascent()), title);
  }
}

/// A quiet grid of dots that shows that the canvas moves.
void GraphPainter::paintDots(Frame &frame) const {
  double step = 24 * frame.scale;
  while (step < 20)
    step *= 4;
  if (frame.scale < 0.2)
    return;
  QPointF origin = frame.camera.toView(QPointF(0, 0), frame.viewport);
  double left = std::fmod(origin.x(), step), top = std::fmod(origin.y(), step);
  for (double y = top; y < frame.viewport.height(); y += step)
    for (double x = left; x < frame.viewport.width(); x += step)
      frame.painter.fillRect(QRect(int(x), int(y), 1, 1), theme_->canvasDot);
}

QColor GraphPainter::clusterFill(const GraphPaintState &state, const ClusterData &cluster) const {
  QColor base = cluster.dispatch >= 0 ? accentOf(cluster.dispatch) : theme_->textMuted;
  double tint = cluster.kind == ClusterData::Kind::Dispatch   ? (theme_->dark ? 0.13 : 0.09)
                : cluster.kind != ClusterData::Kind::Function ? 0.05
                                                              : (theme_->dark ? 0.035 : 0.025);
  return mix(base, theme_->canvas, state.tracing ? tint * 0.4 : tint);
}

void GraphPainter::paintClusters(Frame &frame) {
  QPainter &painter = frame.painter;
  bool details = frame.quality == PaintQuality::Print || frame.scale >= detailScale;
  painter.setRenderHint(QPainter::Antialiasing, details && frame.quality != PaintQuality::Moving);
  const QList<ClusterData> &clusters = scene_.data().clusters;
  for (int i = 0; i < clusters.size(); ++i) {
    const ClusterData &cluster = clusters[i];
    QRectF rect = placed(frame.state, cluster.id, cluster.rect);
    if (!rect.intersects(frame.visible))
      continue;
    QRectF view = frame.camera.toView(rect, frame.viewport);
    if (view.width() < 3 || view.height() < 3)
      continue;
    ++painted_;
    bool hue = cluster.dispatch >= 0;
    QColor base = hue ? accentOf(cluster.dispatch) : theme_->textMuted;
    QColor fill = clusterFill(frame.state, cluster);
    QColor border = mix(base, theme_->canvas, (hue ? 0.45 : 0.26) * (frame.state.tracing ? 0.4 : 1));
    if (frame.state.hoveredCluster == i)
      border = base;
    if (frame.state.selected.contains(cluster.id))
      border = theme_->accent;
    painter.setPen(frame.pen(border, frame.state.selected.contains(cluster.id) ? 2 : 1));
    painter.setBrush(fill);
    // Hairlines sit on pixel centres, else every border would be two grey lines.
    QRectF crisp = frame.quality == PaintQuality::Print ? view
                                                        : QRectF(std::round(view.x()) + 0.5, std::round(view.y()) + 0.5,
                                                                 std::round(view.width()), std::round(view.height()));
    double radius = std::min((cluster.kind == ClusterData::Kind::Function ? 10 : 8) * frame.scale, 12.0);
    if (details)
      painter.drawRoundedRect(crisp, radius, radius);
    else
      painter.drawRect(crisp.toRect());
  }
}

void GraphPainter::paintClusterLabel(Frame &frame, const ClusterData &cluster, int index, const QRectF &view,
                                     QList<QRectF> &taken) {
  if (cluster.label.isEmpty())
    return;
  bool details = frame.quality == PaintQuality::Print || frame.scale >= detailScale;
  QPainter &painter = frame.painter;
  // The root module and other boxes without a name of their own need no label from afar.
  double size = details ? std::clamp(frame.scale, 1.0, 3.0) : 1;
  double inset = details ? 22 * frame.scale : 4;
  double room = view.width() - inset - 6;
  if (room < (details ? 20 : 44) || view.height() < 16)
    return;
  QColor hue = cluster.dispatch >= 0 ? accentOf(cluster.dispatch) : theme_->textMuted;
  QColor ink = mix(theme_->text, hue, cluster.dispatch >= 0 ? 0.45 : 0.25);
  if (frame.state.tracing)
    ink = mix(ink, theme_->canvas, 0.45);
  ClusterText &cached = clusterTexts_[index];
  QStaticText &text = cached.text;
  if (cached.room != int(room / size)) {
    cached.room = int(room / size);
    text.setTextFormat(Qt::PlainText);
    const bool isDispatch = cluster.kind == ClusterData::Kind::Dispatch; // paths of parts differ in their ends
    text.setText(QFontMetricsF(clusterFont_)
                     .elidedText(cluster.label, isDispatch ? Qt::ElideRight : Qt::ElideMiddle, cached.room));
    text.prepare(QTransform(), clusterFont_);
  }
  QSizeF extent = text.size() * size;
  QPointF at(view.left() + inset,
             view.top() + (details ? (18 * frame.scale - extent.height()) / 2 + 2 * frame.scale : 2));
  if (details)
    at.setY(std::max(at.y(), view.top() + 1));
  QRectF box(at, QSizeF(std::min(extent.width(), room), extent.height()));
  if (!details) {
    for (const QRectF &other : taken)
      if (other.intersects(box))
        return;
    taken.append(box.adjusted(-2, -1, 2, 1));
  }
  // Edges run below titles.
  QColor back = details ? clusterFill(frame.state, cluster) : theme_->canvas;
  back.setAlphaF(0.82f);
  painter.setPen(Qt::NoPen);
  painter.setBrush(back);
  painter.setRenderHint(QPainter::Antialiasing, true);
  painter.drawRoundedRect(box.adjusted(details ? -18 * frame.scale : -3, 0, 3, 0), 3, 3);
  painter.save();
  painter.translate(at);
  painter.scale(size, size);
  painter.setFont(clusterFont_);
  painter.setPen(ink);
  painter.drawStaticText(QPointF(0, 0), text);
  painter.restore();
  if (!details)
    return;
  QRectF chevron = frame.camera.toView(chevronRect(cluster), frame.viewport)
                       .translated(view.topLeft() - frame.camera.toView(cluster.rect.topLeft(), frame.viewport));
  QPointF c = chevron.center();
  double r = 3.2 * frame.scale;
  QPen pen(ink, std::clamp(1.5 * frame.scale, 1.0, 3.0), Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin);
  painter.setPen(pen);
  painter.setBrush(Qt::NoBrush);
  const QPointF down[] = {c + QPointF(-r, -r / 2), c + QPointF(0, r / 2), c + QPointF(r, -r / 2)};
  painter.drawPolyline(down, 3);
}

/// In between: boxes and straight lines without text.
void GraphPainter::paintBoxes(Frame &frame) {
  QPainter &painter = frame.painter;
  const SceneData &data = scene_.data();
  const GraphPaintState &state = frame.state;
  double ratio = painter.device()->devicePixelRatio();
  raster_.begin((frame.viewport * ratio).toSize(), ratio);
  QPointF origin = frame.camera.toView(QPointF(0, 0), frame.viewport);
  auto map = [&](QPointF point) { return point * frame.scale + origin; };

  bool smooth = frame.quality != PaintQuality::Moving;
  QColor quiet[std::size(fusionMarks)];
  for (FusionMark mark : fusionMarks)
    quiet[int(mark)] = mix(theme_->fusion(mark), theme_->canvas, state.tracing ? 0.3 : 0.9);
  QList<QLineF> lines[std::size(fusionMarks)];
  QList<int> strong, seen;
  if (state.progress >= 1)
    scene_.edgeGrid().query(frame.visible, [&](int index) { (isStrong(state, index) ? strong : seen).append(index); });
  smooth = smooth && seen.size() <= mostLines;
  const qsizetype stride = std::max<qsizetype>(1, (seen.size() + mostLines - 1) / mostLines);
  for (qsizetype each = 0; each < seen.size(); each += stride) {
    const int index = seen[each];
    ++painted_;
    const QPolygonF &points = data.edges[index].points;
    const int mark = int(state.markOf(index).mark);
    for (int i = 0; i + 1 < points.size(); ++i) {
      QPointF a = map(points[i]), b = map(points[i + 1]);
      if (smooth)
        lines[mark].append({a, b});
      else
        raster_.line(a.x() * ratio, a.y() * ratio, b.x() * ratio, b.y() * ratio, quiet[mark].rgb());
    }
  }
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setBrush(Qt::NoBrush);
  for (FusionMark mark : {FusionMark::None, FusionMark::Fused, FusionMark::Impossible, FusionMark::Tried,
                          FusionMark::NotTried, FusionMark::Possible}) {
    painter.setPen(fusionPen(mark, quiet[int(mark)], 1));
    painter.drawLines(lines[int(mark)]);
  }
  const auto drawStraight = [&](int index, QRgb color) {
    const QPolygonF &points = data.edges[index].points;
    for (int i = 0; i + 1 < points.size(); ++i) {
      const QPointF a = map(points[i]) * ratio, b = map(points[i + 1]) * ratio;
      raster_.line(a.x(), a.y(), b.x(), b.y(), color);
    }
  };
  if (strong.size() > mostCurves) {
    const qsizetype step = (strong.size() + mostLines - 1) / mostLines;
    for (qsizetype each = 0; each < strong.size(); each += step, ++painted_)
      drawStraight(strong[each], edgeColor(state, strong[each]).rgb());
    strong.removeIf([&](int index) { return index != state.currentEdge && index != state.hoveredEdge; });
  }
  for (int index : strong) {
    ++painted_;
    ++curves_;
    QPolygonF points = data.edges[index].points;
    for (QPointF &point : points)
      point = map(point);
    painter.setPen(QPen(index == state.currentEdge ? theme_->accent : edgeColor(state, index),
                        index == state.currentEdge ? 3 : 1.6));
    painter.drawPolyline(points);
  }

  bool plain = isPlain(state);
  QList<int> ringed;
  auto paintBox = [&](int index) {
    const NodeData &node = data.nodes[index];
    ++painted_;
    const bool match = isSet(state.matches, index);
    if (match || node.id == state.hovered || (!state.selected.isEmpty() && state.selected.contains(node.id)))
      ringed.append(index);
    NodeColors colors = plain && !match ? plainColorsOf(index) : colorsOf(state, index);
    if (node.dispatch >= 0 && !match && state.heat.isEmpty() && boxedDispatches_.contains(node.dispatch))
      for (QColor *color : {&colors.border, &colors.accent}) // here the dispatch is what is shown
        *color = mix(*color, colors.fill, 0.4);
    QRectF rect = placed(state, node.id, node.rect);
    QPointF a = map(rect.topLeft()) * ratio, b = map(rect.bottomRight()) * ratio;
    double left = std::round(a.x()), top = std::round(a.y()), right = std::round(b.x()), bottom = std::round(b.y());
    raster_.fill(left, top, right, bottom, colors.border.rgb());
    raster_.fill(left + 2 * ratio, top + ratio, right - ratio, bottom - ratio, colors.fill.rgb());
    raster_.fill(left, top, left + 2 * ratio, bottom, colors.accent.rgb());
  };
  for (int index : nodesInSight(state, frame.visible))
    paintBox(index);
  raster_.end(painter);

  painter.setRenderHint(QPainter::Antialiasing, false);
  painter.setBrush(Qt::NoBrush);
  for (int index : ringed) {
    const NodeData &node = data.nodes[index];
    QColor ring = state.selected.contains(node.id) ? theme_->accent
                  : node.id == state.currentMatch  ? theme_->matchCurrent
                  : isSet(state.matches, index)    ? theme_->match
                                                   : theme_->borderStrong;
    painter.setPen(QPen(ring, 2));
    QRectF rect = placed(state, node.id, node.rect);
    painter.drawRect(QRectF(map(rect.topLeft()), map(rect.bottomRight())).toRect().adjusted(-1, -1, 1, 1));
  }
}

} // namespace fuselage

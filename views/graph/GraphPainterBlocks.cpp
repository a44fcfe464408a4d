// The graph from far away: blocks in the colour of their dispatch. All of a large graph is in sight then, so that a
// node costs nanoseconds: no look into a hash table, and no colours mixed for it.
#include "views/graph/GraphPainter.h"
#include <algorithm>
#include <array>
#include <cmath>

namespace fuselage {

void GraphPainter::addBlockLines(Frame &frame, double scale, QPointF origin) {
  const SceneData &data = scene_.data();
  const GraphPaintState &state = frame.state;
  // Lines are what costs: while moving, a fixed share of them is enough to see the flow.
  int budget = frame.quality == PaintQuality::Moving ? mostLines : 20000;
  int stride = std::max<int>(1, int(data.edges.size()) / budget);
  bool anyStrong = state.tracing || !state.selected.isEmpty() || state.hovered != noNode || state.hoveredEdge >= 0 ||
                   state.currentEdge >= 0;
  QRgb byMark[std::size(fusionMarks)];
  for (FusionMark mark : fusionMarks)
    byMark[int(mark)] = mix(theme_->fusion(mark), theme_->canvas, state.tracing ? 0.3 : 0.75).rgb();
  int strongLeft = budget; // thousands of them cover each other
  scene_.edgeGrid().query(frame.visible, [&](int index) {
    bool strong = anyStrong && isStrong(state, index) && strongLeft-- > 0;
    if (!strong && index % stride != 0)
      return;
    QRgb color = strong ? edgeColor(state, index).rgb() : byMark[int(state.markOf(index).mark)];
    const QPolygonF &points = data.edges[index].points;
    for (int i = 0; i + 1 < points.size(); ++i) {
      QPointF a = points[i] * scale + origin, b = points[i + 1] * scale + origin;
      raster_.line(a.x(), a.y(), b.x(), b.y(), color);
    }
    ++painted_;
  });
}

/// What colours the block of a node, but for selection.
std::function<QRgb(int)> GraphPainter::blockColors(const GraphPaintState &state) const {
  constexpr double presence = 0.72;
  constexpr int heats = 64;
  std::array<QRgb, Theme::hueCount + 1> byHue;
  for (int hue = 0; hue <= Theme::hueCount; ++hue)
    byHue[hue] = mix(hue > 0 ? theme_->dispatch(hue - 1) : theme_->edgeStrong, theme_->canvas, presence).rgb();
  if (state.tracing)
    return [this, &state, byHue, other = mix(theme_->edge, theme_->canvas, 0.3).rgb()](int index) {
      return isSet(state.traced, index) ? byHue[hues_[index]] : other;
    };
  if (state.heat.isEmpty() && state.changes.isEmpty())
    return [this, byHue](int index) { return byHue[hues_[index]]; };
  std::array<QRgb, heats> byHeat;
  for (int heat = 0; heat < heats; ++heat)
    byHeat[heat] = theme_->heat(double(heat) / (heats - 1)).rgb();
  std::array<QRgb, 4> byChange;
  for (Change change : {Change::Added, Change::Removed, Change::Changed})
    byChange[int(change)] = theme_->change(change).rgb();
  byChange[int(Change::Same)] = mix(theme_->edge, theme_->canvas, 0.6).rgb();
  return [this, &state, byHue, byHeat, byChange](int index) {
    const NodeData &node = scene_.data().nodes[index];
    if (double heat = state.heat.isEmpty() ? -1 : state.heatOf(node); heat >= 0)
      return byHeat[std::clamp(int(std::lround(heat * (heats - 1))), 0, heats - 1)];
    return state.changes.isEmpty() ? byHue[hues_[index]] : byChange[int(state.changes.value(node.id, Change::Same))];
  };
}

void GraphPainter::paintBlocks(Frame &frame) {
  const GraphPaintState &state = frame.state;
  const double ratio = frame.painter.device()->devicePixelRatio(), scale = frame.scale * ratio;
  const QPointF origin = frame.camera.toView(QPointF(0, 0), frame.viewport) * ratio;
  raster_.begin((frame.viewport * ratio).toSize(), ratio);
  addBlockLines(frame, scale, origin);
  const auto fill = [&](int index, QRgb color) {
    const QRectF &r = scene_.nodeGrid().rect(index);
    raster_.fill(r.left() * scale + origin.x(), r.top() * scale + origin.y(), r.right() * scale + origin.x(),
                 r.bottom() * scale + origin.y(), color);
  };
  const std::function<QRgb(int)> colorOf = blockColors(state);
  const QRgb match = theme_->match.rgb();
  scene_.nodeGrid().query(frame.visible, [&](int index) {
    fill(index, isSet(state.matches, index) ? match : colorOf(index));
    ++painted_;
  });
  // Few, and over what is beside them.
  if (const int current = scene_.nodeIndex(state.currentMatch); current >= 0)
    fill(current, theme_->matchCurrent.rgb());
  for (const NodeId id : state.selected)
    if (const int index = scene_.nodeIndex(id); index >= 0 && scene_.nodeGrid().rect(index).intersects(frame.visible))
      fill(index, theme_->accent.rgb());
  raster_.end(frame.painter);
}

} // namespace fuselage

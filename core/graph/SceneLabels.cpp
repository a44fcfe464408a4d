#include "core/graph/SceneBuilder.h"
#include "core/graph/TextMetrics.h"
#include <algorithm>
#include <cmath>

namespace fuselage {
namespace {

constexpr double labelHeight = 13, besideLine = 5, cellSize = 96, leastSegment = 18;

/// Boxes that may not be covered, by the cells of a grid they touch.
class Occupancy {
public:
  Occupancy(const LayoutRect &bounds, size_t expected)
      : columns_(cells(bounds.w)), rows_(cells(bounds.h)) {
    // Huge pictures get coarser cells, so that the grid stays in proportion to what is drawn.
    double limit = 64.0 * static_cast<double>(expected) + 4096;
    while (static_cast<double>(columns_) * static_cast<double>(rows_) > limit) {
      size_ *= 2;
      columns_ = cells(bounds.w);
      rows_ = cells(bounds.h);
    }
    cells_.resize(columns_ * rows_);
  }
  void add(const LayoutRect &rect) {
    visit(rect, [&](std::vector<LayoutRect> &cell) {
      cell.push_back(rect);
      return true;
    });
  }
  bool isFree(const LayoutRect &rect) {
    return visit(rect, [&](std::vector<LayoutRect> &cell) {
      return std::none_of(cell.begin(), cell.end(), [&](const LayoutRect &other) {
        return rect.x < other.x + other.w && other.x < rect.x + rect.w &&
               rect.y < other.y + other.h && other.y < rect.y + rect.h;
      });
    });
  }

private:
  size_t cells(double length) const { return static_cast<size_t>(length / size_) + 1; }
  size_t index(double at, size_t count) const {
    return std::min(count - 1, static_cast<size_t>(std::max(0.0, at / size_)));
  }
  template <typename Visitor> bool visit(const LayoutRect &rect, Visitor &&visitor) {
    for (size_t row = index(rect.y, rows_); row <= index(rect.y + rect.h, rows_); ++row)
      for (size_t col = index(rect.x, columns_); col <= index(rect.x + rect.w, columns_); ++col)
        if (!visitor(cells_[row * columns_ + col]))
          return false;
    return true;
  }

  double size_ = cellSize;
  size_t columns_, rows_;
  std::vector<std::vector<LayoutRect>> cells_;
};

/// Tries places along the line, near its target first, right of it before left of it.
bool placeLabel(SceneEdge &edge, double width, const LayoutRect &bounds, Occupancy &taken) {
  for (size_t i = edge.points.size() - 1; i > 0; --i) {
    const LayoutPoint &a = edge.points[i - 1], &b = edge.points[i];
    if (std::abs(a.y - b.y) < leastSegment)
      continue;
    for (double t : {0.5, 0.3, 0.7}) {
      double x = a.x + t * (b.x - a.x), y = a.y + t * (b.y - a.y);
      for (double left : {x + besideLine, x - besideLine - width}) {
        LayoutRect rect{left, y - labelHeight / 2, width, labelHeight};
        if (rect.x < 0 || rect.x + width > bounds.w || !taken.isFree(rect))
          continue;
        edge.labelRect = rect;
        taken.add(rect);
        return true;
      }
    }
  }
  return false;
}

} // namespace

void placeLabels(Scene &scene) {
  Occupancy taken(scene.bounds, scene.nodes.size() + scene.edges.size());
  for (const SceneNode &node : scene.nodes)
    taken.add(node.rect);
  for (const SceneCluster &cluster : scene.clusters) {
    taken.add({cluster.rect.x, cluster.rect.y, textWidth(cluster.label, titleSize) + 16, 22});
    // Labels do not straddle borders.
    taken.add({cluster.rect.x, cluster.rect.y - 1, cluster.rect.w, 2});
    taken.add({cluster.rect.x, cluster.rect.y + cluster.rect.h - 1, cluster.rect.w, 2});
  }
  // Edges of one value say the same: the first one says it, others far from it again.
  constexpr double far = 400;
  OpId source = noNode;
  std::string said;
  LayoutRect where;
  std::vector<size_t> order(scene.edges.size());
  for (size_t e = 0; e < order.size(); ++e)
    order[e] = e;
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return scene.edges[a].from < scene.edges[b].from;
  });
  for (size_t e : order) {
    SceneEdge &edge = scene.edges[e];
    if (edge.label.empty() || edge.points.size() < 2)
      continue;
    const LayoutPoint &end = edge.points.back();
    if (edge.from == source && edge.label == said &&
        std::hypot(end.x - where.x, end.y - where.y) < far)
      continue;
    if (placeLabel(edge, textWidth(edge.label, smallSize) + 2, scene.bounds, taken)) {
      source = edge.from;
      said = edge.label;
      where = edge.labelRect;
    }
  }
}

} // namespace fuselage

#include "core/graph/scene/SceneBuilder.h"
#include "core/graph/scene/TextMetrics.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include <algorithm>
#include <cmath>
#include <tuple>

namespace fuselage {
namespace {

constexpr double labelHeight = 13, besideLine = 5, cellSize = 96, leastSegment = 18, titleInset = 10,
                 titleBaseline = 17;

/// What an arrow's head takes above the end of its line, at most.
constexpr double headWidth = 9, headHeight = 11;

/// Boxes that may not be covered, by the cells of a grid they touch. A cell's boxes are a list within
/// one array: a large picture has more cells than boxes.
class Occupancy {
public:
  Occupancy(const LayoutRect &bounds, size_t expected) : columns_(cells(bounds.w)), rows_(cells(bounds.h)) {
    // Huge pictures get coarser cells, so that the grid stays in proportion to what is drawn.
    double limit = 16.0 * static_cast<double>(expected) + 4096;
    while (static_cast<double>(columns_) * static_cast<double>(rows_) > limit) {
      size_ *= 2;
      columns_ = cells(bounds.w);
      rows_ = cells(bounds.h);
    }
    last_.assign(columns_ * rows_, none);
    boxes_.reserve(expected);
  }
  /// `owner`: what may cover it all the same.
  void add(const LayoutRect &rect, OpId owner = noNode) {
    uint32_t box = static_cast<uint32_t>(boxes_.size());
    boxes_.push_back({rect, owner});
    visit(rect, [&](uint32_t &last) {
      links_.push_back({box, last});
      last = static_cast<uint32_t>(links_.size() - 1);
      return true;
    });
  }
  bool isFree(const LayoutRect &rect, OpId owner = noNode) {
    return visit(rect, [&](uint32_t last) {
      for (; last != none; last = links_[last].before) {
        const Box &box = boxes_[links_[last].box];
        const LayoutRect &other = box.rect;
        if ((owner == noNode || box.owner != owner) && rect.x < other.x + other.w && other.x < rect.x + rect.w &&
            rect.y < other.y + other.h && other.y < rect.y + rect.h)
          return false;
      }
      return true;
    });
  }

private:
  static constexpr uint32_t none = UINT32_MAX;
  struct Link {
    uint32_t box, before;
  };
  struct Box {
    LayoutRect rect;
    OpId owner;
  };
  size_t cells(double length) const { return static_cast<size_t>(length / size_) + 1; }
  size_t index(double at, size_t count) const {
    return std::min(count - 1, static_cast<size_t>(std::max(0.0, at / size_)));
  }
  template <typename Visitor> bool visit(const LayoutRect &rect, Visitor &&visitor) {
    size_t lastRow = index(rect.y + rect.h, rows_), lastColumn = index(rect.x + rect.w, columns_);
    for (size_t row = index(rect.y, rows_); row <= lastRow; ++row)
      for (size_t column = index(rect.x, columns_); column <= lastColumn; ++column)
        if (!visitor(last_[row * columns_ + column]))
          return false;
    return true;
  }

  double size_ = cellSize;
  size_t columns_, rows_;
  std::vector<uint32_t> last_; // by cell: its link that was added last
  std::vector<Link> links_;
  std::vector<Box> boxes_;
};

/// What the words of a picture must not cover, from worst to least.
struct Obstacles {
  Occupancy boxes, lines, borders;
};

/// How much a label may cover, as a last resort in this order.
enum class Covers { Nothing, Borders, OwnLines, Lines };

/// `value`: the node whose value flows along the label's line.
bool isFree(const LayoutRect &rect, OpId value, Obstacles &obstacles, Covers covers) {
  return obstacles.boxes.isFree(rect) && (covers != Covers::Nothing || obstacles.borders.isFree(rect)) &&
         (covers == Covers::Lines || obstacles.lines.isFree(rect, covers == Covers::OwnLines ? value : noNode));
}

/// Tries places along the line, near its target first: right of it before left of it, at last on
/// the line itself, which leaves no doubt whose label it is.
bool placeLabel(SceneEdge &edge, double width, const LayoutRect &bounds, Obstacles &obstacles) {
  for (Covers covers : {Covers::Nothing, Covers::Borders, Covers::OwnLines, Covers::Lines})
    for (size_t i = edge.points.size() - 1; i > 0; --i) {
      const LayoutPoint &a = edge.points[i - 1], &b = edge.points[i];
      if (std::abs(a.y - b.y) < leastSegment)
        continue;
      for (double t : {0.5, 0.3, 0.7}) {
        double x = a.x + t * (b.x - a.x), y = a.y + t * (b.y - a.y);
        // Beside the line over the label's whole height.
        double slope = std::abs((b.x - a.x) / (b.y - a.y)) * labelHeight / 2;
        double beside = besideLine + std::min(slope, 40.0);
        llvm::SmallVector<double, 2> lefts = {x + beside, x - beside - width};
        if (covers >= Covers::OwnLines)
          lefts = {x - width / 2};
        for (double left : lefts) {
          LayoutRect rect{left, y - labelHeight / 2, width, labelHeight};
          if (rect.x < 0 || rect.x + width > bounds.w || !isFree(rect, edge.from, obstacles, covers))
            continue;
          edge.labelRect = rect;
          obstacles.boxes.add(rect);
          return true;
        }
      }
    }
  return false;
}

/// Puts lines into the grid. Edges of one value share long stretches from the same bend: of those
/// only what reaches further than before is new, so that a thousand users cost one trunk.
class LineTracer {
public:
  explicit LineTracer(Occupancy &lines) : lines_(lines) {}

  /// `value`: the node whose value flows along the line.
  void add(const std::vector<LayoutPoint> &points, OpId value) {
    value_ = value;
    for (size_t i = 1; i < points.size(); ++i) {
      const LayoutPoint &a = points[i - 1], &b = points[i];
      bool vertical = std::abs(a.x - b.x) < 0.5, horizontal = std::abs(a.y - b.y) < 0.5;
      if (vertical || horizontal)
        addStraight(a, b, vertical);
      else
        addSloped(a, b);
    }
  }

private:
  static constexpr double step = 24, thickness = 2;

  void addStraight(const LayoutPoint &a, const LayoutPoint &b, bool vertical) {
    double length = vertical ? b.y - a.y : b.x - a.x, way = std::abs(length);
    int direction = (vertical ? 2 : 0) + (length > 0);
    double &reached = reached_[{std::lround(a.x * 4), std::lround(a.y * 4), direction}];
    if (way <= reached)
      return;
    LayoutPoint from = a;
    (vertical ? from.y : from.x) += length > 0 ? reached : -reached;
    addBox(from, b);
    reached = way;
  }
  void addSloped(const LayoutPoint &a, const LayoutPoint &b) {
    int pieces = std::min(static_cast<int>(std::hypot(b.x - a.x, b.y - a.y) / step) + 1, 100);
    for (int k = 0; k < pieces; ++k) {
      double s = static_cast<double>(k) / pieces, t = static_cast<double>(k + 1) / pieces;
      addBox({a.x + s * (b.x - a.x), a.y + s * (b.y - a.y)}, {a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)});
    }
  }
  void addBox(const LayoutPoint &a, const LayoutPoint &b) {
    lines_.add(
        {std::min(a.x, b.x) - thickness / 2, std::min(a.y, b.y), std::abs(b.x - a.x) + thickness, std::abs(b.y - a.y)},
        value_);
  }

  Occupancy &lines_;
  OpId value_ = noNode;
  llvm::DenseMap<std::tuple<long, long, int>, double> reached_; // start and direction -> length
};

/// Keeps labels off the head of an edge's arrow. Of many that end in one point one is enough.
class HeadMarker {
public:
  explicit HeadMarker(Occupancy &boxes) : boxes_(boxes) {}
  void add(const SceneEdge &edge) {
    if (edge.points.size() < 2)
      return;
    const LayoutPoint &end = edge.points.back();
    if (ends_.insert({std::lround(end.x), std::lround(end.y)}).second)
      boxes_.add({end.x - headWidth / 2, end.y - headHeight, headWidth, headHeight});
  }

private:
  Occupancy &boxes_;
  llvm::DenseSet<std::pair<long, long>> ends_;
};

/// Moves a title to where no line runs through it, if its box has such a place.
void placeTitle(SceneCluster &cluster, Obstacles &obstacles) {
  constexpr double step = 12, height = 18;
  double width = textWidth(cluster.label, titleSize), last = cluster.rect.w - titleInset - width;
  LayoutRect title{cluster.rect.x + titleInset, cluster.rect.y + 3, width, height};
  for (double at = titleInset; at <= last; at += step) {
    title.x = cluster.rect.x + at;
    if (obstacles.lines.isFree({title.x - 3, title.y, width + 6, height}))
      break;
    title.x = cluster.rect.x + titleInset;
  }
  cluster.titleAt = {title.x, cluster.rect.y + titleBaseline};
  obstacles.boxes.add(title);
}

} // namespace

void placeLabels(Scene &scene) {
  // Nobody reads all labels of a picture this large; the window finds room for those it shows.
  constexpr size_t mostEdges = 20000;
  if (scene.edges.size() > mostEdges) {
    for (SceneCluster &cluster : scene.clusters)
      cluster.titleAt = {cluster.rect.x + titleInset, cluster.rect.y + titleBaseline};
    return;
  }
  size_t expected = scene.nodes.size() + scene.edges.size();
  Obstacles obstacles{{scene.bounds, expected}, {scene.bounds, expected}, {scene.bounds, expected}};
  for (const SceneNode &node : scene.nodes)
    obstacles.boxes.add(node.rect);
  LineTracer tracer(obstacles.lines);
  HeadMarker heads(obstacles.boxes);
  for (const SceneEdge &edge : scene.edges) {
    tracer.add(edge.points, edge.from);
    heads.add(edge);
  }
  for (SceneCluster &cluster : scene.clusters) {
    const LayoutRect &box = cluster.rect;
    obstacles.borders.add({box.x, box.y - 1, box.w, 2});
    obstacles.borders.add({box.x, box.y + box.h - 1, box.w, 2});
    obstacles.borders.add({box.x - 1, box.y, 2, box.h});
    obstacles.borders.add({box.x + box.w - 1, box.y, 2, box.h});
    placeTitle(cluster, obstacles);
  }
  // Edges of one value say the same: the first one says it, others far from it again.
  constexpr double far = 400;
  OpId source = noNode;
  SharedText said;
  LayoutRect where;
  std::vector<size_t> order(scene.edges.size());
  for (size_t e = 0; e < order.size(); ++e)
    order[e] = e;
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return scene.edges[a].from < scene.edges[b].from; });
  for (size_t e : order) {
    SceneEdge &edge = scene.edges[e];
    if (edge.scalar || edge.label.empty() || edge.points.size() < 2)
      continue;
    const LayoutPoint &end = edge.points.back();
    if (edge.from == source && edge.label == said && std::hypot(end.x - where.x, end.y - where.y) < far)
      continue;
    if (placeLabel(edge, textWidth(edge.label, smallSize) + 2, scene.bounds, obstacles)) {
      source = edge.from;
      said = edge.label;
      where = edge.labelRect;
    }
  }
}

} // namespace fuselage

#include "views/graph/PreparedScene.h"
#include "views/graph/LineClip.h"
#include <QRegularExpression>
#include <algorithm>
#include <array>
#include <cmath>

namespace fuselage {

PreparedScene::PreparedScene(SceneData data) : data_(std::move(data)), bounds_(data_.bounds) {
  std::vector<QRectF> nodeRects;
  nodeRects.reserve(data_.nodes.size());
  nodeById_.reserve(data_.nodes.size());
  for (int i = 0; i < data_.nodes.size(); ++i) {
    nodeById_.insert(data_.nodes[i].id, i);
    nodeRects.push_back(data_.nodes[i].rect);
    bounds_ |= data_.nodes[i].rect;
  }
  for (int i = 0; i < data_.clusters.size(); ++i) {
    clusterById_.insert(data_.clusters[i].id, i);
    bounds_ |= data_.clusters[i].rect;
  }
  targets_.reserve(data_.edges.size());
  sources_.reserve(data_.edges.size());
  edgeRects_.reserve(data_.edges.size());
  for (int i = 0; i < data_.edges.size(); ++i) {
    const EdgeData &edge = data_.edges[i];
    targets_.push_back(nodeIndex(edge.to));
    sources_.push_back(nodeIndex(edge.from));
    edgeRects_.push_back(edge.points.boundingRect().adjusted(-6, -6, 6, 6));
  }
  into_.build(data_.nodes.size(), targets_);
  outOf_.build(data_.nodes.size(), sources_);
  numberWords();
  // Some hundred cells a side are enough for any size; a cell holds a handful of nodes.
  double cell = std::max({240.0, bounds_.width() / 512, bounds_.height() / 512});
  nodeGrid_.build(nodeRects, bounds_, cell);
  edgeGrid_.build(edgeRects_, bounds_, cell * 2);
}

QRectF PreparedScene::rectOf(NodeId id) const {
  if (int node = nodeIndex(id); node >= 0)
    return data_.nodes[node].rect;
  int cluster = clusterIndex(id);
  return cluster >= 0 ? data_.clusters[cluster].rect : QRectF();
}

QRectF PreparedScene::rectOf(const QList<NodeId> &ids) const {
  QRectF all;
  for (NodeId id : ids)
    all |= rectOf(id);
  return all;
}

/// Bends are rounded, but no further than this: the polyline keeps clear of boxes, so must the curve.
static constexpr double largestRadius = 32;

/// Goes on to the bend at `bend`, and around it.
static void addBend(QPainterPath &path, QPointF before, QPointF bend, QPointF after) {
  const QPointF in = before - bend, out = after - bend;
  const double inLength = std::hypot(in.x(), in.y()), outLength = std::hypot(out.x(), out.y());
  const double radius = std::min({largestRadius, inLength / 2, outLength / 2});
  if (radius < 1)
    return path.lineTo(bend);
  path.lineTo(bend + in * (radius / inLength));
  path.quadTo(bend, bend + out * (radius / outLength));
}

QPainterPath PreparedScene::edgePath(int index) const {
  const QPolygonF &points = data_.edges[index].points;
  QPainterPath path;
  if (points.size() < 2)
    return path;
  path.moveTo(points.first());
  if (points.size() == 2) {
    QPointF a = points[0], b = points[1];
    double reach = std::abs(b.x() - a.x()) < 1 ? 0 : (b.y() - a.y()) * 0.45;
    path.cubicTo(a + QPointF(0, reach), b - QPointF(0, reach), b);
    return path;
  }
  for (int i = 1; i + 1 < points.size(); ++i)
    addBend(path, points[i - 1], points[i], points[i + 1]);
  path.lineTo(points.last());
  return path;
}

/// The part of a curve between two of its points, as shares of it.
static QPainterPath partOfCurve(std::array<QPointF, 4> curve, double from, double to) {
  // de Casteljau: what comes before a share of the curve, or after it.
  const auto cut = [](std::array<QPointF, 4> c, double t, bool keepsFirst) {
    const auto between = [t](QPointF a, QPointF b) { return a + (b - a) * t; };
    const QPointF ab = between(c[0], c[1]), bc = between(c[1], c[2]), cd = between(c[2], c[3]);
    const QPointF abc = between(ab, bc), bcd = between(bc, cd), middle = between(abc, bcd);
    return keepsFirst ? std::array{c[0], ab, abc, middle} : std::array{middle, bcd, cd, c[3]};
  };
  curve = cut(curve, to, true);
  if (to > 0)
    curve = cut(curve, from / to, false);
  QPainterPath path(curve[0]);
  path.cubicTo(curve[1], curve[2], curve[3]);
  return path;
}

QList<PreparedScene::EdgePart> PreparedScene::edgeParts(int index, const QRectF &area) const {
  const QPolygonF &points = data_.edges[index].points;
  const QRectF wide = area.adjusted(-area.width() / 2, -area.height() / 2, area.width() / 2, area.height() / 2);
  if (points.size() < 2 || wide.contains(edgeRects_[index]))
    return {{.path = edgePath(index), .start = 0}};
  const auto length = [&](qsizetype i) {
    return std::hypot(points[i + 1].x() - points[i].x(), points[i + 1].y() - points[i].y());
  };
  if (points.size() == 2) {
    // It goes down and to one side, never back.
    const QPointF a = points[0], b = points[1];
    const double reach = std::abs(b.x() - a.x()) < 1 ? 0 : (b.y() - a.y()) * 0.45;
    const std::array curve{a, a + QPointF(0, reach), b - QPointF(0, reach), b};
    const auto shareAt = [&](double y) {
      double low = 0, high = 1;
      for (int i = 0; i < 40; ++i) {
        const double t = (low + high) / 2, s = 1 - t;
        const double at = s * s * s * curve[0].y() + 3 * s * s * t * curve[1].y() + 3 * s * t * t * curve[2].y() +
                          t * t * t * curve[3].y();
        ((at < y) == (b.y() > a.y()) ? low : high) = t;
      }
      return low;
    };
    double from = shareAt(wide.top()), to = shareAt(wide.bottom());
    if (from > to)
      std::swap(from, to);
    return {{.path = partOfCurve(curve, from, std::max(to, from + 1e-6)), .start = from * length(0)}};
  }
  QList<EdgePart> parts;
  double before = 0; // of the line
  bool isOpen = false;
  for (qsizetype i = 0; i + 1 < points.size(); before += length(i), ++i) {
    double from, to;
    if (!clipLine(wide, points[i], points[i + 1], from, to)) {
      isOpen = false;
      continue;
    }
    const QPointF way = points[i + 1] - points[i];
    if (!isOpen)
      parts.append({.path = QPainterPath(points[i] + way * from), .start = before + from * length(i)});
    isOpen = to >= 1 && i + 2 < points.size();
    if (isOpen)
      addBend(parts.last().path, points[i], points[i + 1], points[i + 2]);
    else
      parts.last().path.lineTo(points[i] + way * to);
  }
  return parts;
}

/// Edges whose end is not in the scene (-1) are left out.
void PreparedScene::Adjacency::build(size_t nodes, const std::vector<int> &nodeOfEdge) {
  starts.assign(nodes + 1, 0);
  for (int node : nodeOfEdge)
    if (node >= 0)
      ++starts[node + 1];
  for (size_t node = 0; node < nodes; ++node)
    starts[node + 1] += starts[node];
  edges.resize(starts.back());
  std::vector<int> next(starts.begin(), starts.end() - 1);
  for (size_t edge = 0; edge < nodeOfEdge.size(); ++edge)
    if (nodeOfEdge[edge] >= 0)
      edges[next[nodeOfEdge[edge]]++] = int(edge);
}

std::span<const int> PreparedScene::Adjacency::of(int node) const {
  if (node < 0 || size_t(node) + 1 >= starts.size())
    return {};
  return std::span(edges).subspan(starts[node], starts[node + 1] - starts[node]);
}

NodeFlags PreparedScene::reach(const QList<NodeId> &ids, bool inputs, bool outputs) const {
  NodeFlags all(data_.nodes.size());
  const auto follow = [&](bool against) {
    NodeFlags seen(data_.nodes.size());
    std::vector<int> work;
    const auto visit = [&](int node) {
      if (node < 0 || seen[node])
        return;
      seen[node] = all[node] = true;
      work.push_back(node);
    };
    for (const NodeId id : ids)
      visit(nodeIndex(id));
    while (!work.empty()) {
      const int node = work.back();
      work.pop_back();
      for (const int edge : (against ? into_ : outOf_).of(node))
        visit((against ? sources_ : targets_)[edge]);
    }
  };
  if (inputs)
    follow(true);
  if (outputs)
    follow(false);
  return all;
}

/// Nodes of a scene that was read share the texts that they have in common.
void PreparedScene::numberWords() {
  QHash<const QChar *, int> known;
  const auto numberOf = [&](const QString &text) {
    const auto next = known.constFind(text.constData());
    if (next != known.cend())
      return *next;
    words_.append(text);
    known.insert(text.constData(), int(words_.size()) - 1);
    return int(words_.size()) - 1;
  };
  titles_.reserve(data_.nodes.size());
  subtitles_.reserve(data_.nodes.size());
  for (const NodeData &node : std::as_const(data_.nodes)) {
    titles_.push_back(numberOf(node.title));
    subtitles_.push_back(numberOf(node.subtitle));
  }
}

NodeFlags PreparedScene::find(const QRegularExpression &expression) const {
  std::vector<char> matching(words_.size());
  for (qsizetype i = 0; i < words_.size(); ++i)
    matching[i] = expression.match(words_[i]).hasMatch();
  NodeFlags found(data_.nodes.size());
  for (size_t node = 0; node < found.size(); ++node)
    found[node] = matching[titles_[node]] || matching[subtitles_[node]];
  return found;
}

int PreparedScene::nodeAt(QPointF point) const {
  int found = -1;
  nodeGrid_.query(QRectF(point, QSizeF(0, 0)), [&](int node) {
    if (data_.nodes[node].rect.contains(point))
      found = std::max(found, node);
  });
  return found;
}

/// Distance of a point from a segment.
static double distance(QPointF p, QPointF a, QPointF b) {
  QPointF along = b - a;
  double length = QPointF::dotProduct(along, along);
  double t = length > 0 ? std::clamp(QPointF::dotProduct(p - a, along) / length, 0.0, 1.0) : 0.0;
  QPointF off = p - (a + along * t);
  return std::hypot(off.x(), off.y());
}

int PreparedScene::edgeAt(QPointF point, double tolerance) const {
  int found = -1;
  double best = tolerance;
  QRectF area(point.x() - tolerance, point.y() - tolerance, 2 * tolerance, 2 * tolerance);
  // A curve cuts the corners of its polyline, but keeps within this of it.
  constexpr double deviation = 34;
  // Where thousands of lines meet, those are measured whose polylines come nearest.
  constexpr size_t mostMeasured = 64;
  std::vector<std::pair<double, int>> near;
  edgeGrid_.query(area, [&](int edge) {
    const QPolygonF &points = data_.edges[edge].points;
    double polyline = std::numeric_limits<double>::max();
    for (int i = 0; i + 1 < points.size(); ++i)
      polyline = std::min(polyline, distance(point, points[i], points[i + 1]));
    if (points.size() == 2 || polyline <= best + deviation)
      near.emplace_back(polyline, edge);
  });
  if (near.size() > mostMeasured) {
    std::partial_sort(near.begin(), near.begin() + mostMeasured, near.end());
    near.resize(mostMeasured);
  }
  for (const auto &[polyline, edge] : near) {
    for (const QPolygonF &piece : edgePath(edge).toSubpathPolygons()) {
      for (int i = 0; i + 1 < piece.size(); ++i) {
        double d = distance(point, piece[i], piece[i + 1]);
        if (d < best)
          best = d, found = edge;
      }
    }
  }
  return found;
}

int PreparedScene::clusterAt(QPointF point) const {
  for (int i = int(data_.clusters.size()) - 1; i >= 0; --i)
    if (data_.clusters[i].rect.contains(point))
      return i;
  return -1;
}

int PreparedScene::nearestNode(QPointF point) const {
  int found = -1;
  double best = std::numeric_limits<double>::max();
  for (int i = 0; i < data_.nodes.size(); ++i) {
    QPointF off = data_.nodes[i].rect.center() - point;
    double d = QPointF::dotProduct(off, off);
    if (d < best)
      best = d, found = i;
  }
  return found;
}

} // namespace fuselage

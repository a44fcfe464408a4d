// A SceneData with the indices that painting, hit tests and walking need.
#pragma once
#include "views/common/SceneData.h"
#include "views/graph/SpatialGrid.h"
#include <QPainterPath>
#include <span>
#include <vector>

class QRegularExpression;

namespace fuselage {

/// Which nodes, by index; empty: none.
using NodeFlags = std::vector<bool>;
inline bool isSet(const NodeFlags &flags, int node) { return node >= 0 && size_t(node) < flags.size() && flags[node]; }

/// Immutable after construction; nodes, edges and clusters are named by their index in the data.
class PreparedScene {
public:
  PreparedScene() = default;
  /// Any thread will do.
  explicit PreparedScene(SceneData data);

  const SceneData &data() const { return data_; }
  bool isEmpty() const { return data_.nodes.isEmpty() && data_.clusters.isEmpty(); }
  const QRectF &bounds() const { return bounds_; }

  int nodeIndex(NodeId id) const { return nodeById_.value(id, -1); }
  int clusterIndex(NodeId id) const { return clusterById_.value(id, -1); }
  bool contains(NodeId id) const { return nodeById_.contains(id) || clusterById_.contains(id); }
  /// Of a node or a cluster; null if there is none.
  QRectF rectOf(NodeId id) const;
  QRectF rectOf(const QList<NodeId> &ids) const;

  const SpatialGrid &nodeGrid() const { return nodeGrid_; }
  const SpatialGrid &edgeGrid() const { return edgeGrid_; }
  const QRectF &edgeRect(int edge) const { return edgeRects_[edge]; }
  /// The smooth curve of an edge, from box to box.
  QPainterPath edgePath(int edge) const;
  /// A piece of an edge's curve, and how far along the line it begins, in scene px.
  struct EdgePart {
    QPainterPath path;
    double start = 0;
  };
  /// What of the curve is in an area, and not much more of it: to stroke a curve costs its length.
  QList<EdgePart> edgeParts(int edge, const QRectF &area) const;

  /// Edges that end, or begin, in a node.
  std::span<const int> edgesInto(NodeId id) const { return into_.of(nodeIndex(id)); }
  std::span<const int> edgesOutOf(NodeId id) const { return outOf_.of(nodeIndex(id)); }
  /// The nodes at the ends of an edge; -1: that end is not in the scene.
  int sourceOf(int edge) const { return sources_[edge]; }
  int targetOf(int edge) const { return targets_[edge]; }
  /// The nodes that are reached from `ids` against or along the edges, `ids` included.
  NodeFlags reach(const QList<NodeId> &ids, bool inputs, bool outputs) const;
  /// The nodes whose title or subtitle matches. Words that several nodes have are looked at once.
  NodeFlags find(const QRegularExpression &expression) const;

  /// Innermost item under a point; -1: none.
  int nodeAt(QPointF point) const;
  int edgeAt(QPointF point, double tolerance) const;
  int clusterAt(QPointF point) const;
  /// The node closest to a point; -1 in an empty scene.
  int nearestNode(QPointF point) const;

private:
  SceneData data_;
  QRectF bounds_;
  QHash<NodeId, int> nodeById_, clusterById_;
  /// Edges by node, flat (CSR).
  struct Adjacency {
    std::vector<int> starts, edges;
    void build(size_t nodes, const std::vector<int> &nodeOfEdge);
    std::span<const int> of(int node) const;
  };
  Adjacency into_, outOf_;
  void numberWords();
  std::vector<QRectF> edgeRects_;
  std::vector<int> sources_, targets_;  ///< by edge
  QList<QString> words_;                ///< titles and subtitles, each once
  std::vector<int> titles_, subtitles_; ///< by node: which words these are
  SpatialGrid nodeGrid_, edgeGrid_;
};

} // namespace fuselage

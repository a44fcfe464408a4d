// The layered layout of nested clusters: a level for the page and one for the inside of each cluster.
// Internal to core/graph.
#pragma once
#include "core/graph/layout/LayerGraph.h"

namespace fuselage {

/// Where an edge crosses a cluster's border. One a cluster, value and direction.
struct LayoutPort {
  int cluster;
  int value; // end id of the source
  bool in;
  int inner = -1; // the edge inside that starts or ends here (out-ports)
  int outer = -1; // the edge outside that ends here (in-ports)
  double x = 0;   // from the cluster's left border
  double hint = NAN;
};

/// A part of an edge that lies on one level. Ends are item ids, with the port where the item is a
/// cluster that the edge passes into.
struct LayoutPart {
  int level;
  int from, fromPort, to, toPort;
  int value;
};

/// Cuts edges at the borders that they cross (LayoutBorders.cpp), lays out every level by itself, inner
/// before outer (LayoutLevels.cpp), and puts places and edges together.
///
/// Item ids: nodes, then clusters, then ports. Level 0 is the page, level c + 1 is inside cluster c.
class LayoutHierarchy {
public:
  LayoutHierarchy(const LayoutGraph &graph, const std::atomic<bool> *cancelled, LayoutResult &result)
      : graph_(graph), cancelled_(cancelled), result_(result), nodeCount_(graph.nodes.size()),
        clusterCount_(graph.clusters.size()), firstPort_(nodeCount_ + clusterCount_) {}
  /// False if cancelled.
  bool run();

private:
  /// A connected component of a level: a run of `order_` and of `levelOrder_`, and where it lies.
  struct Component {
    int firstItem, lastItem;
    size_t firstPart, lastPart;
    double w = 0, h = 0, x = 0, y = 0;
    bool ports = false; ///< it touches the border
  };

  int parentOf(int end) const {
    return end < nodeCount_ ? graph_.nodes[end].cluster : graph_.clusters[end - nodeCount_].parent;
  }
  void measureClusters();
  void splitEdges();
  void splitEdge(int edge);
  int addPort(int cluster, int value, bool in);
  int addPart(int cluster, int from, int fromPort, int to, int toPort, int value);
  void hintPorts();
  void joinEdges();

  void groupByLevel();
  LayerItem makeItem(int id) const;
  void findComponents(int level);
  void sortByComponent(int level);
  bool layoutComponent(int level, Component &component);
  bool layoutLevel(int level);
  LayoutPoint packComponents(int level);
  void placeComponents(int level, LayoutPoint size);
  void placeOrigins();

  const LayoutGraph &graph_;
  const std::atomic<bool> *cancelled_;
  LayoutResult &result_;
  int nodeCount_, clusterCount_, firstPort_;
  std::vector<int> depth_, firstNode_;
  std::vector<double> hint_;
  std::vector<LayoutPort> ports_;
  std::vector<LayoutPart> parts_;
  std::vector<int> outPort_, inPort_, directPart_; // of the value at hand, see splitEdges
  std::vector<int> edgeParts_, edgePartStart_;     // parts of an edge, in order
  std::vector<int> down_;
  Rows<int> items_, levelParts_;
  std::vector<LayoutRect> rect_; // by item id, within its level
  std::vector<std::vector<LayoutPoint>> partRoute_;
  std::vector<LayoutPoint> origin_; // by level
  // Of the level at hand.
  std::vector<int> local_, component_, group_;   // by item id: its place; by place: its component
  std::vector<int> order_, levelOrder_, within_; // items and parts by component
  std::vector<Component> components_;
  LayerGraph levelGraph_;
  LayerLayout layerLayout_;
};

} // namespace fuselage

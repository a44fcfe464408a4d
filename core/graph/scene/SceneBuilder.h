// Graph + options -> what is visible, before layout. Internal to core/graph.
#pragma once
#include "core/analysis/costs/ValueBytes.h"
#include "core/graph/model/RepeatClusters.h"
#include "core/graph/scene/Scene.h"
#include "llvm/ADT/DenseMap.h"

namespace fuselage {

/// Chooses what of a Graph is drawn and how it is called; leaves rectangles and points open.
class SceneBuilder {
public:
  SceneBuilder(const Graph &graph, const SceneOptions &options) : graph_(graph), options_(options) {}
  /// Failure: options.function names none.
  llvm::Error select();

  Scene scene;        ///< without places
  LayoutGraph layout; ///< nodes, edges and clusters in the scene's order

private:
  void numberDispatches();
  void addFunction(const FunctionGraph &function, size_t index);
  void chooseClusters();
  void placeNodes();
  bool isFolded(const GraphNode &node) const;
  bool isVisible(const GraphNode &node) const { return visible_[&node - function_->nodes.data()]; }
  ClusterOptions clusterOptions() const;
  const GraphCluster &clusterAt(int cluster) const { return *tree_.clusters[cluster]; }
  int clusterOf(const GraphNode &node) const { return tree_.ofNode[&node - function_->nodes.data()]; }
  void addNode(const GraphNode &node, int sceneCluster);
  void addCall(const GraphNode &node, size_t callee, int sceneCluster);
  void addInside(int box, size_t callee);
  void addCollapsed(int cluster, int sceneCluster);
  void countHidden();
  void addEdges();
  SharedText edgeLabel(const SharedText &type, size_t values, const Bytes &bytes);
  void addPorts();
  void showPorts();
  GraphValue throughYields(GraphValue value) const;
  OpId throughEntries(OpId to, unsigned operand) const;
  int endOf(OpId id) const;
  void size(size_t node);
  int globalDispatch(int dispatch) const;

  const Graph &graph_;
  const SceneOptions &options_;
  std::vector<std::vector<int>> dispatchNumbers_; // by function: index there -> index in the scene

  std::map<OpId, size_t> callees_;                  // calls of outlined dispatches of the function at hand
  std::vector<std::pair<int, size_t>> openedCalls_; // scene cluster, function to be drawn in it

  // of the function at hand
  const FunctionGraph *function_ = nullptr;
  size_t functionIndex_ = 0;
  VisibleClusters tree_;
  enum class Drawn : char { Box, Collapsed, Dissolved, Hidden };
  std::vector<Drawn> drawn_;         // by cluster
  std::vector<int> sceneCluster_;    // by cluster: the innermost scene cluster it is drawn as or in
  std::vector<int> collapsedInto_;   // by cluster: outermost collapsed cluster around it, or -1
  std::vector<int> collapsedNode_;   // by cluster: scene node, or -1
  llvm::DenseMap<OpId, int> nodeAt_; // graph node -> index in function
  llvm::DenseMap<OpId, int> clusterAt_;
  llvm::DenseMap<OpId, int> sceneNodeAt_, sceneCallAt_;
  llvm::DenseMap<OpId, int> sceneClusterAt_; // over all functions: containers are shared
  std::vector<char> hasInput_;               // by node
  std::vector<char> visible_;                // by node: it is not folded
  SharedTexts texts_;
  /// By the characters of the type, the number of values, their bytes and whether these are an upper bound.
  llvm::DenseMap<std::tuple<const char *, size_t, int64_t, int>, SharedText> labels_;
};

/// Finds room for the labels of a scene that is laid out: beside the lines, on no box, on no other
/// label. In a very large scene edges get none, and titles stand at the left.
void placeLabels(Scene &scene);

} // namespace fuselage

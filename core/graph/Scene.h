// What is drawn: the visible part of a Graph, laid out. The window paints it, exporters write it.
#pragma once
#include "core/graph/Graph.h"
#include "core/graph/Layout.h"
#include <set>

namespace fuselage {

struct SceneOptions {
  enum class Level { Ops, Dispatches } level = Level::Ops; ///< Dispatches: every dispatch collapsed
  LayoutEngine engine = LayoutEngine::Layered;
  bool foldConstants = true; ///< hide constants and tensor.empty
  std::set<OpId> collapsed, expanded; ///< clusters toggled by hand, by op id
  std::string function; ///< empty: all
};

/// A node or a collapsed cluster.
struct SceneNode {
  OpId id = 0;
  std::string title, subtitle; ///< subtitle: result type
  NodeKind kind = NodeKind::Other;
  int dispatch = -1; ///< unique over all functions of the scene
  bool collapsedCluster = false;
  unsigned hidden = 0; ///< nodes inside a collapsed cluster
  LayoutRect rect;
};
struct SceneEdge {
  OpId from = 0, to = 0;
  std::string label; ///< "128x768xf32 · 384 KiB"
  int64_t bytes = -1;
  std::vector<LayoutPoint> points;
};
struct SceneCluster {
  OpId id = 0;
  std::string label;
  GraphCluster::Kind kind = GraphCluster::Kind::Region;
  int dispatch = -1;
  int depth = 0;
  LayoutRect rect;
};
struct Scene {
  std::vector<SceneNode> nodes;
  std::vector<SceneEdge> edges;
  std::vector<SceneCluster> clusters; ///< outer before inner
  LayoutRect bounds;
};

llvm::Expected<Scene> buildScene(const Graph &graph, const SceneOptions &options,
                                 const std::atomic<bool> *cancelled = nullptr);
llvm::json::Value toJSON(const Scene &scene);

/// Writes dot, svg, png, pdf or json, by the ending of `path` ('-' with `format` for stdout).
/// PNG and PDF are the SVG rendered by librsvg, so every picture is the same picture.
llvm::Error exportGraph(const Graph &graph, const SceneOptions &options, llvm::StringRef path,
                        llvm::StringRef format = "");

} // namespace fuselage

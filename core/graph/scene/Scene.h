// What is drawn: the visible part of a Graph, laid out. The window paints it, exporters write it.
#pragma once
#include "core/graph/layout/Layout.h"
#include "core/graph/model/Graph.h"
#include "core/graph/scene/EdgeVerdicts.h"
#include <map>
#include <set>

namespace fuselage {

struct SceneOptions {
  enum class Level { Ops, Dispatches } level = Level::Ops; ///< Dispatches: every dispatch collapsed
  LayoutEngine engine = LayoutEngine::Layered;
  /// Draw weights and constants as ports of the ops that read them; hide tensor.empty, and terminators whose values
  /// leave their region one by one (the edges then start at what is yielded).
  bool foldConstants = true;
  std::set<OpId> portsOf; ///< ops whose weights and constants are drawn as nodes all the same
  /// Layers and other parts of the model as boxes, and of equal layers without names the first with the others
  /// collapsed into it; or every node for itself. Auto: Collapse where a function shows more than `manyNodes` nodes,
  /// and parts with names from `someNodes` on.
  enum class Repeats { Auto, Collapse, Expand } repeats = Repeats::Auto;
  static constexpr unsigned manyNodes = 400, someNodes = 120;
  std::set<OpId> collapsed, expanded; ///< clusters toggled by hand, by op id
  bool openAll = false;               ///< every box is open, whatever `level` and `collapsed` say
  std::string function;               ///< empty: all
  /// Middles of nodes in a picture shown before, by id in this graph: they keep their order, so that
  /// what a step left alone stays in place (layered layout only).
  std::map<OpId, LayoutPoint> hints;
};

/// What a node reads of the model rather than of other nodes: a weight, or a constant of more than one element.
struct ScenePort {
  OpId id = 0;
  std::string text; ///< "encoder.layer.3.output.dense.weight · 768x3072xf32"
};

/// A node or a collapsed cluster.
struct SceneNode {
  OpId id = 0;
  SharedText title, subtitle; ///< subtitle: result type
  NodeKind kind = NodeKind::Other;
  int dispatch = -1; ///< unique over all functions of the scene
  bool collapsedCluster = false;
  unsigned hidden = 0;          ///< ops inside a collapsed cluster
  unsigned count = 0;           ///< equal instances that a collapsed cluster stands for; 0: it is no repeat
  int cluster = -1;             ///< index into Scene::clusters
  std::vector<ScenePort> ports; ///< the first ones of a node that has very many
  unsigned portCount = 0;
  LayoutRect rect;
};
/// An edge of the Graph that a line of the picture stands for.
struct SceneUse {
  OpId from = 0, to = 0;
  unsigned operand = 0;
};
/// Ends are ids of scene nodes or scene clusters.
struct SceneEdge {
  OpId from = 0, to = 0;
  std::vector<SceneUse> uses; ///< several where it stands for several values, or ends at a collapsed cluster
  SharedText label;           ///< "128x768xf32 · 384 KiB"
  int64_t bytes = -1;
  std::vector<LayoutPoint> points;
  bool scalar = false; ///< an index, a flag, ...: its label is for a tooltip, not for the picture
  /// Where the label (of smallSize) covers no box and no other label; w = 0: nowhere, do not draw.
  LayoutRect labelRect;
  EdgeLook look = EdgeLook::Plain; ///< see applyVerdicts
  unsigned missed = 0;             ///< values that are not fused
};
struct SceneCluster {
  OpId id = 0;
  std::string label;
  GraphCluster::Kind kind = GraphCluster::Kind::Region;
  int dispatch = -1;
  int depth = 0;
  int parent = -1; ///< index into Scene::clusters
  LayoutRect rect;
  LayoutPoint titleAt; ///< left end of the label's baseline
};
struct Scene {
  std::vector<SceneNode> nodes;
  std::vector<SceneEdge> edges;
  std::vector<SceneCluster> clusters;           ///< outer before inner
  std::vector<std::pair<OpId, OpId>> hiddenOps; ///< op in a collapsed cluster, or weight -> the node that stands for it
  LayoutRect bounds;
  OpId entry = noNode; ///< the box of the function in which the program begins
  /// By dispatch number, where the dispatch's root op comes from (GraphDispatch::loc): the way to
  /// know a dispatch again in another snapshot, or in the report of a run.
  std::vector<std::string> dispatchLocs;
  /// By dispatch number, which colour it has; its own number, unless somebody knows it from before (DispatchHues).
  std::vector<unsigned> dispatchHues;
  std::optional<VerdictCounts> legend; ///< of the edges' looks
};

/// Failure: no function of that name, or the layout failed or was cancelled.
llvm::Expected<Scene> buildScene(const Graph &graph, const SceneOptions &options,
                                 const std::atomic<bool> *cancelled = nullptr);
/// Gives the edges of a scene their looks, and the scene its legend.
void applyVerdicts(Scene &scene, const EdgeVerdicts &verdicts);
llvm::json::Value toJSON(const Scene &scene);
/// The same for programs, in a fraction of the time (PROTOCOL.md, "Packed scenes").
llvm::json::Value toPackedJSON(const Scene &scene);

/// The picture as text: an SVG document (light theme, a <title> for every node and edge), or a graph
/// for Graphviz.
std::string toSVG(const Scene &scene);
std::string toDOT(const Scene &scene);

/// Writes dot, svg, png, pdf or json, by the ending of `path` ('-' with `format` for stdout), with verdicts on
/// the edges where there are any. PNG and PDF are the SVG rendered by librsvg, so every picture is the same
/// picture; PNG at twice the size where that fits into an image. json is writeJSON() of the graph. A file is written
/// beside its place and then renamed. Failure: unknown format, no layout, or the file cannot be written.
llvm::Error exportGraph(const Graph &graph, const SceneOptions &options, llvm::StringRef path,
                        llvm::StringRef format = "", const EdgeVerdicts *verdicts = nullptr);
/// The same of a scene that is there already; json is not a picture.
llvm::Error exportScene(const Scene &scene, llvm::StringRef path, llvm::StringRef format = "");
/// Whether exportScene writes files of this name.
bool isPicture(llvm::StringRef path, llvm::StringRef format = "");

} // namespace fuselage

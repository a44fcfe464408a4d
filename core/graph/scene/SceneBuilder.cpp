#include "core/graph/scene/SceneBuilder.h"
#include "core/graph/model/PartTotals.h"
#include "core/graph/scene/SceneText.h"
#include "core/graph/scene/TextMetrics.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FormatVariadic.h"

namespace fuselage {

static constexpr double padX = 10, chevron = 10, oneLine = 26, twoLines = 40, leastWidth = 48;
static constexpr double titleHeight = 22, titleInset = 8;

/// One number a dispatch over all functions; an outlined dispatch and its function share theirs.
void SceneBuilder::numberDispatches() {
  std::map<std::string, int> outlined;
  int next = 0;
  dispatchNumbers_.resize(graph_.functions.size());
  for (size_t f = 0; f < graph_.functions.size(); ++f)
    for (const GraphDispatch &dispatch : graph_.functions[f].dispatches) {
      int number = next;
      if (!dispatch.function.empty())
        number = outlined.try_emplace(dispatch.function, next).first->second;
      if (number == next) {
        scene.dispatchLocs.push_back(dispatch.loc);
        scene.dispatchHues.push_back(number);
        ++next;
      }
      dispatchNumbers_[f].push_back(number);
    }
}

int SceneBuilder::globalDispatch(int dispatch) const {
  const auto &numbers = dispatchNumbers_[functionIndex_];
  return dispatch < 0 || dispatch >= static_cast<int>(numbers.size()) ? -1 : numbers[dispatch];
}

llvm::Error SceneBuilder::select() {
  numberDispatches();
  std::map<std::string, size_t> outlined; // what a node that calls it stands for
  llvm::StringSet<> called;
  for (size_t f = 0; f < graph_.functions.size(); ++f) {
    const FunctionGraph &function = graph_.functions[f];
    if (function.outlined)
      outlined[function.name] = f;
    else
      for (const GraphDispatch &dispatch : function.dispatches)
        called.insert(dispatch.function);
  }
  bool found = options_.function.empty();
  for (size_t f = 0; f < graph_.functions.size(); ++f) {
    const FunctionGraph &function = graph_.functions[f];
    if (!options_.function.empty() && function.name != options_.function)
      continue;
    found = true;
    // A function made from a dispatch is the node that calls it.
    if (options_.function.empty() && function.outlined && called.contains(function.name))
      continue;
    if (function.isEntry)
      scene.entry = function.id;
    callees_.clear();
    if (!function.outlined)
      for (const GraphNode &node : function.nodes)
        if (node.kind == NodeKind::Dispatch && node.dispatch >= 0)
          if (auto callee = outlined.find(function.dispatches[node.dispatch].function); callee != outlined.end())
            callees_[node.id] = callee->second;
    addFunction(function, f);
    std::vector<std::pair<int, size_t>> opened = std::move(openedCalls_);
    openedCalls_.clear();
    callees_.clear();
    for (auto [box, callee] : opened)
      addInside(box, callee);
  }
  if (found)
    return llvm::Error::success();
  std::string names;
  for (const FunctionGraph &function : graph_.functions)
    if (!function.name.empty())
      names += (names.empty() ? "" : ", ") + function.name;
  return fail(llvm::formatv("no function is called '{0}'; the module has {1}", options_.function,
                            names.empty() ? "none" : names));
}

bool SceneBuilder::isFolded(const GraphNode &node) const {
  if (!options_.foldConstants)
    return false;
  if (node.kind == NodeKind::Constant || node.kind == NodeKind::Empty || node.isWeight)
    return true;
  if (node.kind != NodeKind::Return || node.cluster < 0)
    return false;
  const GraphCluster &cluster = function_->clusters[node.cluster];
  if (cluster.kind == GraphCluster::Kind::Function || cluster.id < plannedClusterBase / 2)
    return false; // the function's own return
  auto at = nodeAt_.find(node.id);
  if (at != nodeAt_.end() && !hasInput_[at->second])
    return true;
  return !cluster.yields.empty() && llvm::all_of(cluster.yields, [](const GraphValue &v) { return v.node != noNode; });
}

/// Small pictures show all there is.
ClusterOptions SceneBuilder::clusterOptions() const {
  using Repeats = SceneOptions::Repeats;
  bool all = options_.repeats == Repeats::Collapse, any = options_.repeats != Repeats::Expand;
  size_t shown = llvm::count(visible_, 1);
  return {.repeats = all || (any && shown > SceneOptions::manyNodes),
          .scopes = all || (any && shown > SceneOptions::someNodes)};
}

/// How each cluster is drawn: a box, one node, dissolved into its parent, or not at all.
void SceneBuilder::chooseClusters() {
  const auto &clusters = tree_.clusters;
  std::vector<int> visible(clusters.size(), 0);
  for (const GraphNode &node : function_->nodes)
    if (clusterOf(node) >= 0 && isVisible(node))
      ++visible[clusterOf(node)];
  drawn_.assign(clusters.size(), Drawn::Box);
  collapsedInto_.assign(clusters.size(), -1);
  sceneCluster_.assign(clusters.size(), -1);
  collapsedNode_.assign(clusters.size(), -1);
  for (size_t c = 0; c < clusters.size(); ++c) {
    const GraphCluster &cluster = *clusters[c];
    int parent = tree_.parent[c];
    int outer = parent < 0 ? -1 : sceneCluster_[parent];
    sceneCluster_[c] = outer;
    if (parent >= 0 && (drawn_[parent] == Drawn::Collapsed || drawn_[parent] == Drawn::Hidden)) {
      drawn_[c] = Drawn::Hidden;
      collapsedInto_[c] = drawn_[parent] == Drawn::Collapsed ? parent : collapsedInto_[parent];
      continue;
    }
    bool byDefault = tree_.startsCollapsed[c] || (options_.level == SceneOptions::Level::Dispatches &&
                                                  cluster.kind == GraphCluster::Kind::Dispatch);
    bool collapsed = !options_.openAll &&
                     (byDefault ? !options_.expanded.count(cluster.id) : options_.collapsed.count(cluster.id) > 0);
    auto node = nodeAt_.find(cluster.id);
    bool planned = cluster.kind == GraphCluster::Kind::Dispatch && node == nodeAt_.end();
    if (planned && visible[c] == 0) { // of weights alone
      drawn_[c] = Drawn::Dissolved;
      continue;
    }
    if (collapsed) {
      drawn_[c] = Drawn::Collapsed;
      continue;
    }
    // A planned dispatch of one op needs no box; a terminator's body (scf.in_parallel) neither.
    if ((planned && visible[c] == 1 && !options_.expanded.count(cluster.id)) ||
        (options_.foldConstants && node != nodeAt_.end() && function_->nodes[node->second].kind == NodeKind::Return)) {
      drawn_[c] = Drawn::Dissolved;
      continue;
    }
    auto [existing, added] = sceneClusterAt_.try_emplace(cluster.id, scene.clusters.size());
    sceneCluster_[c] = existing->second;
    if (!added)
      continue;
    int depth = outer < 0 ? 0 : scene.clusters[outer].depth + 1;
    SceneCluster box;
    box.id = cluster.id;
    box.label = elideText(cluster.label, titleSize, 2 * mostTitle);
    box.kind = cluster.kind;
    box.dispatch = globalDispatch(cluster.dispatch);
    box.depth = depth;
    box.parent = outer;
    LayoutGraph::Cluster place;
    place.parent = outer;
    place.titleWidth = textWidth(box.label, titleSize) + titleInset;
    place.titleHeight = titleHeight;
    scene.clusters.push_back(std::move(box));
    layout.clusters.push_back(place);
  }
}

/// Makes the box as wide as its words.
void SceneBuilder::size(size_t index) {
  SceneNode &node = scene.nodes[index];
  LayoutGraph::Node &box = layout.nodes[index];
  node.title = texts_.of(elideText(node.title, titleSize, mostTitle));
  node.subtitle = texts_.of(elideText(node.subtitle, smallSize, mostTitle));
  double text = std::max(textWidth(node.title, titleSize), textWidth(node.subtitle, smallSize));
  box.w = std::max(leastWidth, std::ceil(text) + 2 * padX + (node.collapsedCluster ? chevron : 0));
  box.h = node.subtitle.empty() ? oneLine : twoLines;
  if (auto hint = options_.hints.find(node.id); hint != options_.hints.end())
    box.hint = hint->second;
}

void SceneBuilder::addNode(const GraphNode &node, int sceneCluster) {
  SceneNode drawn;
  drawn.id = node.id;
  drawn.title = node.label;
  if (!node.types.empty()) {
    std::string type = shortType(node.types.front());
    if (node.types.size() > 1)
      type += llvm::formatv(" +{0}", node.types.size() - 1).str();
    drawn.subtitle = texts_.of(type);
  }
  drawn.kind = node.kind;
  drawn.dispatch = globalDispatch(node.dispatch);
  LayoutGraph::Node box;
  box.cluster = sceneCluster;
  box.pullToConsumer = node.kind == NodeKind::Constant || node.kind == NodeKind::Empty;
  sceneNodeAt_[node.id] = scene.nodes.size();
  scene.nodes.push_back(std::move(drawn));
  layout.nodes.push_back(box);
  size(scene.nodes.size() - 1);
}

/// A call that stands for a function: a box around that, or a node that can be opened.
void SceneBuilder::addCall(const GraphNode &node, size_t callee, int sceneCluster) {
  if (!options_.openAll && !options_.expanded.count(node.id)) {
    addNode(node, sceneCluster);
    SceneNode &drawn = scene.nodes.back();
    drawn.collapsedCluster = true;
    drawn.hidden = llvm::count_if(graph_.functions[callee].nodes,
                                  [](const GraphNode &inner) { return inner.kind != NodeKind::Argument; });
    return;
  }
  SceneCluster box;
  box.id = node.id;
  box.label = elideText(node.label, titleSize, 2 * mostTitle);
  box.kind = GraphCluster::Kind::Dispatch;
  box.dispatch = globalDispatch(node.dispatch);
  box.depth = sceneCluster < 0 ? 0 : scene.clusters[sceneCluster].depth + 1;
  box.parent = sceneCluster;
  LayoutGraph::Cluster place;
  place.parent = sceneCluster;
  place.titleWidth = textWidth(box.label, titleSize) + titleInset;
  place.titleHeight = titleHeight;
  openedCalls_.emplace_back(static_cast<int>(scene.clusters.size()), callee);
  sceneCallAt_[node.id] = static_cast<int>(scene.clusters.size());
  scene.clusters.push_back(std::move(box));
  layout.clusters.push_back(place);
}

/// Draws a function into a box that is there: the call's, whose border its body stands in.
void SceneBuilder::addInside(int box, size_t callee) {
  const FunctionGraph &function = graph_.functions[callee];
  for (const GraphCluster &cluster : function.clusters) {
    bool isNew = sceneClusterAt_.try_emplace(cluster.id, box).second;
    if (cluster.kind != GraphCluster::Kind::Function)
      continue;
    if (isNew)
      addFunction(function, callee);
    return;
  }
}

/// One node for a collapsed cluster: its name, how much is in there, what it computes.
void SceneBuilder::addCollapsed(int c, int sceneCluster) {
  const GraphCluster &cluster = clusterAt(c);
  SceneNode drawn;
  drawn.id = cluster.id;
  drawn.title = cluster.label;
  drawn.kind = cluster.kind == GraphCluster::Kind::Dispatch ? NodeKind::Dispatch : NodeKind::Control;
  drawn.dispatch = globalDispatch(cluster.dispatch);
  drawn.collapsedCluster = true;
  drawn.count = tree_.count[c];
  if (cluster.dispatch >= 0)
    drawn.subtitle = formatFlops(function_->dispatches[cluster.dispatch].flops);
  LayoutGraph::Node box;
  box.cluster = sceneCluster;
  collapsedNode_[c] = scene.nodes.size();
  scene.nodes.push_back(std::move(drawn));
  layout.nodes.push_back(box);
}

/// Counts what collapsed clusters hide, and says so in their subtitles: ops, and of parts of the model the dispatches
/// and what they read and write.
void SceneBuilder::countHidden() {
  for (const GraphNode &node : function_->nodes) {
    int c = clusterOf(node);
    if (c >= 0 && drawn_[c] == Drawn::Hidden)
      c = collapsedInto_[c];
    if (c < 0 || drawn_[c] != Drawn::Collapsed)
      continue;
    SceneNode &standsForIt = scene.nodes[collapsedNode_[c]];
    standsForIt.hidden += node.kind != NodeKind::Argument; // as countOps does
    if (node.id != standsForIt.id && isVisible(node))
      scene.hiddenOps.emplace_back(node.id, standsForIt.id);
  }
  std::optional<ModelParts> parts;
  for (size_t c = 0; c < drawn_.size(); ++c) {
    if (drawn_[c] != Drawn::Collapsed)
      continue;
    if (!parts)
      parts.emplace(*function_);
    SceneNode &node = scene.nodes[collapsedNode_[c]];
    const PartTotals *totals = parts->ofCluster(node.id);
    if (totals)
      node.hidden = totals->ops;
    std::string ops = llvm::formatv("{0} op{1}", node.hidden, node.hidden == 1 ? "" : "s");
    if (totals && totals->dispatches > 1) {
      ops += llvm::formatv(" \u00b7 {0} dispatches", totals->dispatches).str();
      if (std::string bytes = formatBytes(totals->bytes()); !bytes.empty())
        ops += (totals->bytesAtMost ? " \u00b7 at most " : " \u00b7 ") + bytes;
    }
    node.subtitle = node.subtitle.empty() ? ops : ops + " \u00b7 " + node.subtitle.str();
    size(collapsedNode_[c]);
  }
}

void SceneBuilder::placeNodes() {
  // Collapsed clusters stand where their first op is in program order.
  auto ensureCollapsed = [&](int c) {
    if (collapsedNode_[c] < 0)
      addCollapsed(c, sceneCluster_[c]);
  };
  for (const GraphNode &node : function_->nodes) {
    int c = clusterOf(node);
    if (c >= 0 && drawn_[c] == Drawn::Hidden)
      c = collapsedInto_[c];
    if (c >= 0 && drawn_[c] == Drawn::Collapsed) {
      ensureCollapsed(c);
      continue;
    }
    auto own = clusterAt_.find(node.id);
    if (own != clusterAt_.end()) {
      if (drawn_[own->second] == Drawn::Collapsed)
        ensureCollapsed(own->second);
      continue;
    }
    int box = c < 0 ? -1 : sceneCluster_[c];
    if (auto callee = callees_.find(node.id); callee != callees_.end())
      addCall(node, callee->second, box);
    else if (isVisible(node))
      addNode(node, box);
  }
  for (size_t c = 0; c < drawn_.size(); ++c)
    if (drawn_[c] == Drawn::Collapsed)
      ensureCollapsed(c);
}

void SceneBuilder::addFunction(const FunctionGraph &function, size_t index) {
  function_ = &function;
  functionIndex_ = index;
  nodeAt_.clear();
  clusterAt_.clear();
  sceneNodeAt_.clear();
  sceneCallAt_.clear();
  for (size_t n = 0; n < function.nodes.size(); ++n)
    nodeAt_[function.nodes[n].id] = n;
  hasInput_.assign(function.nodes.size(), 0);
  for (const GraphEdge &edge : function.edges)
    if (auto to = nodeAt_.find(edge.to); to != nodeAt_.end())
      hasInput_[to->second] = 1;
  visible_.clear();
  for (const GraphNode &node : function.nodes)
    visible_.push_back(!isFolded(node));
  ClusterOptions clusters = clusterOptions();
  // Fills are parts of what reads them; shared ones would tie all layers together.
  bool hasLayers = (clusters.scopes && !function.scopes.empty()) || (clusters.repeats && !function.repeats.empty());
  if (hasLayers && options_.foldConstants)
    for (size_t n = 0; n < function.nodes.size(); ++n)
      visible_[n] &= !function.nodes[n].isLeaf;
  showPorts();
  tree_ = clustersOf(function, clusters, visible_);
  for (size_t c = 0; c < tree_.clusters.size(); ++c)
    clusterAt_[tree_.clusters[c]->id] = c;
  chooseClusters();
  placeNodes();
  addPorts();
  countHidden();
  addEdges();
}

llvm::Expected<Scene> buildScene(const Graph &graph, const SceneOptions &options, const std::atomic<bool> *cancelled) {
  Scene scene;
  LayoutGraph layoutGraph;
  { // what it looks up is not kept through the layout
    SceneBuilder builder(graph, options);
    if (llvm::Error error = builder.select())
      return error;
    scene = std::move(builder.scene);
    layoutGraph = std::move(builder.layout);
  }
  // They grew node by node, and stay while the layout takes the most.
  scene.nodes.shrink_to_fit();
  scene.clusters.shrink_to_fit();
  layoutGraph.nodes.shrink_to_fit();
  layoutGraph.edges.shrink_to_fit();
  for (LayoutGraph::Edge &edge : layoutGraph.edges)
    for (int *end : {&edge.from, &edge.to})
      if (*end < 0)
        *end = layoutGraph.clusterEnd(-2 - *end);
  llvm::Expected<LayoutResult> places = layout(layoutGraph, options.engine, cancelled);
  if (!places)
    return places.takeError();
  for (size_t n = 0; n < scene.nodes.size(); ++n) {
    scene.nodes[n].cluster = layoutGraph.nodes[n].cluster;
    scene.nodes[n].rect = places->nodes[n];
  }
  for (size_t c = 0; c < scene.clusters.size(); ++c)
    scene.clusters[c].rect = places->clusters[c];
  size_t kept = 0;
  for (size_t e = 0; e < scene.edges.size(); ++e) {
    if (places->edges[e].size() < 2)
      continue; // from a cluster to its own inside
    scene.edges[e].points = std::move(places->edges[e]);
    if (kept != e)
      scene.edges[kept] = std::move(scene.edges[e]);
    ++kept;
  }
  scene.edges.resize(kept);
  scene.bounds = places->bounds;
  if (cancelled && cancelled->load())
    return fail("the layout was cancelled");
  placeLabels(scene);
  return scene;
}

} // namespace fuselage

#include "core/graph/scene/Scene.h"
#include "core/graph/scene/SceneBuilder.h"
#include "core/graph/scene/TextMetrics.h"
#include "tests/core/graph/TestModules.h"
#include "llvm/Support/Base64.h"
#include "llvm/Support/LEB128.h"
#include <algorithm>

using namespace fuselage;
using namespace fuselage::test;

namespace {

Scene mustBuild(const Graph &graph, const SceneOptions &options = {}) {
  llvm::Expected<Scene> scene = buildScene(graph, options);
  if (scene)
    return std::move(*scene);
  ADD_FAILURE() << takeFailure(scene.takeError()).message;
  return {};
}

const SceneNode *findTitle(const Scene &scene, llvm::StringRef prefix) {
  for (const SceneNode &node : scene.nodes)
    if (llvm::StringRef(node.title).starts_with(prefix))
      return &node;
  return nullptr;
}

bool hasEdge(const Scene &scene, OpId from, OpId to) {
  return std::any_of(scene.edges.begin(), scene.edges.end(),
                     [&](const SceneEdge &edge) { return edge.from == from && edge.to == to; });
}

TEST(Scene, FoldsConstantsAndEmpties) {
  Graph graph = Parsed(matmulBias).graph();
  Scene folded = mustBuild(graph);
  EXPECT_EQ(findTitle(folded, "constant"), nullptr);
  EXPECT_EQ(findTitle(folded, "empty"), nullptr);
  SceneOptions options;
  options.foldConstants = false;
  Scene full = mustBuild(graph, options);
  EXPECT_NE(findTitle(full, "constant"), nullptr);
  EXPECT_EQ(full.nodes.size(), folded.nodes.size() + 2);
}

TEST(Scene, DispatchLevelCollapsesDispatches) {
  Graph graph = Parsed(matmulBias).graph();
  SceneOptions options;
  options.level = SceneOptions::Level::Dispatches;
  Scene scene = mustBuild(graph, options);
  auto dispatch =
      std::find_if(scene.nodes.begin(), scene.nodes.end(), [](const SceneNode &node) { return node.collapsedCluster; });
  ASSERT_NE(dispatch, scene.nodes.end());
  EXPECT_EQ(dispatch->hidden, 4u); // fill, matmul, add, and the empty tensor that is folded away
  EXPECT_EQ(dispatch->kind, NodeKind::Dispatch);
  EXPECT_EQ(scene.nodes.size(), 5u); // three arguments, the dispatch, return
  EXPECT_TRUE(hasEdge(scene, -1, dispatch->id));

  options.expanded.insert(dispatch->id);
  EXPECT_NE(findTitle(mustBuild(graph, options), "matmul 128"), nullptr);
  options = {};
  options.collapsed.insert(dispatch->id);
  EXPECT_EQ(findTitle(mustBuild(graph, options), "matmul 128"), nullptr);
}

TEST(Scene, EdgesRunThroughOpenRegions) {
  Graph graph = Parsed(regions).graph();
  SceneOptions options;
  options.function = "loop";
  Scene scene = mustBuild(graph, options);
  const SceneNode *exp = findTitle(scene, "exp"), *ret = findTitle(scene, "return");
  ASSERT_TRUE(exp && ret);
  EXPECT_TRUE(hasEdge(scene, exp->id, ret->id));
  EXPECT_EQ(findTitle(scene, "yield"), nullptr);
  // The carried value: from the function's argument to the loop's.
  const GraphNode *carried = nullptr;
  for (const GraphNode &node : graph.functions[0].nodes)
    if (node.kind == NodeKind::Argument && node.cluster > 0)
      carried = &node;
  ASSERT_NE(carried, nullptr);
  EXPECT_TRUE(hasEdge(scene, -1, carried->id));

  options.function = "tiles";
  scene = mustBuild(graph, options);
  ASSERT_NE(findTitle(scene, "parallel_insert_slice"), nullptr);
  EXPECT_TRUE(hasEdge(scene, findTitle(scene, "parallel_insert_slice")->id, findTitle(scene, "return")->id));
}

TEST(Scene, CollapsedLoopIsOneNode) {
  Graph graph = Parsed(regions).graph();
  const GraphNode *loop = findNode(graph.functions[0], "for");
  SceneOptions options;
  options.function = "loop";
  options.collapsed.insert(loop->id);
  Scene scene = mustBuild(graph, options);
  const SceneNode *node = findTitle(scene, "for");
  ASSERT_NE(node, nullptr);
  EXPECT_TRUE(node->collapsedCluster);
  EXPECT_TRUE(hasEdge(scene, -1, node->id));
  EXPECT_TRUE(hasEdge(scene, node->id, findTitle(scene, "return")->id));
}

TEST(Scene, OutlinedDispatchSharesItsNumber) {
  Graph graph = Parsed(outlined).graph();
  Scene closed = mustBuild(graph);
  const SceneNode *call = findTitle(closed, "exp_16");
  ASSERT_NE(call, nullptr);
  EXPECT_EQ(findTitle(closed, "exp 16"), nullptr) << "the function is behind its call";
  SceneOptions options;
  options.expanded = {call->id};
  Scene open = mustBuild(graph, options);
  const SceneNode *inside = findTitle(open, "exp 16");
  ASSERT_NE(inside, nullptr);
  EXPECT_EQ(inside->dispatch, call->dispatch);
  for (const SceneNode &node : open.nodes)
    EXPECT_NE(node.id, call->id) << "it is the box around it now";
  options.expanded.clear();
  options.level = SceneOptions::Level::Dispatches;
  Scene dispatches = mustBuild(graph, options);
  EXPECT_EQ(findTitle(dispatches, "exp 16"), nullptr);
  EXPECT_NE(findTitle(dispatches, "exp_16"), nullptr);
}

TEST(Scene, BoxesFitTheirTextsAndLabelsCoverNothing) {
  Scene scene = mustBuild(Parsed(matmulBias).graph());
  unsigned labels = 0;
  for (const SceneNode &node : scene.nodes) {
    EXPECT_GE(node.rect.w, textWidth(node.title, titleSize));
    EXPECT_GE(node.rect.w, textWidth(node.subtitle, smallSize));
  }
  for (const SceneEdge &edge : scene.edges) {
    const LayoutRect &label = edge.labelRect;
    labels += label.w > 0;
    for (const SceneNode &node : scene.nodes)
      EXPECT_FALSE(label.w > 0 && label.x < node.rect.x + node.rect.w && node.rect.x < label.x + label.w &&
                   label.y < node.rect.y + node.rect.h && node.rect.y < label.y + label.h);
  }
  EXPECT_GE(labels, 4u);
  auto edge = std::find_if(scene.edges.begin(), scene.edges.end(), [](const SceneEdge &e) { return e.from == -1; });
  EXPECT_EQ(edge->label, "128x64xf32 \u00b7 32 KiB");
}

/// Eight values, each with a label, go to one op: no label lies on an arrow's head, a box or another label.
TEST(Scene, LabelsCoverNoHeadsWhereEdgesMeet) {
  std::string arguments, adds, last = "%x0";
  for (int i = 0; i < 8; ++i) {
    arguments += (i ? ", " : "") + ("%x" + std::to_string(i)) + ": tensor<512x8192xf32>";
    adds += "  %t" + std::to_string(i) + " = linalg.exp ins(%x" + std::to_string(i) +
            " : tensor<512x8192xf32>) outs(%e : tensor<512x8192xf32>) -> tensor<512x8192xf32>\n";
  }
  std::string operands, types, maps, names;
  for (int i = 0; i < 8; ++i) {
    operands += (i ? ", %t" : "%t") + std::to_string(i);
    types += std::string(i ? ", " : "") + "tensor<512x8192xf32>";
    maps += "#id, ";
    names += "%a" + std::to_string(i) + ": f32, ";
  }
  Scene scene = mustBuild(Parsed("#id = affine_map<(d0, d1) -> (d0, d1)>\nfunc.func @main(" + arguments +
                                 ") -> tensor<512x8192xf32> {\n  %e = tensor.empty() : tensor<512x8192xf32>\n" + adds +
                                 "  %r = linalg.generic {indexing_maps = [" + maps +
                                 "#id], iterator_types = [\"parallel\", \"parallel\"]} ins(" + operands + " : " +
                                 types + ") outs(%e : tensor<512x8192xf32>) {\n  ^bb0(" + names +
                                 "%o: f32):\n    %s = arith.addf %a0, %a7 : f32\n    linalg.yield %s : f32\n  } -> "
                                 "tensor<512x8192xf32>\n  return %r : tensor<512x8192xf32>\n}\n")
                              .graph());
  auto overlap = [](const LayoutRect &a, const LayoutRect &b) {
    return a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
  };
  unsigned labels = 0;
  for (const SceneEdge &edge : scene.edges) {
    if (edge.labelRect.w <= 0)
      continue;
    ++labels;
    for (const SceneEdge &other : scene.edges) {
      const LayoutPoint &end = other.points.back();
      EXPECT_FALSE(overlap(edge.labelRect, {end.x - 4, end.y - 10, 8, 10}));
      EXPECT_FALSE(&other != &edge && other.labelRect.w > 0 && overlap(edge.labelRect, other.labelRect));
    }
    for (const SceneNode &node : scene.nodes)
      EXPECT_FALSE(overlap(edge.labelRect, node.rect));
  }
  EXPECT_GE(labels, 8u);
}

TEST(Scene, UnknownFunctionIsAFailure) {
  SceneOptions options;
  options.function = "nope";
  llvm::Expected<Scene> scene = buildScene(Parsed(matmulBias).graph(), options);
  ASSERT_FALSE(static_cast<bool>(scene));
  std::string message = takeFailure(scene.takeError()).message;
  EXPECT_NE(message.find("nope"), std::string::npos);
  EXPECT_NE(message.find("main"), std::string::npos);
}

TEST(Scene, CancelledAndEmpty) {
  std::atomic<bool> cancelled = true;
  llvm::Expected<Scene> scene = buildScene(Parsed(matmulBias).graph(), {}, &cancelled);
  EXPECT_FALSE(static_cast<bool>(scene));
  llvm::consumeError(scene.takeError());
  EXPECT_TRUE(mustBuild({}).nodes.empty());
}

TEST(Scene, JsonHasTheProtocolsNames) {
  llvm::json::Value json = toJSON(mustBuild(Parsed(matmulBias).graph()));
  const llvm::json::Object *root = json.getAsObject();
  ASSERT_NE(root, nullptr);
  auto first = [&](const char *list) { return root->getArray(list)->front().getAsObject(); };
  for (const char *key : {"id", "title", "subtitle", "kind", "dispatch", "collapsed", "hidden", "x", "y", "w", "h"})
    EXPECT_NE(first("nodes")->get(key), nullptr) << key;
  for (const char *key : {"from", "to", "label", "bytes", "points"})
    EXPECT_NE(first("edges")->get(key), nullptr) << key;
  for (const char *key : {"id", "label", "kind", "dispatch", "depth", "x", "y", "w", "h"})
    EXPECT_NE(first("clusters")->get(key), nullptr) << key;
  EXPECT_NE(root->getObject("bounds"), nullptr);
}

/// A column of a packed scene, read as PROTOCOL.md says.
std::vector<int64_t> column(const llvm::json::Object &table, llvm::StringRef name) {
  std::vector<char> bytes;
  std::optional<llvm::StringRef> text = table.getString(name);
  if (!text || llvm::errorToBool(llvm::decodeBase64(*text, bytes))) {
    ADD_FAILURE() << "no column " << name.str();
    return {};
  }
  std::vector<int64_t> numbers;
  uint64_t last = 0;
  const auto *at = reinterpret_cast<const uint8_t *>(bytes.data()), *end = at + bytes.size();
  while (at != end) {
    unsigned length = 0;
    uint64_t zigzag = llvm::decodeULEB128(at, &length, end);
    at += length;
    last += zigzag >> 1 ^ (0 - (zigzag & 1));
    numbers.push_back(static_cast<int64_t>(last));
  }
  return numbers;
}

TEST(Scene, PackedColumnsSayTheSame) {
  SceneOptions options;
  options.level = SceneOptions::Level::Dispatches;
  for (const Scene &scene : {mustBuild(Parsed(matmulBias).graph()), mustBuild(Parsed(matmulBias).graph(), options)}) {
    llvm::json::Value json = toPackedJSON(scene);
    const llvm::json::Object &packed = *json.getAsObject()->getObject("packed");
    const llvm::json::Object &nodes = *packed.getObject("nodes"), &edges = *packed.getObject("edges"),
                             &clusters = *packed.getObject("clusters");
    auto text = [&](int64_t number) { return (*packed.getArray("texts"))[number].getAsString()->str(); };
    std::vector<int64_t> ids = column(nodes, "id"), titles = column(nodes, "title"), hidden = column(nodes, "hidden"),
                         y = column(nodes, "y"), width = column(nodes, "w");
    ASSERT_EQ(ids.size(), scene.nodes.size());
    for (size_t n = 0; n < ids.size(); ++n) {
      const SceneNode &node = scene.nodes[n];
      EXPECT_EQ(ids[n], node.id);
      EXPECT_EQ(text(titles[n]), node.title);
      EXPECT_EQ(hidden[n], node.collapsedCluster ? static_cast<int64_t>(node.hidden) : -1);
      EXPECT_NEAR(static_cast<double>(y[n]) / 16, node.rect.y, 1.0 / 32);
      EXPECT_NEAR(static_cast<double>(width[n]) / 16, node.rect.w, 1.0 / 32);
    }
    std::vector<int64_t> from = column(edges, "from"), bytes = column(edges, "bytes"), bends = column(edges, "bends"),
                         bendX = column(edges, "bend_x"), labelX = column(edges, "label_x"),
                         labelW = column(edges, "label_w"), uses = column(edges, "uses"),
                         useTo = column(edges, "use_to");
    ASSERT_EQ(from.size(), scene.edges.size());
    size_t bend = 0, use = 0;
    for (size_t e = 0; e < from.size(); ++e) {
      const SceneEdge &edge = scene.edges[e];
      EXPECT_EQ(from[e], edge.from);
      EXPECT_EQ(bytes[e], edge.bytes);
      ASSERT_EQ(static_cast<size_t>(bends[e]), edge.points.size());
      for (const LayoutPoint &point : edge.points)
        EXPECT_NEAR(static_cast<double>(bendX[bend++]) / 16, point.x, 1.0 / 32);
      EXPECT_EQ(labelW[e] > 0, edge.labelRect.w > 0);
      if (edge.labelRect.w > 0) {
        EXPECT_NEAR(static_cast<double>(labelX[e]) / 16, edge.labelRect.x, 1.0 / 32);
      }
      ASSERT_EQ(static_cast<size_t>(uses[e]), edge.uses.size());
      for (const SceneUse &one : edge.uses)
        EXPECT_EQ(useTo[use++], one.to);
    }
    std::vector<int64_t> parents = column(clusters, "parent"), labels = column(clusters, "label");
    ASSERT_EQ(parents.size(), scene.clusters.size());
    for (size_t c = 0; c < parents.size(); ++c) {
      EXPECT_EQ(parents[c], scene.clusters[c].parent);
      EXPECT_EQ(text(labels[c]), scene.clusters[c].label);
    }
  }
}

TEST(Scene, ManyEdgesHaveNoLabels) {
  Scene scene;
  scene.bounds = {0, 0, 1000, 1000};
  scene.edges.resize(100);
  for (SceneEdge &edge : scene.edges) {
    edge.label = "4xf32";
    edge.points = {{500, 0}, {500, 500}};
  }
  scene.clusters.push_back({.id = 1, .label = "@main", .rect = {100, 200, 800, 700}, .titleAt = {}});
  placeLabels(scene);
  EXPECT_GT(scene.edges.front().labelRect.w, 0);
  LayoutPoint title = scene.clusters.front().titleAt;
  for (int doublings = 0; doublings < 8; ++doublings)
    scene.edges.resize(2 * scene.edges.size(), scene.edges.front());
  for (SceneEdge &edge : scene.edges)
    edge.labelRect = {};
  placeLabels(scene);
  for (const SceneEdge &edge : scene.edges)
    ASSERT_EQ(edge.labelRect.w, 0);
  EXPECT_EQ(scene.clusters.front().titleAt.x, title.x);
  EXPECT_EQ(scene.clusters.front().titleAt.y, title.y);
}

} // namespace

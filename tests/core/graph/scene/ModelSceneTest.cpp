// Pictures of models: layers as boxes, weights as ports, outlined dispatches at their calls.
#include "core/graph/model/ClusterNames.h"
#include "core/graph/model/GraphPart.h"
#include "core/graph/outline/Outline.h"
#include "core/graph/scene/Scene.h"
#include "core/graph/scene/SceneText.h"
#include "tests/core/graph/NamedModel.h"
#include "tests/core/graph/TestModules.h"
#include "llvm/ADT/STLExtras.h"

using namespace fuselage;
using namespace fuselage::test;

namespace {

Scene sceneOf(const Graph &graph, const SceneOptions &options) {
  llvm::Expected<Scene> scene = buildScene(graph, options);
  if (scene)
    return std::move(*scene);
  ADD_FAILURE() << takeFailure(scene.takeError()).message;
  return {};
}

const SceneNode *nodeCalled(const Scene &scene, llvm::StringRef title) {
  auto found = llvm::find_if(scene.nodes, [&](const SceneNode &node) { return node.title == title; });
  return found == scene.nodes.end() ? nullptr : &*found;
}

TEST(ModelScene, WeightsArePortsOfTheirReaders) {
  Graph graph = ParsedWithNames(namedModel(1)).graph();
  Scene scene = sceneOf(graph, {});
  std::vector<std::string> ports;
  for (const SceneNode &node : scene.nodes) {
    EXPECT_NE(node.kind, NodeKind::Constant);
    EXPECT_FALSE(llvm::StringRef(node.title).starts_with("%w")) << node.title.str();
    for (const ScenePort &port : node.ports)
      ports.push_back(port.text);
  }
  EXPECT_TRUE(nodeCalled(scene, "%x")) << "the user's input stays";
  EXPECT_FALSE(llvm::any_of(scene.nodes, [](const SceneNode &node) {
    return llvm::StringRef(node.title).contains("transpose");
  })) << "what is made of a weight is its port";
  EXPECT_TRUE(llvm::is_contained(ports, "_orig_mod.m.encoder.layer.0.mlp.fc.weight \u00b7 16x16xf32"));
  EXPECT_EQ(ports.size(), 5u);

  SceneOptions all;
  all.foldConstants = false;
  Scene open = sceneOf(graph, all);
  EXPECT_TRUE(llvm::any_of(
      open.nodes, [](const SceneNode &node) { return node.kind == NodeKind::Argument && node.title == "%wq0"; }));
  EXPECT_TRUE(llvm::all_of(open.nodes, [](const SceneNode &node) { return node.ports.empty(); }));
}

TEST(ModelScene, WeightsOfOneOpAreNodesOnDemand) {
  Graph graph = ParsedWithNames(namedModel(1)).graph();
  const FunctionGraph &function = graph.functions[0];
  auto nodeOf = [&](OpId id) {
    return *llvm::find_if(function.nodes, [&](const GraphNode &node) { return node.id == id; });
  };
  auto reader = llvm::find_if(function.edges, [&](const GraphEdge &edge) {
    return edge.from >= 0 && nodeOf(edge.from).isWeight && !nodeOf(edge.to).isWeight;
  });
  ASSERT_NE(reader, function.edges.end()); // the transpose of a weight feeds it
  SceneOptions options;
  size_t before = sceneOf(graph, options).nodes.size();
  options.portsOf = {reader->to};
  Scene scene = sceneOf(graph, options);
  EXPECT_EQ(scene.nodes.size(), before + 2) << "the weight and its transpose";
  EXPECT_TRUE(nodeCalled(scene, "%wt0"));
  EXPECT_FALSE(nodeCalled(scene, "%wq0"));
}

TEST(ModelScene, ClustersAreKnownAgainInOtherSnapshots) {
  Graph graph = ParsedWithNames(namedModel(6)).graph();
  // Another step: one op more in front moves all ids.
  std::string text = namedModel(6);
  text.insert(text.find("  %e = "), "  %one = arith.constant 1.0 : f32\n");
  Graph other = ParsedWithNames(text).graph();
  const GraphScope &layer = *llvm::find_if(graph.functions[0].scopes,
                                           [](const GraphScope &scope) { return scope.path == "encoder.layer.3"; });
  const GraphScope &same = *llvm::find_if(other.functions[0].scopes,
                                          [](const GraphScope &scope) { return scope.path == "encoder.layer.3"; });
  OpId id = scopeClusterId(layer.first, layer.depth), expected = scopeClusterId(same.first, same.depth);
  EXPECT_NE(id, expected);
  EXPECT_EQ(sameClusters(graph, {id}, other), std::set<OpId>{expected});
  EXPECT_TRUE(sameClusters(graph, {}, other).empty());
  EXPECT_TRUE(sameClusters(graph, {-77}, other).empty());
  std::optional<GraphPart> part = findPart(graph, id);
  ASSERT_TRUE(part);
  EXPECT_EQ(part->kind, "layer");
  EXPECT_EQ(part->name, "encoder.layer.3");
  EXPECT_GE(part->nodes.size(), 5u);
  EXPECT_FALSE(findPart(graph, 3));
}

/// An encoder of four rounds through the same weights.
static std::string sharedLayers() {
  const char *type = "tensor<8x8xf32>";
  std::string key = "encoder.groups.0.layers.0.", body, x = "%x";
  std::string arguments =
      llvm::formatv("%x: {0}, %we: {0} {{fuselage.parameter = \"embed.weight\"}, %wq: {0} {{fuselage.parameter = "
                    "\"{1}attention.query.weight\"}, %wf: {0} {{fuselage.parameter = \"{1}mlp.fc.weight\"}, "
                    "%wg: {0} {{fuselage.parameter = \"{1}norm.weight\"}",
                    type, key);
  auto op = [&](const std::string &name, const std::string &to, const std::string &inputs, int count) {
    std::string types = type;
    for (int i = 1; i < count; ++i)
      types += std::string(", ") + type;
    body += llvm::formatv("  {0} = linalg.{1} ins({2} : {3}) outs({4} : {5}) -> {5}\n", to, name, inputs, types,
                          name == "matmul" ? "%f" : "%e", type);
  };
  op("matmul", "%h", "%x, %we", 2);
  x = "%h";
  for (int l = 0; l < 4; ++l) {
    std::string n = std::to_string(l);
    op("matmul", "%q" + n, x + ", %wq", 2);
    op("tanh", "%t" + n, "%q" + n, 1);
    op("exp", "%u" + n, "%t" + n, 1);
    op("matmul", "%m" + n, "%u" + n + ", %wf", 2);
    op("add", "%a" + n, "%m" + n + ", " + x, 2);
    op("mul", "%n" + n, "%a" + n + ", %wg", 2);
    x = "%n" + n;
  }
  return llvm::formatv("func.func @main({0}) -> {1} {{\n  %z = arith.constant 0.0 : f32\n  %e = tensor.empty() : {1}\n"
                       "  %f = linalg.fill ins(%z : f32) outs(%e : {1}) -> {1}\n{2}  return {3} : {1}\n}\n",
                       arguments, type, body, x);
}

TEST(ModelScene, LayersThatShareTheirWeightsAreNumbered) {
  Graph graph = ParsedWithNames(sharedLayers()).graph();
  const std::vector<GraphRepeat> &repeats = graph.functions[0].repeats;
  ASSERT_EQ(repeats.size(), 1u);
  ASSERT_EQ(repeats[0].instances.size(), 4u);
  EXPECT_TRUE(llvm::StringRef(repeats[0].names[2]).ends_with("layers.0 (3 of 4)")) << repeats[0].names[2];
  SceneOptions options;
  options.repeats = SceneOptions::Repeats::Collapse;
  Scene scene = sceneOf(graph, options);
  EXPECT_TRUE(nodeCalled(scene, "layer 1 of 4") && nodeCalled(scene, "layer 4 of 4"));
  EXPECT_FALSE(llvm::any_of(scene.clusters, [](const SceneCluster &box) {
    return llvm::StringRef(box.label).contains("groups");
  })) << "no frame around each";
  message::Outline<> outline = outlineOf(graph, nullptr);
  EXPECT_EQ(llvm::count_if(outline.rows, [](const auto &row) { return row.kind == message::OutlineKind::Layer; }), 4);
}

TEST(ModelScene, LayersWithoutNamesAreRowsThatOpen) {
  Graph graph = ParsedWithNames(namedModel(6, /*named=*/false)).graph();
  message::Outline<> outline = outlineOf(graph, nullptr);
  auto third = llvm::find_if(outline.rows, [](const auto &row) { return row.label == "layer 3 of 6"; });
  ASSERT_NE(third, outline.rows.end());
  SceneOptions options;
  options.repeats = SceneOptions::Repeats::Collapse;
  options.expanded = {third->cluster, third->outside};
  Scene scene = sceneOf(graph, options);
  EXPECT_TRUE(llvm::any_of(scene.clusters, [](const SceneCluster &box) { return box.label == "layer 3 of 6"; }));
  EXPECT_TRUE(nodeCalled(scene, "layer 4 of 6"));
}

TEST(ModelScene, UnnamedWeightsArePortsToo) {
  Graph graph = ParsedWithNames(namedModel(4, /*named=*/false)).graph();
  Scene scene = sceneOf(graph, {});
  EXPECT_EQ(llvm::count_if(scene.nodes, [](const SceneNode &node) { return node.kind == NodeKind::Argument; }), 1);
  EXPECT_TRUE(nodeCalled(scene, "%x"));
  // Few arguments are all worth a node.
  Scene small = sceneOf(ParsedWithNames(namedModel(1, /*named=*/false)).graph(), {});
  EXPECT_EQ(llvm::count_if(small.nodes, [](const SceneNode &node) { return node.kind == NodeKind::Argument; }), 6);
}

TEST(ModelScene, LayersAreBoxesThatOpenInPlace) {
  Graph graph = ParsedWithNames(namedModel(6)).graph();
  SceneOptions options;
  options.repeats = SceneOptions::Repeats::Collapse;
  Scene scene = sceneOf(graph, options);
  for (int layer = 0; layer < 6; ++layer)
    EXPECT_TRUE(nodeCalled(scene, "layer." + std::to_string(layer))) << layer;
  const SceneNode *third = nodeCalled(scene, "layer.3");
  ASSERT_TRUE(third && third->collapsedCluster);
  EXPECT_EQ(third->portCount, 3u);
  // Its totals are those of the outline: what is computed of weights for a layer counts in it.
  message::Outline<> outline = outlineOf(graph, nullptr);
  auto row = llvm::find_if(outline.rows, [&](const message::OutlineRow<> &row) { return row.cluster == third->id; });
  ASSERT_NE(row, outline.rows.end());
  EXPECT_EQ(row->dispatches, 3) << "one of them transposes a weight, which the picture does not draw";
  EXPECT_EQ(third->subtitle, std::to_string(row->ops) + " ops \u00b7 " + std::to_string(row->dispatches) +
                                 " dispatches \u00b7 " + formatBytes(row->bytes));
  EXPECT_EQ(static_cast<int>(third->hidden), row->ops);
  size_t before = scene.nodes.size();
  options.expanded.insert(third->id);
  Scene open = sceneOf(graph, options);
  EXPECT_GT(open.nodes.size(), before);
  EXPECT_FALSE(nodeCalled(open, "layer.3"));
  EXPECT_TRUE(llvm::any_of(open.clusters, [&](const SceneCluster &box) {
    return box.kind == GraphCluster::Kind::Scope && box.label == "layer.3";
  }));
  // In a chain: each layer leads to the next one.
  const SceneNode *fourth = nodeCalled(scene, "layer.4");
  ASSERT_TRUE(fourth);
  EXPECT_TRUE(llvm::any_of(scene.edges,
                           [&](const SceneEdge &edge) { return edge.from == third->id && edge.to == fourth->id; }));
}

TEST(ModelScene, EveryOpIsDrawnOnceHoweverManyBoxesAreOpen) {
  Graph graph = ParsedWithNames(namedModel(5)).graph();
  SceneOptions options, expand;
  options.repeats = SceneOptions::Repeats::Collapse;
  expand.repeats = SceneOptions::Repeats::Expand;
  for (int round = 0; round < 6; ++round) {
    for (const SceneNode &node : sceneOf(graph, options).nodes)
      if (node.collapsedCluster)
        options.expanded.insert(node.id);
  }
  Scene open = sceneOf(graph, options), flat = sceneOf(graph, expand);
  size_t fills =
      llvm::count_if(flat.nodes, [](const SceneNode &node) { return llvm::StringRef(node.title).starts_with("fill"); });
  EXPECT_EQ(open.nodes.size(), flat.nodes.size() - fills) << "fills are parts of what reads them";
}

const char *const twoCalls = R"(
func.func private @d0(%x: tensor<8xf32>) -> tensor<8xf32> attributes {fuselage.dispatch} {
  %e = tensor.empty() : tensor<8xf32>
  %r = linalg.exp ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  return %r : tensor<8xf32>
}
func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  %a = call @d0(%x) : (tensor<8xf32>) -> tensor<8xf32>
  %b = call @d0(%a) : (tensor<8xf32>) -> tensor<8xf32>
  return %b : tensor<8xf32>
}
)";

TEST(ModelScene, OutlinedDispatchesAreBehindTheirCalls) {
  Graph graph = Parsed(twoCalls).graph();
  SceneOptions options;
  Scene scene = sceneOf(graph, options);
  ASSERT_EQ(scene.nodes.size(), 4u) << "the argument, two calls, the return";
  const SceneNode &call = scene.nodes[1];
  EXPECT_TRUE(call.collapsedCluster);
  EXPECT_EQ(call.kind, NodeKind::Dispatch);
  OpId id = call.id;
  options.expanded.insert(id);
  Scene open = sceneOf(graph, options);
  EXPECT_TRUE(
      llvm::any_of(open.nodes, [](const SceneNode &node) { return llvm::StringRef(node.title).starts_with("exp"); }));
  EXPECT_TRUE(llvm::any_of(open.clusters, [&](const SceneCluster &box) { return box.id == id; }));
  EXPECT_TRUE(llvm::any_of(open.edges, [&](const SceneEdge &edge) { return edge.from == id; })) << "out of the box";
  EXPECT_EQ(llvm::count_if(open.nodes, [](const SceneNode &node) { return node.kind == NodeKind::Dispatch; }), 1);
  options.function = "d0";
  EXPECT_FALSE(sceneOf(graph, options).nodes.empty()) << "and by its name";
}

TEST(ModelScene, BuffersLeadFromWriterToReader) {
  Graph graph = Parsed(R"(
func.func private @d0(%x: memref<8xf32>, %r: memref<8xf32>) attributes {fuselage.dispatch} {
  linalg.exp ins(%x : memref<8xf32>) outs(%r : memref<8xf32>)
  return
}
func.func @main(%x: memref<8xf32>) -> memref<2x4xf32> {
  %a = memref.alloc() : memref<8xf32>
  call @d0(%x, %a) : (memref<8xf32>, memref<8xf32>) -> ()
  %b = memref.alloc() : memref<8xf32>
  call @d0(%a, %b) : (memref<8xf32>, memref<8xf32>) -> ()
  %v = memref.expand_shape %b [[0, 1]] output_shape [2, 4] : memref<8xf32> into memref<2x4xf32>
  memref.dealloc %a : memref<8xf32>
  return %v : memref<2x4xf32>
}
)")
                    .graph();
  Scene scene = sceneOf(graph, {});
  ASSERT_EQ(scene.nodes.size(), 4u) << "the argument, two calls, the return: no allocations, no views";
  std::vector<std::pair<OpId, OpId>> chain;
  for (size_t n = 1; n < scene.nodes.size(); ++n)
    chain.emplace_back(scene.nodes[n - 1].id, scene.nodes[n].id);
  ASSERT_EQ(scene.edges.size(), 3u);
  for (auto [from, to] : chain) {
    auto found = llvm::find_if(
        scene.edges, [from = from, to = to](const SceneEdge &edge) { return edge.from == from && edge.to == to; });
    ASSERT_NE(found, scene.edges.end());
    EXPECT_EQ(found->bytes, 32);
  }
}

TEST(Outline, IsTheTreeOfTheModel) {
  Graph graph = ParsedWithNames(namedModel(3)).graph();
  message::Outline<> outline = outlineOf(graph, nullptr);
  EXPECT_FALSE(outline.judged);
  using Kind = message::OutlineKind;
  ASSERT_FALSE(outline.rows.empty());
  EXPECT_EQ(outline.rows[0].kind, Kind::Module);
  EXPECT_EQ(outline.rows[1].kind, Kind::Function);
  int layers = 0, dispatches = 0, named = 0;
  for (const message::OutlineRow<> &row : outline.rows) {
    EXPECT_LT(row.parent, row.id);
    layers += row.kind == Kind::Layer;
    dispatches += row.kind == Kind::Dispatch;
    if (row.name == "encoder.layer.1") {
      ++named;
      EXPECT_EQ(row.label, "layer.1");
      EXPECT_EQ(outline.rows[row.parent].name, "encoder");
      EXPECT_GT(row.ops, 4);
      EXPECT_GT(row.flops, 2 * 2 * 8 * 16 * 16 - 1);
    }
  }
  EXPECT_EQ(named, 1);
  EXPECT_EQ(layers, 3);
  EXPECT_EQ(outline.rows[0].dispatches, dispatches);
  EXPECT_EQ(static_cast<size_t>(dispatches), graph.functions[0].dispatches.size());
  int ops = 0;
  for (const FunctionGraph &function : graph.functions)
    ops += llvm::count_if(function.nodes, [](const GraphNode &node) { return node.id >= 0; });
  EXPECT_EQ(outline.rows[0].ops, ops) << "as countOps";
}

TEST(Outline, EqualLayersHaveEqualForms) {
  Graph graph = ParsedWithNames(namedModel(5)).graph();
  std::map<std::string, std::vector<int>> forms; // by what is around
  message::Outline<> outline = outlineOf(graph, nullptr);
  for (const message::OutlineRow<> &row : outline.rows)
    if (row.kind == message::OutlineKind::Layer)
      forms[outline.rows[row.parent].name].push_back(row.form);
  ASSERT_EQ(forms["encoder"].size(), 5u);
  EXPECT_GE(forms["encoder"].front(), 0);
  EXPECT_EQ(forms["encoder"], std::vector<int>(5, forms["encoder"].front()));
  std::set<int> ofOps; // of one layer: they differ in more than where they are
  for (const message::OutlineRow<> &row : outline.rows)
    if (row.kind == message::OutlineKind::Op)
      ofOps.insert(row.form);
  EXPECT_GT(ofOps.size(), 2u);
  EXPECT_EQ(ofOps.count(forms["encoder"].front()), 0u);
}

/// As many functions of a few like ops: rows for each handful would be more than anybody reads.
TEST(Outline, OfAVeryLargeModuleHasNoRowsForHandfulsOfOps) {
  std::string text;
  for (int f = 0; f < 250; ++f) {
    text += "func.func @f" + std::to_string(f) + "(%v0: tensor<8x8xf32>) -> tensor<8x8xf32> {\n";
    for (int i = 0; i < 99; ++i)
      text += "  %v" + std::to_string(i + 1) + " = arith." + (i % 3 ? "addf" : "mulf") + " %v" + std::to_string(i) +
              ", %v" + std::to_string(i) + " : tensor<8x8xf32>\n";
    text += "  return %v99 : tensor<8x8xf32>\n}\n";
  }
  message::Outline<> outline = outlineOf(ParsedWithNames(text).graph(), nullptr);
  EXPECT_EQ(outline.rows.front().ops, 250 * 100) << "with the return of each";
  EXPECT_LT(outline.rows.size(), 20'000u);
  EXPECT_EQ(llvm::count_if(outline.rows,
                           [](const message::OutlineRow<> &row) { return row.kind == message::OutlineKind::Function; }),
            250);
}

TEST(Outline, CountsACalledDispatchOnceForEachCall) {
  message::Outline<> outline = outlineOf(Parsed(twoCalls).graph(), nullptr);
  EXPECT_EQ(outline.rows[0].dispatches, 2);
  EXPECT_EQ(llvm::count_if(outline.rows, [](const auto &row) { return row.kind == message::OutlineKind::Function; }),
            1);
}

TEST(Outline, MissedFusionsAreInTheInnermostRowAroundBoth) {
  ParsedWithNames parsed(namedModel(3));
  Graph graph = parsed.graph();
  EdgeVerdicts verdicts;
  const FunctionGraph &main = graph.functions[0];
  auto nodeOf = [&](llvm::StringRef result) {
    for (const GraphNode &node : main.nodes)
      if (llvm::is_contained(node.results, result))
        return node.id;
    return OpId(noNode);
  };
  for (const GraphEdge &edge : main.edges)
    if ((edge.from == nodeOf("%h1") && edge.to == nodeOf("%q1")) ||
        (edge.from == nodeOf("%t1") && edge.to == nodeOf("%m1")))
      verdicts.looks[{edge.from, edge.to, edge.operand}] = EdgeLook::Possible;
  ASSERT_EQ(verdicts.looks.size(), 2u);
  unsigned seen = 0;
  for (const message::OutlineRow<> &row : outlineOf(graph, &verdicts).rows) {
    bool isBoth = row.name == "encoder", isInner = row.name == "encoder.layer.1";
    if (isBoth || isInner || row.name == "encoder.layer.0") {
      EXPECT_EQ(row.missed, isBoth ? 2 : isInner ? 1 : 0) << row.name;
      ++seen;
    }
  }
  EXPECT_EQ(seen, 3u);
}

} // namespace

// Repeats on random graphs, against a naive finder, and on modules.
#include "core/graph/model/Repeats.h"
#include "core/graph/scene/Scene.h"
#include "tests/core/graph/TestModules.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/FormatVariadic.h"
#include <map>
#include <random>

using namespace fuselage;
using namespace fuselage::test;

namespace {

//===-- Random graphs -----------------------------------------------------===//

/// A function of nodes in one region, written down node by node.
struct Flat {
  FunctionGraph function;
  OpId add(int shape, const std::vector<OpId> &inputs, NodeKind kind = NodeKind::Compute) {
    GraphNode node;
    node.id = static_cast<OpId>(function.nodes.size());
    node.label = llvm::formatv("op{0}", shape).str();
    node.kind = kind;
    node.shape = shape;
    unsigned operand = 0;
    for (OpId input : inputs) {
      GraphEdge edge;
      edge.from = input;
      edge.to = node.id;
      edge.operand = operand++;
      function.edges.push_back(edge);
    }
    function.nodes.push_back(node);
    return node.id;
  }
};

/// What is inside an instance, written so that equal instances give equal text: shapes, and sources
/// by their place in it; what comes from elsewhere is a dot.
std::string spell(const FunctionGraph &function, const std::vector<OpId> &nodes) {
  std::map<OpId, size_t> place;
  std::string text;
  for (OpId id : nodes)
    place.try_emplace(id, place.size());
  for (OpId id : nodes) {
    text += llvm::formatv("{0}(", function.nodes[id].shape);
    for (const GraphEdge &edge : function.edges)
      if (edge.to == id)
        text += place.count(edge.from) ? llvm::formatv("{0} ", place[edge.from]).str() : ". ";
    text += ")";
  }
  return text;
}

/// All nodes of an instance, those of repeats inside included, in program order.
std::vector<OpId> allNodes(const std::vector<GraphRepeat> &repeats, int repeat, int instance) {
  std::vector<OpId> all = repeats[repeat].instances[instance];
  for (size_t inner = 0; inner < repeats.size(); ++inner)
    if (repeats[inner].parent == repeat && repeats[inner].parentInstance == instance)
      for (size_t i = 0; i < repeats[inner].instances.size(); ++i)
        for (OpId id : allNodes(repeats, static_cast<int>(inner), static_cast<int>(i)))
          all.push_back(id);
  std::sort(all.begin(), all.end());
  return all;
}

/// Layers of random wiring, some of them broken, between random other nodes.
Flat randomLayers(std::mt19937 &random) {
  Flat flat;
  std::vector<OpId> values{flat.add(1000, {}), flat.add(1001, {})};
  int shapes = 1;
  for (int part = 0; part < 3; ++part) {
    for (size_t n = random() % 6; n > 0; --n)
      values.push_back(flat.add(500 + static_cast<int>(random() % 20), {values[random() % values.size()]}));
    size_t period = 2 + random() % 12, count = 2 + random() % 7;
    struct Pick {
      int shape;
      std::vector<int> inputs; // place in the layer, -1: the layer's input, -2: a value from far away
    };
    std::vector<Pick> picks;
    for (size_t n = 0; n < period; ++n) {
      Pick pick{shapes + static_cast<int>(random() % 5), {}};
      for (size_t i = 1 + random() % 2; i > 0; --i)
        pick.inputs.push_back(static_cast<int>(random() % (n + 2)) - 2);
      picks.push_back(pick);
    }
    shapes += 5;
    // Half of the layers hold a chain of equal heads.
    for (size_t heads = random() % 2 * (3 + random() % 3); heads > 0; --heads)
      for (int n = 0; n < 3; ++n)
        picks.push_back(
            {shapes + n, {static_cast<int>(picks.size()) - 1, n > 0 ? static_cast<int>(picks.size()) - 1 : -2}});
    shapes += 3;
    OpId carried = values.back();
    for (size_t layer = 0; layer < count; ++layer) {
      std::vector<OpId> made;
      bool broken = random() % 8 == 0;
      for (const Pick &pick : picks) {
        std::vector<OpId> inputs;
        for (int input : pick.inputs)
          inputs.push_back(input >= 0 ? made[input] : input == -1 ? carried : values[0]);
        if (broken && made.size() > 1 && random() % period == 0)
          inputs[0] = made[random() % made.size()];
        made.push_back(flat.add(pick.shape, inputs));
      }
      carried = made.back();
    }
    values.push_back(carried);
  }
  return flat;
}

TEST(Repeats, InstancesAreEqualAndApart) {
  std::mt19937 random(11);
  RepeatOptions options{.leastCount = 3, .leastSaved = 4, .similarEnds = false};
  size_t found = 0, nested = 0;
  for (int round = 0; round < 300; ++round) {
    FunctionGraph function = randomLayers(random).function;
    std::vector<GraphRepeat> repeats = findRepeats(FlowIndex(function), options);
    std::set<OpId> seen;
    for (size_t r = 0; r < repeats.size(); ++r) {
      const GraphRepeat &repeat = repeats[r];
      ASSERT_GE(repeat.instances.size(), 2u); // twice of what is there three times elsewhere
      ASSERT_LT(repeat.parent, static_cast<int>(r));
      nested += repeat.parent >= 0;
      std::string first = spell(function, allNodes(repeats, static_cast<int>(r), 0));
      for (size_t i = 0; i < repeat.instances.size(); ++i) {
        EXPECT_EQ(spell(function, allNodes(repeats, static_cast<int>(r), static_cast<int>(i))), first)
            << "round " << round;
        for (OpId id : repeat.instances[i])
          EXPECT_TRUE(seen.insert(id).second) << "round " << round << " node " << id;
      }
    }
    found += repeats.size();
  }
  EXPECT_GT(found, 200u);
  EXPECT_GT(nested, 0u);
}

/// The most nodes that any repeat of adjoining equal groups saves, by trying all.
size_t naiveBest(const FunctionGraph &function, const RepeatOptions &options) {
  size_t best = 0, size = function.nodes.size();
  auto range = [](size_t from, size_t count) {
    std::vector<OpId> nodes;
    for (size_t i = 0; i < count; ++i)
      nodes.push_back(static_cast<OpId>(from + i));
    return nodes;
  };
  for (size_t period = 1; period * options.leastCount <= size; ++period)
    for (size_t start = 0; start + period * options.leastCount <= size; ++start) {
      std::string first = spell(function, range(start, period));
      size_t count = 1;
      while (start + (count + 1) * period <= size && spell(function, range(start + count * period, period)) == first)
        ++count;
      if (count >= options.leastCount)
        best = std::max(best, period * (count - 1));
    }
  return best;
}

TEST(Repeats, MissNoneThatANaiveFinderSees) {
  std::mt19937 random(13);
  RepeatOptions options{.leastCount = 3, .leastSaved = 4};
  for (int round = 0; round < 25; ++round) {
    // Unbroken layers of different shapes: the best is what was put in, cut anywhere.
    Flat flat;
    OpId carried = flat.add(1000, {});
    size_t period = 2 + random() % 6, count = 3 + random() % 5;
    for (size_t layer = 0; layer < count; ++layer)
      for (size_t n = 0; n < period; ++n)
        carried = flat.add(static_cast<int>(n), {carried});
    flat.add(1001, {carried});
    std::vector<GraphRepeat> repeats = findRepeats(FlowIndex(flat.function), options);
    size_t saved = 0;
    for (const GraphRepeat &repeat : repeats)
      saved = std::max(saved, repeat.instances[0].size() * (repeat.instances.size() - 1));
    EXPECT_EQ(saved, naiveBest(flat.function, options)) << "round " << round;
  }
}

TEST(Repeats, CutsWhereFewestValuesCross) {
  // x -> a(x) b(a) c(a) d(b, c) + x: the cut between the layers is crossed by one value.
  Flat flat;
  OpId x = flat.add(100, {});
  OpId before = x;
  for (int layer = 0; layer < 5; ++layer) {
    OpId a = flat.add(1, {x}), b = flat.add(2, {a}), c = flat.add(3, {a});
    before = flat.add(4, {b, c, x});
    x = before;
  }
  flat.add(101, {x});
  std::vector<GraphRepeat> repeats = findRepeats(FlowIndex(flat.function), {.leastCount = 3, .leastSaved = 4});
  ASSERT_EQ(repeats.size(), 1u);
  EXPECT_EQ(repeats[0].instances.size(), 5u);
  EXPECT_EQ(repeats[0].instances[0], (std::vector<OpId>{1, 2, 3, 4}));
}

/// A chain of layers, op by op, of forms from 1 on.
OpId addLayer(Flat &flat, OpId x, const std::vector<int> &forms) {
  for (int form : forms)
    x = flat.add(form, {x});
  return x;
}

TEST(Repeats, TheFirstAndTheLastLayerMayDifferALittle) {
  const std::vector<int> layer{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, first{1, 2, 30, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12},
      last{1, 2, 3, 4, 5, 6, 7, 9, 10, 11, 12};
  Flat flat;
  OpId x = flat.add(100, {});
  x = addLayer(flat, x, first);
  for (int l = 0; l < 3; ++l)
    x = addLayer(flat, x, layer);
  x = addLayer(flat, x, last);
  flat.add(101, {x});
  std::vector<GraphRepeat> repeats = findRepeats(FlowIndex(flat.function));
  ASSERT_EQ(repeats.size(), 1u);
  ASSERT_EQ(repeats[0].instances.size(), 5u);
  EXPECT_EQ(repeats[0].first, 1);
  EXPECT_EQ(repeats[0].instances.front().size(), first.size());
  EXPECT_EQ(repeats[0].instances[2].size(), layer.size());
  EXPECT_EQ(repeats[0].instances.back().size(), last.size());
  // Not what is another thing altogether.
  Flat other;
  x = addLayer(other, other.add(100, {}), {50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61});
  for (int l = 0; l < 3; ++l)
    x = addLayer(other, x, layer);
  repeats = findRepeats(FlowIndex(other.function));
  ASSERT_EQ(repeats.size(), 1u);
  EXPECT_EQ(repeats[0].instances.size(), 3u);
}

TEST(Repeats, TwoLayersThatAreMostOfAFunctionAreFound) {
  std::vector<int> layer;
  for (int form = 1; form <= 30; ++form)
    layer.push_back(form);
  Flat flat;
  OpId x = addLayer(flat, addLayer(flat, flat.add(100, {}), layer), layer);
  flat.add(101, {x});
  std::vector<GraphRepeat> repeats = findRepeats(FlowIndex(flat.function));
  ASSERT_EQ(repeats.size(), 1u);
  EXPECT_EQ(repeats[0].instances.size(), 2u);
  EXPECT_EQ(repeats[0].instances[1].size(), layer.size());
}

TEST(Repeats, SharedConstantsDoNotBreakLayers) {
  // As after CSE: what the first layer made, the others use.
  Flat flat;
  OpId x = flat.add(100, {}), shared = -1;
  for (int layer = 0; layer < 4; ++layer) {
    if (layer == 0)
      shared = flat.add(50, {}, NodeKind::Constant);
    OpId own = flat.add(51, {}, NodeKind::Constant);
    OpId a = flat.add(1, {x, shared}), b = flat.add(2, {a, own});
    x = flat.add(3, {b, shared});
  }
  std::vector<GraphRepeat> repeats = findRepeats(FlowIndex(flat.function), {.leastCount = 3, .leastSaved = 4});
  ASSERT_EQ(repeats.size(), 1u);
  ASSERT_EQ(repeats[0].instances.size(), 4u);
  for (const std::vector<OpId> &instance : repeats[0].instances)
    EXPECT_EQ(instance.size(), 4u); // three ops and the constant of its own
}

TEST(Repeats, TimeGrowsWithTheGraph) {
  // Random shapes from few, the worst for hashing; only that it ends soon is asked.
  Flat flat;
  std::mt19937 random(3);
  OpId last = flat.add(0, {});
  for (int n = 0; n < 100000; ++n)
    last = flat.add(static_cast<int>(random() % 2), {last});
  EXPECT_LT(findRepeats(FlowIndex(flat.function)).size(), 1000u);
}

//===-- Modules -----------------------------------------------------------===//

/// 64 floats that differ from one another and from those of other layers, in hexadecimal.
std::string weights(unsigned layer) {
  std::string text;
  for (unsigned i = 0; i < 64; ++i)
    text += llvm::formatv("{0:X-2}0000{1:X-2}", i + 1, 0x30 + layer).str();
  return text;
}

/// `layers` equal layers of a matmul with weights of their own, and `heads` slices in each.
std::string layers(unsigned layers, unsigned heads) {
  std::string text = "func.func @f(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {\n"
                     "  %zero = arith.constant 0.0 : f32\n";
  std::string x = "%x";
  for (unsigned l = 0; l < layers; ++l) {
    text += llvm::formatv("  %w{0} = arith.constant dense<\"0x{1}\"> : tensor<8x8xf32>\n"
                          "  %e{0} = tensor.empty() : tensor<8x8xf32>\n"
                          "  %f{0} = linalg.fill ins(%zero : f32) outs(%e{0} : tensor<8x8xf32>) -> tensor<8x8xf32>\n"
                          "  %m{0} = linalg.matmul ins({2}, %w{0} : tensor<8x8xf32>, tensor<8x8xf32>) "
                          "outs(%f{0} : tensor<8x8xf32>) -> tensor<8x8xf32>\n",
                          l, weights(l), x);
    std::string parts, types;
    for (unsigned h = 0; h < heads; ++h) {
      std::string id = llvm::formatv("{0}_{1}", l, h);
      text += llvm::formatv(
          "  %s{0} = tensor.extract_slice %m{1}[0, {2}] [8, 2] [1, 1] : tensor<8x8xf32> to tensor<8x2xf32>\n"
          "  %i{0} = tensor.empty() : tensor<8x2xf32>\n"
          "  %t{0} = linalg.exp ins(%s{0} : tensor<8x2xf32>) outs(%i{0} : tensor<8x2xf32>) -> tensor<8x2xf32>\n"
          "  %u{0} = linalg.abs ins(%t{0} : tensor<8x2xf32>) outs(%i{0} : tensor<8x2xf32>) -> tensor<8x2xf32>\n"
          "  %v{0} = linalg.softmax dimension(1) ins(%u{0} : tensor<8x2xf32>) outs(%i{0} : tensor<8x2xf32>) -> "
          "tensor<8x2xf32>\n",
          id, l, h * 2);
      parts += (h ? ", %v" : "%v") + id;
      types += h ? ", tensor<8x2xf32>" : "tensor<8x2xf32>";
    }
    text += llvm::formatv("  %c{0} = tensor.concat dim(1) {1} : ({2}) -> tensor<8x8xf32>\n", l, parts, types);
    text += llvm::formatv("  %a{0} = linalg.add ins({1}, {2} : tensor<8x8xf32>, tensor<8x8xf32>) "
                          "outs(%e{0} : tensor<8x8xf32>) -> tensor<8x8xf32>\n",
                          l, llvm::formatv("%c{0}", l).str(), x);
    x = llvm::formatv("%a{0}", l);
  }
  return text + "  return " + x + " : tensor<8x8xf32>\n}\n";
}

Scene sceneOf(const Graph &graph, const SceneOptions &options) {
  llvm::Expected<Scene> scene = buildScene(graph, options);
  if (scene)
    return std::move(*scene);
  ADD_FAILURE() << takeFailure(scene.takeError()).message;
  return {};
}

TEST(Repeats, FindsLayersAndHeads) {
  Graph graph = Parsed(layers(6, 4)).graph();
  const std::vector<GraphRepeat> &repeats = graph.functions[0].repeats;
  ASSERT_EQ(repeats.size(), 7u);
  EXPECT_EQ(repeats[0].instances.size(), 6u);
  EXPECT_EQ(repeats[0].label, "matmul 8x8x8");
  for (size_t r = 1; r < repeats.size(); ++r) {
    EXPECT_EQ(repeats[r].parent, 0);
    EXPECT_EQ(repeats[r].instances.size(), 4u);
  }
}

TEST(Repeats, SmallPicturesShowEverything) {
  Graph graph = Parsed(layers(6, 4)).graph();
  Scene scene = sceneOf(graph, {});
  SceneOptions expand;
  expand.repeats = SceneOptions::Repeats::Expand;
  EXPECT_EQ(scene.nodes.size(), sceneOf(graph, expand).nodes.size());
  for (const SceneCluster &cluster : scene.clusters)
    EXPECT_NE(cluster.kind, GraphCluster::Kind::Repeat);
}

TEST(Repeats, CollapsedLayersAreChained) {
  Graph graph = Parsed(layers(6, 4)).graph();
  SceneOptions options;
  options.repeats = SceneOptions::Repeats::Collapse;
  Scene scene = sceneOf(graph, options);
  ASSERT_EQ(scene.nodes.size(), 4u); // the argument, the first, the others, the return
  const SceneNode *first = nullptr, *others = nullptr;
  for (const SceneNode &node : scene.nodes) {
    first = node.title == "layer 1 of 6" ? &node : first;
    others = node.title == "5 more like it" ? &node : others;
  }
  ASSERT_TRUE(first && others);
  EXPECT_EQ(others->count, 5u);
  EXPECT_EQ(others->hidden, 5 * first->hidden);
  auto edge = [&](OpId from, OpId to) {
    return llvm::any_of(scene.edges, [&](const SceneEdge &e) { return e.from == from && e.to == to; });
  };
  EXPECT_TRUE(edge(-1, first->id));
  EXPECT_TRUE(edge(first->id, others->id));
  EXPECT_TRUE(edge(others->id, scene.nodes.back().id));

  // The first opened: its heads are a repeat inside.
  options.expanded.insert(first->id);
  Scene open = sceneOf(graph, options);
  EXPECT_TRUE(llvm::any_of(open.nodes, [](const SceneNode &node) { return node.title == "3 more like it"; }));
  // The others opened: five nodes in a chain.
  options.expanded = {others->id};
  Scene chain = sceneOf(graph, options);
  EXPECT_EQ(chain.nodes.size(), 8u);
  // All opened: as many nodes as without repeats.
  Scene shown = open;
  for (int round = 0; round < 6; ++round) {
    for (const SceneNode &node : shown.nodes)
      if (node.collapsedCluster)
        options.expanded.insert(node.id);
    shown = sceneOf(graph, options);
  }
  SceneOptions expand;
  expand.repeats = SceneOptions::Repeats::Expand;
  Scene plain = sceneOf(graph, expand);
  std::set<OpId> fills; // parts of what reads them, where there are layers
  for (const SceneNode &node : plain.nodes)
    if (llvm::StringRef(node.title).starts_with("fill"))
      fills.insert(node.id);
  size_t edges = llvm::count_if(
      plain.edges, [&](const SceneEdge &edge) { return !fills.count(edge.from) && !fills.count(edge.to); });
  EXPECT_EQ(shown.nodes.size(), plain.nodes.size() - fills.size());
  EXPECT_EQ(shown.edges.size(), edges);
}

TEST(Repeats, AttributesTellLayersApart) {
  std::string text = layers(4, 4);
  // Another op in the third layer.
  size_t at = text.find("linalg.abs", text.find("%u2_1"));
  ASSERT_NE(at, std::string::npos);
  text.replace(at, 10, "linalg.sqrt");
  Graph graph = Parsed(text).graph();
  for (const GraphRepeat &repeat : graph.functions[0].repeats)
    EXPECT_NE(repeat.instances[0].size(), 4u * 4 + 4) << "layers that differ are no repeat";
}

/// A chain of `count` layers of a matmul and twelve ops each on tensors of a type, from %`from`; returns the last
/// value.
std::string chain(std::string &body, const std::string &from, const std::string &name, int count,
                  const std::string &type) {
  std::string x = from;
  body += llvm::formatv("  %e{0} = tensor.empty() : {1}\n", name, type);
  for (int l = 0; l < count; ++l) {
    std::string product = llvm::formatv("%{0}{1}matmul", name, l);
    body += llvm::formatv("  {0} = linalg.matmul ins({1}, %w : {2}, tensor<8x8xf32>) outs(%e{3} : {2}) -> {2}\n",
                          product, x, type, name);
    x = product;
    for (const char *op :
         {"exp", "abs", "tanh", "sqrt", "ceil", "floor", "negf", "log", "square", "rsqrt", "reciprocal", "round"}) {
      std::string to = llvm::formatv("%{0}{1}{2}", name, l, op);
      body += llvm::formatv("  {0} = linalg.{1} ins({2} : {3}) outs(%e{4} : {3}) -> {3}\n", to, op, x, type, name);
      x = to;
    }
  }
  return x;
}

TEST(Repeats, StagesOfOtherWidthsAreFoundWhereTheyStandTwice) {
  std::string body;
  std::string wide = chain(body, "%x", "a", 4, "tensor<8x8xf32>");
  body += "  %s = tensor.extract_slice " + wide + "[0, 0] [4, 8] [1, 1] : tensor<8x8xf32> to tensor<4x8xf32>\n";
  std::string narrow = chain(body, "%s", "b", 2, "tensor<4x8xf32>");
  Graph graph = Parsed("func.func @f(%x: tensor<8x8xf32>, %w: tensor<8x8xf32>) -> tensor<4x8xf32> {\n" + body +
                       "  return " + narrow + " : tensor<4x8xf32>\n}\n")
                    .graph();
  std::vector<size_t> counts;
  for (const GraphRepeat &repeat : graph.functions[0].repeats)
    counts.push_back(repeat.instances.size());
  std::sort(counts.begin(), counts.end());
  EXPECT_EQ(counts, (std::vector<size_t>{2, 4}));
}

TEST(Repeats, LayersMayDifferInTheirWeightsTypes) {
  std::string text = layers(6, 4);
  // The third layer has its weights in half the bits.
  size_t at = text.find("%w2 = arith.constant"), end = text.find('\n', at);
  text.replace(at, end - at,
               "%h2 = arith.constant dense<1.0> : tensor<8x8xf16>\n  %i2 = tensor.empty() : tensor<8x8xf32>\n"
               "  %w2 = linalg.copy ins(%h2 : tensor<8x8xf16>) outs(%i2 : tensor<8x8xf32>) -> tensor<8x8xf32>");
  Graph graph = Parsed(text).graph();
  const std::vector<GraphRepeat> &repeats = graph.functions[0].repeats;
  ASSERT_FALSE(repeats.empty());
  EXPECT_EQ(repeats[0].instances.size(), 6u);
}

} // namespace

// Parts of a model, by the names of its weights and by the names in locations.
#include "core/graph/patterns/ScopeNames.h"
#include "tests/core/graph/NamedModel.h"
#include "tests/core/graph/TestModules.h"
#include "llvm/ADT/STLExtras.h"
#include <map>

using namespace fuselage;
using namespace fuselage::test;

namespace {

using Path = std::vector<std::string>;

TEST(ScopeNames, AreReadAsExportersWriteThem) {
  EXPECT_EQ(scopePath("m.encoder.layer.3.attention.self.query.weight"),
            (Path{"m", "encoder", "layer", "3", "attention", "self", "query"}));
  EXPECT_EQ(scopePath("__auto.m.conv1.weight"), (Path{"m", "conv1"}));
  EXPECT_EQ(scopePath("params['encoder']['layer_3']['kernel']"), (Path{"params", "encoder", "layer_3"}));
  EXPECT_EQ(scopePath("/encoder/layer.3/attention/MatMul"), (Path{"encoder", "layer", "3", "attention"}));
  EXPECT_EQ(scopePath("jit(main)/encoder/layer_3/add"), (Path{"encoder", "layer_3"}));
  EXPECT_EQ(scopePath("p_encoder_layer_3_fc_weight"), (Path{"p_encoder_layer_3"}));
  EXPECT_EQ(scopePath("weight"), Path());
  EXPECT_EQ(scopePath(""), Path());
  EXPECT_EQ(scopePath("..//[]''"), Path());
  EXPECT_LE(scopePath(std::string(100'000, '.') + std::string(100'000, 'a')).size(), 1u);
}

TEST(ScopeNames, NumbersMakeLists) {
  ScopeNames names;
  int stage = names.add({"layer1", "0", "conv1"}), twin = names.add({"layer2", "0", "conv1"});
  int lonely = names.add({"stem1", "conv"});
  std::vector<char> numbered = names.numbered();
  EXPECT_TRUE(numbered[names.ancestorAt(stage, 1)] && numbered[names.ancestorAt(twin, 1)]);
  EXPECT_TRUE(numbered[names.ancestorAt(stage, 2)]);
  EXPECT_FALSE(numbered[stage]) << "a leaf is no list";
  EXPECT_FALSE(numbered[names.ancestorAt(lonely, 1)]);
  EXPECT_EQ(names.shortName(names.ancestorAt(stage, 2), 0), "layer1.0");
  EXPECT_EQ(names.common(stage, twin), 0);
  EXPECT_EQ(names.common(stage, names.add({"layer1", "1"})), names.ancestorAt(stage, 1));
}

std::map<std::string, int> opsByPath(const FunctionGraph &function) {
  std::map<std::string, int> count;
  for (const GraphNode &node : function.nodes)
    if (node.scope >= 0 && node.id >= 0 && !node.isWeight && !node.isLeaf)
      ++count[function.scopes[node.scope].path];
  return count;
}

std::string scopeOf(const FunctionGraph &function, llvm::StringRef result) {
  for (const GraphNode &node : function.nodes)
    if (llvm::is_contained(node.results, result))
      return node.scope < 0 ? "" : function.scopes[node.scope].path;
  ADD_FAILURE() << "no " << result.str();
  return "";
}

TEST(Scopes, NamesOfWeightsMakeLayers) {
  Graph graph = ParsedWithNames(namedModel(4)).graph();
  const FunctionGraph &main = graph.functions[0];
  std::vector<std::string> layers;
  for (const GraphScope &scope : main.scopes)
    if (scope.kind == GraphScope::Kind::Layer)
      layers.push_back(scope.path);
  EXPECT_EQ(layers,
            (std::vector<std::string>{"encoder.layer.0", "encoder.layer.1", "encoder.layer.2", "encoder.layer.3"}));
  EXPECT_EQ(scopeOf(main, "%h0"), "embed");
  EXPECT_EQ(scopeOf(main, "%q2"), "encoder.layer.2.attention.query");
  EXPECT_EQ(scopeOf(main, "%m2"), "encoder.layer.2.mlp");
  EXPECT_EQ(scopeOf(main, "%wtt2"), "encoder.layer.2.mlp") << "what is made of a weight goes with its reader";
  EXPECT_EQ(scopeOf(main, "%out"), "head");
}

/// A recurrent network, unrolled: each step multiplies a slice of %x by one weight and the state by another.
std::string recurrentModel(unsigned steps) {
  std::string text = "func.func @main(%x: tensor<8x16xf32>, %h: tensor<1x16xf32>, "
                     "%w: tensor<16x16xf32> {fuselage.parameter = \"w.weight\"}, "
                     "%u: tensor<16x16xf32> {fuselage.parameter = \"u.weight\"}) -> tensor<1x16xf32> {\n"
                     "  %zero = arith.constant 0.0 : f32\n  %e = tensor.empty() : tensor<1x16xf32>\n"
                     "  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x16xf32>) -> tensor<1x16xf32>\n";
  std::string state = "%h";
  for (unsigned step = 0; step < steps; ++step) {
    text += llvm::formatv(
        "  %x{0} = tensor.extract_slice %x[{0}, 0] [1, 16] [1, 1] : tensor<8x16xf32> to tensor<1x16xf32>\n"
        "  %a{0} = linalg.matmul ins(%x{0}, %w : tensor<1x16xf32>, tensor<16x16xf32>) outs(%f : tensor<1x16xf32>) -> "
        "tensor<1x16xf32>\n"
        "  %b{0} = linalg.matmul ins({1}, %u : tensor<1x16xf32>, tensor<16x16xf32>) outs(%f : tensor<1x16xf32>) -> "
        "tensor<1x16xf32>\n"
        "  %s{0} = linalg.add ins(%a{0}, %b{0} : tensor<1x16xf32>, tensor<1x16xf32>) outs(%e : tensor<1x16xf32>) -> "
        "tensor<1x16xf32>\n"
        "  %t{0} = linalg.tanh ins(%s{0} : tensor<1x16xf32>) outs(%e : tensor<1x16xf32>) -> tensor<1x16xf32>\n",
        step, state);
    state = llvm::formatv("%t{0}", step);
  }
  return text + "  return " + state + " : tensor<1x16xf32>\n}\n";
}

TEST(Scopes, StepsThatCallTheSameModulesAreLayers) {
  Graph graph = ParsedWithNames(recurrentModel(6)).graph();
  const FunctionGraph &main = graph.functions[0];
  ASSERT_EQ(main.repeats.size(), 1u);
  EXPECT_EQ(main.repeats[0].label, "step");
  EXPECT_EQ(main.repeats[0].names,
            (std::vector<std::string>{"step 0", "step 1", "step 2", "step 3", "step 4", "step 5"}));
  std::map<std::string, int> ops = opsByPath(main);
  EXPECT_EQ(ops["w"], 12) << "the slice that it multiplies goes with it";
  EXPECT_EQ(ops["u"], 6);
  unsigned found = 0;
  for (const GraphScope &scope : main.scopes)
    if (scope.path == "u") {
      ++found;
      EXPECT_EQ(scope.label, "u");
      EXPECT_EQ(main.scopes[scope.parent].label.substr(0, 5), "step ");
    }
  EXPECT_EQ(found, 6u);
  for (size_t s = 0; s < main.scopes.size(); ++s)
    EXPECT_LT(main.scopes[s].parent, static_cast<int>(s));
}

TEST(Scopes, LayersAreRepeatsWithNames) {
  Graph graph = ParsedWithNames(namedModel(4)).graph();
  ASSERT_EQ(graph.functions[0].repeats.size(), 1u);
  const GraphRepeat &layers = graph.functions[0].repeats[0];
  EXPECT_EQ(layers.label, "encoder.layer");
  ASSERT_EQ(layers.names.size(), 4u);
  EXPECT_EQ(layers.names[3], "encoder.layer.3");
  for (const std::vector<OpId> &instance : layers.instances)
    EXPECT_EQ(instance.size(), layers.instances[1].size());
}

TEST(Scopes, OpsWithoutNamesGoWithTheirNeighbours) {
  Graph graph = ParsedWithNames(namedModel(4)).graph();
  const FunctionGraph &main = graph.functions[0];
  EXPECT_EQ(scopeOf(main, "%t2"), "encoder.layer.2.attention")
      << "an activation goes with the part around what feeds it";
  EXPECT_EQ(scopeOf(main, "%h3"), "encoder.layer.2") << "the sum with what came in is";
  EXPECT_EQ(scopeOf(main, "%h4"), "encoder.layer.3") << "the last one, too";
}

TEST(Scopes, NamesInLocationsCount) {
  std::string text = "func.func @f(%x: tensor<8xf32>) -> tensor<8xf32> {\n  %e = tensor.empty() : tensor<8xf32>\n";
  std::string x = "%x";
  for (int l = 0; l < 3; ++l)
    for (const char *op : {"exp", "tanh"}) {
      std::string to = llvm::formatv("%{0}{1}", op, l);
      text += llvm::formatv("  {0} = linalg.{1} ins({2} : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32> "
                            "loc(\"jit(main)/net/layer_{3}/{4}/{1}\")\n",
                            to, op, x, l, op[0] == 'e' ? "gate" : "act");
      x = to;
    }
  Graph graph = Parsed(text + "  return " + x + " : tensor<8xf32>\n}\n").graph();
  EXPECT_EQ(opsByPath(graph.functions[0]), (std::map<std::string, int>{{"layer_0.act", 1},
                                                                       {"layer_0.gate", 1},
                                                                       {"layer_1.act", 1},
                                                                       {"layer_1.gate", 1},
                                                                       {"layer_2.act", 1},
                                                                       {"layer_2.gate", 1}}));
}

TEST(Scopes, AModuleThatIsEnteredAgainIsAnotherCall) {
  // The same weight first and last: a tied head.
  std::string text = namedModel(3);
  size_t at = text.find("%out = linalg.matmul ins(%h3, %wh");
  ASSERT_NE(at, std::string::npos);
  text.replace(text.find("%wh", at), 3, "%we");
  Graph graph = ParsedWithNames(text).graph();
  std::vector<std::string> labels;
  for (const GraphScope &scope : graph.functions[0].scopes)
    if (scope.path == "embed")
      labels.push_back(scope.label);
  EXPECT_EQ(labels, (std::vector<std::string>{"embed", "embed (2)"}));
}

TEST(Scopes, ModelsWithoutNamesHaveNone) {
  Graph graph = ParsedWithNames(namedModel(4, /*named=*/false)).graph();
  EXPECT_TRUE(graph.functions[0].scopes.empty());
}

/// An nn.Sequential: a chain of its children "INDEX.PART", each of the ops that `parts` names, with a weight of its
/// own.
std::string sequential(const std::vector<std::vector<const char *>> &children) {
  std::string arguments = "%x: tensor<16x16xf32>", body, x = "%x";
  for (auto [index, parts] : llvm::enumerate(children))
    for (auto [part, op] : llvm::enumerate(parts)) {
      std::string id = llvm::formatv("{0}_{1}", index, part);
      arguments +=
          llvm::formatv(", %w{0}: tensor<16x16xf32> {{fuselage.parameter = \"{1}.{2}.weight\"}", id, index, part);
      body += llvm::formatv("  %v{0} = linalg.{1} ins({2}, %w{0} : tensor<16x16xf32>, tensor<16x16xf32>) outs(%e : "
                            "tensor<16x16xf32>) -> tensor<16x16xf32>\n",
                            id, op, x);
      x = "%v" + id;
    }
  return "func.func @main(" + arguments + ") -> tensor<16x16xf32> {\n  %e = tensor.empty() : tensor<16x16xf32>\n" +
         body + "  return " + x + " : tensor<16x16xf32>\n}\n";
}

TEST(Scopes, ChildrenOfASequentialAreNamedByTheirNumbers) {
  Graph graph =
      Parsed(sequential({{"matmul", "add", "mul"}, {"matmul", "add", "mul"}, {"matmul", "add", "mul"}})).graph();
  ASSERT_EQ(graph.functions[0].repeats.size(), 1u);
  EXPECT_EQ(graph.functions[0].repeats[0].label, "0 to 2");
  EXPECT_EQ(graph.functions[0].repeats[0].names, (std::vector<std::string>{"0", "1", "2"}));
  ASSERT_FALSE(graph.functions[0].scopes.empty());
  for (const GraphScope &scope : graph.functions[0].scopes)
    EXPECT_FALSE(scope.label.empty()) << scope.path;
}

TEST(Scopes, LayersOfOtherKindsAreNoRepeats) {
  Graph graph = Parsed(sequential({{"matmul", "add", "matmul"}, {"sub", "max", "min"}, {"div", "mul", "div"}})).graph();
  EXPECT_TRUE(graph.functions[0].repeats.empty());
  graph =
      Parsed(sequential(
                 {{"matmul", "add", "mul"}, {"matmul", "add", "mul"}, {"sub", "max", "min"}, {"sub", "max", "min"}}))
          .graph();
  ASSERT_EQ(graph.functions[0].repeats.size(), 2u);
  EXPECT_EQ(graph.functions[0].repeats[0].label, "0 to 1");
  EXPECT_EQ(graph.functions[0].repeats[1].label, "2 to 3");
}

TEST(Scopes, NestedListsAreStagesAndLayers) {
  // Two stages of two blocks, as "stages.S.B.{norm,fc}", of two widths.
  std::string arguments = "%x: tensor<8x16xf32>", body;
  std::string x = "%x";
  for (int s = 0; s < 2; ++s)
    for (int b = 0; b < 2; ++b) {
      std::string id = llvm::formatv("{0}{1}", s, b);
      for (const char *part : {"norm", "fc"}) {
        std::string to = llvm::formatv("%{0}{1}", part, id);
        arguments += llvm::formatv(", %w{0}{1}: tensor<8x16xf32> {{fuselage.parameter = \"stages.{2}.{3}.{0}.weight\"}",
                                   part, id, s, b);
        body += llvm::formatv("  {0} = linalg.add ins({1}, %w{2}{3} : tensor<8x16xf32>, tensor<8x16xf32>) outs(%e : "
                              "tensor<8x16xf32>) -> tensor<8x16xf32>\n",
                              to, x, part, id);
        x = to;
      }
    }
  Graph graph =
      Parsed("func.func @main(" + arguments + ") -> tensor<8x16xf32> {\n  %e = tensor.empty() : tensor<8x16xf32>\n" +
             body + "  return " + x + " : tensor<8x16xf32>\n}\n")
          .graph();
  std::map<std::string, GraphScope::Kind> kinds;
  for (const GraphScope &scope : graph.functions[0].scopes)
    kinds[scope.path] = scope.kind;
  EXPECT_EQ(kinds["stages.0"], GraphScope::Kind::Stage);
  EXPECT_EQ(kinds["stages.0.1"], GraphScope::Kind::Layer);
  EXPECT_EQ(kinds["stages.1.0"], GraphScope::Kind::Layer);
  EXPECT_EQ(kinds["stages.1.0.fc"], GraphScope::Kind::Block);
}

} // namespace

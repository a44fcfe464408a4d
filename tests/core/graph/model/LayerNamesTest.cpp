// The layers of a model by name, as lists of edges name them.
#include "core/graph/model/LayerNames.h"
#include "core/analysis/fusion/ExplainFusion.h"
#include "core/graph/build/GraphBuilder.h"
#include "core/graph/scene/JudgeEdges.h"
#include "tests/core/graph/NamedModel.h"
#include <map>
#include <set>

using namespace fuselage;
using namespace fuselage::test;

namespace {

/// How many matmuls each layer has.
std::map<std::string, int> matmulsByLayer(const std::string &source) {
  ParsedWithNames parsed(source);
  Graph graph = buildGraph(*parsed.module);
  LayerNames names(graph);
  std::map<std::string, int> count;
  for (const FunctionGraph &function : graph.functions)
    for (const GraphNode &node : function.nodes)
      if (node.op == "linalg.matmul")
        ++count[names.of(node.id)];
  return count;
}

TEST(LayerNames, AreThoseOfTheExporter) {
  auto count = matmulsByLayer(namedModel(4));
  EXPECT_EQ(count, (std::map<std::string, int>{{"embed", 1},
                                               {"encoder.layer.0", 2},
                                               {"encoder.layer.1", 2},
                                               {"encoder.layer.2", 2},
                                               {"encoder.layer.3", 2},
                                               {"head", 1}}));
}

TEST(LayerNames, AreNumbersWhereNothingIsNamed) {
  auto count = matmulsByLayer(namedModel(6, /*named=*/false));
  for (int layer = 1; layer <= 6; ++layer)
    EXPECT_EQ(count["layer " + std::to_string(layer)], 2) << layer;
}

/// Each dispatch is in one list, in program order; what comes after the layers is named, too, where it has a name.
TEST(LayerNames, OfDispatches) {
  for (bool named : {true, false}) {
    Graph graph = ParsedWithNames(namedModel(6, named)).graph();
    auto layers = layersOfDispatches(graph, LayerNames(graph));
    std::set<std::string> names;
    for (const GraphDispatch &dispatch : graph.functions[0].dispatches) {
      std::vector<std::string> &left = layers[dispatch.loc];
      ASSERT_FALSE(left.empty()) << dispatch.name;
      names.insert(left.front());
      left.erase(left.begin());
    }
    for (const auto &[loc, left] : layers)
      EXPECT_TRUE(left.empty()) << loc;
    names.erase("");
    EXPECT_EQ(names.size(), named ? 8u : 6u);
    EXPECT_TRUE(names.count(named ? "encoder.layer.2" : "layer 3")) << *names.begin();
  }
}

/// A group of edges says each layer once, and as many as it has edges where each layer has one of them.
TEST(LayerNames, OfGroups) {
  ParsedWithNames parsed(namedModel(5));
  auto report = explainFusion(*parsed.module, {}, 500);
  ASSERT_TRUE(bool(report)) << llvm::toString(report.takeError());
  nameLayers(*report, LayerNames(buildGraph(*parsed.module)));
  bool anyOfAll = false;
  for (const FusionGroupReport &group : report->groups) {
    EXPECT_EQ(std::set<std::string>(group.layers.begin(), group.layers.end()).size(), group.layers.size());
    EXPECT_LE(group.layers.size(), group.edges.size());
    if (group.edges.size() == 1)
      EXPECT_TRUE(group.layers.empty());
    anyOfAll |= group.layers.size() == 5;
  }
  EXPECT_TRUE(anyOfAll);
}

} // namespace

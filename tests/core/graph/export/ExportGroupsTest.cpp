// A box for several equal layers in what is exported: it says the sums of the layers that it opens into.
#include "core/graph/model/PartTotals.h"
#include "core/graph/scene/Scene.h"
#include "tests/core/graph/TestModules.h"
#include "tests/support/Draws.h"
#include "tests/support/LayeredModel.h"
#include <map>
#include <set>

using namespace fuselage;
using namespace fuselage::test;

namespace {

Scene sceneWith(const Graph &graph, const std::set<OpId> &opened) {
  SceneOptions options;
  options.repeats = SceneOptions::Repeats::Collapse;
  options.expanded = opened;
  llvm::Expected<Scene> scene = buildScene(graph, options);
  if (scene)
    return std::move(*scene);
  ADD_FAILURE() << takeFailure(scene.takeError()).message;
  return {};
}

std::map<OpId, const SceneNode *> nodesOf(const Scene &scene) {
  std::map<OpId, const SceneNode *> nodes;
  for (const SceneNode &node : scene.nodes)
    nodes[node.id] = &node;
  return nodes;
}

/// The words of a node in the text for Graphviz.
bool hasNode(llvm::StringRef dot, const SceneNode &node) {
  return dot.contains("\"n" + std::to_string(node.id) + "\" [label=\"" + node.title.str());
}

/// The members of a box of the JSON.
const llvm::json::Object *nodeIn(const llvm::json::Value &json, OpId id) {
  for (const llvm::json::Value &node : *json.getAsObject()->getArray("nodes"))
    if (node.getAsObject()->getInteger("id") == id)
      return node.getAsObject();
  return nullptr;
}

/// The box `group` of `closed` and what it opens into: as many as it counts, with its sums in all formats.
void checkOpened(const FunctionGraph &function, const Graph &graph, const Scene &closed, const SceneNode &group,
                 std::set<OpId> opened) {
  opened.insert(group.id);
  const Scene open = sceneWith(graph, opened);
  const std::map<OpId, const SceneNode *> before = nodesOf(closed);
  const ModelParts parts(function);
  const PartTotals *totals = parts.ofCluster(group.id);
  ASSERT_TRUE(totals);
  PartTotals sum;
  unsigned count = 0, hidden = 0;
  const std::string dot = toDOT(open);
  const llvm::json::Value json = toJSON(open);
  for (const SceneNode &node : open.nodes) {
    if (before.count(node.id))
      continue;
    const PartTotals *own = parts.ofCluster(node.id);
    ASSERT_TRUE(own && node.collapsedCluster) << node.title.str();
    sum += *own;
    hidden += node.hidden;
    ++count;
    EXPECT_TRUE(hasNode(dot, node)) << dot;
    const llvm::json::Object *written = nodeIn(json, node.id);
    ASSERT_TRUE(written);
    EXPECT_EQ(written->getInteger("hidden"), static_cast<int64_t>(node.hidden));
  }
  EXPECT_EQ(count, group.count);
  EXPECT_EQ(hidden, group.hidden);
  EXPECT_EQ(sum.ops, totals->ops);
  EXPECT_EQ(sum.dispatches, totals->dispatches);
  EXPECT_EQ(sum.bytes(), totals->bytes()) << "to the byte";
  EXPECT_EQ(sum.flops, totals->flops);
}

TEST(ExportGroups, OpenIntoTheLayersThatTheyStandFor) {
  size_t groups = 0;
  for (unsigned draw = 0; draw < draws(500) && !testing::Test::HasFailure(); ++draw) {
    std::mt19937 random = randomOf(draw, 29);
    const std::string source = layeredModel({.layers = 3 + draw % 5,
                                             .returnsEach = draw % 5 == 0,
                                             .also = static_cast<unsigned>(random() % 32),
                                             .experts = static_cast<unsigned>(random() % 4)});
    const Graph graph = Parsed(source).graph();
    const FunctionGraph &function = graph.functions.front();
    const Scene closed = sceneWith(graph, {});
    const std::string dot = toDOT(closed);
    const llvm::json::Value json = toJSON(closed);
    for (const SceneNode &node : closed.nodes) {
      if (node.count == 0)
        continue;
      ++groups;
      EXPECT_TRUE(hasNode(dot, node)) << dot;
      const llvm::json::Object *written = nodeIn(json, node.id);
      ASSERT_TRUE(written);
      EXPECT_EQ(written->getInteger("count"), static_cast<int64_t>(node.count));
      checkOpened(function, graph, closed, node, {});
    }
  }
  EXPECT_GT(groups, 100u);
}

} // namespace

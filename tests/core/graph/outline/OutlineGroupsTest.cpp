// Rows of the outline that have the same form are equal but for where they are, and rows are sums of what is in them.
#include "core/graph/model/PartTotals.h"
#include "core/graph/outline/Outline.h"
#include "tests/core/graph/TestModules.h"
#include "tests/support/Draws.h"
#include "tests/support/LayeredModel.h"
#include "tests/support/RandomChains.h"
#include "tests/support/RandomModules.h"
#include <map>
#include <set>

using namespace fuselage;
using namespace fuselage::test;

namespace {

using message::OutlineKind;
using Row = message::OutlineRow<>;

/// An outline with the rows right in each row, in their order.
struct Tree {
  message::Outline<> outline;
  std::vector<std::vector<int>> inside;

  explicit Tree(message::Outline<> of) : outline(std::move(of)), inside(outline.rows.size()) {
    for (const Row &row : outline.rows)
      if (row.parent >= 0)
        inside[row.parent].push_back(row.id);
  }
  /// What a row says, and all that is in it, but for where they are.
  std::string spell(int id) const {
    const Row &row = outline.rows[id];
    std::string text = std::string(message::outlineKinds[int(row.kind)]) + " ";
    for (int64_t number : {int64_t(row.ops), int64_t(row.dispatches), int64_t(row.missed), row.bytes, row.flops,
                           int64_t(row.bytesAtMost)})
      text += std::to_string(number) + " ";
    text += row.kind == OutlineKind::Op ? row.label : "";
    for (int child : inside[id])
      text += "(" + spell(child) + ")";
    return text;
  }
};

/// Edges that are not fused, at random.
EdgeVerdicts verdictsOn(const Graph &graph, std::mt19937 &random, int &missed) {
  EdgeVerdicts verdicts;
  for (const FunctionGraph &function : graph.functions)
    for (const GraphEdge &edge : function.edges) {
      bool isFused = random() % 3 > 0;
      verdicts.looks[{edge.from, edge.to, edge.operand}] = isFused ? EdgeLook::Fused : EdgeLook::Possible;
      missed += !isFused && edge.from >= 0 && edge.to >= 0;
    }
  return verdicts;
}

/// Siblings of one form say the same. Returns how many rows are in groups of several.
size_t checkForms(const Tree &tree, const std::string &source) {
  size_t grouped = 0;
  for (const std::vector<int> &siblings : tree.inside) {
    std::map<int, std::vector<std::string>> byForm;
    for (int id : siblings)
      if (tree.outline.rows[id].form >= 0)
        byForm[tree.outline.rows[id].form].push_back(tree.spell(id));
    for (const auto &[form, spelled] : byForm) {
      EXPECT_EQ(std::set<std::string>(spelled.begin(), spelled.end()).size(), 1u) << spelled.front() << source;
      grouped += spelled.size() > 1 ? spelled.size() : 0;
    }
  }
  return grouped;
}

/// Rows around dispatches are their sums, to the byte.
void checkSums(const Tree &tree, const std::string &source) {
  auto add = [](int64_t &sum, int64_t part) { sum = sum < 0 || part < 0 ? -1 : sum + part; };
  for (const Row &row : tree.outline.rows) {
    if (row.kind == OutlineKind::Dispatch || row.kind == OutlineKind::Op)
      continue;
    int64_t bytes = 0, flops = 0, dispatches = 0, missed = 0;
    for (int child : tree.inside[row.id]) {
      const Row &part = tree.outline.rows[child];
      if (part.kind == OutlineKind::Op)
        continue;
      add(bytes, part.bytes);
      add(flops, part.flops);
      dispatches += part.dispatches;
      missed += part.missed;
    }
    EXPECT_EQ(row.bytes, bytes) << row.name << source;
    EXPECT_EQ(row.flops, flops) << row.name << source;
    EXPECT_EQ(row.dispatches, dispatches) << row.name << source;
    EXPECT_GE(row.missed, missed) << row.name << source;
  }
}

/// The whole is what the graph has, without any tree.
void checkWhole(const Graph &graph, const Row &whole, int missed, const std::string &source) {
  int64_t bytes = 0, dispatches = 0, ops = 0;
  for (const FunctionGraph &function : graph.functions) {
    std::set<int> withOps;
    for (const GraphNode &node : function.nodes) {
      ops += node.id >= 0;
      if (node.id >= 0 && node.dispatch >= 0)
        withOps.insert(node.dispatch);
    }
    for (int dispatch : withOps) {
      PartTotals totals = totalsOf(function.dispatches[dispatch]);
      dispatches += totals.dispatches;
      bytes = bytes < 0 || totals.bytes() < 0 ? -1 : bytes + totals.bytes();
    }
  }
  EXPECT_EQ(whole.ops, ops) << source;
  EXPECT_EQ(whole.dispatches, dispatches) << source;
  EXPECT_EQ(whole.bytes, bytes) << source;
  EXPECT_EQ(whole.missed, missed) << source;
}

std::string randomSource(unsigned draw, std::mt19937 &random) {
  if (draw % 3 == 0)
    return layeredModel({.layers = 2 + draw % 7, .otherLayer = draw % 4, .also = static_cast<unsigned>(random() % 32)});
  if (draw % 3 == 1)
    return randomModule({.steps = 2 + static_cast<int>(random() % 10)}, random);
  ChainOptions options;
  options.ops = 2 + static_cast<int>(random() % 12);
  return randomChain(options, random);
}

TEST(OutlineGroups, ExpandToTheFlatListOnRandomPrograms) {
  size_t grouped = 0;
  for (unsigned draw = 0; draw < draws(500) && !testing::Test::HasFailure(); ++draw) {
    std::mt19937 random = randomOf(draw, 91);
    std::string source = randomSource(draw, random);
    Graph graph = Parsed(source).graph();
    int missed = 0;
    EdgeVerdicts verdicts = verdictsOn(graph, random, missed);
    Tree judged(outlineOf(graph, &verdicts));
    grouped += checkForms(judged, source);
    checkSums(judged, source);
    checkWhole(graph, judged.outline.rows.front(), missed, source);
    checkForms(Tree(outlineOf(graph, nullptr)), source);
  }
  EXPECT_GT(grouped, 500u);
}

/// Layers add places, not forms.
TEST(OutlineGroups, OfAModelAreThoseOfFewLayers) {
  auto formsOf = [](unsigned layers) {
    std::set<std::pair<int, int>> forms;
    for (const Row &row : outlineOf(Parsed(layeredModel({.layers = layers, .also = 31})).graph(), nullptr).rows)
      if (row.kind == OutlineKind::Layer)
        forms.insert({row.parent, row.form});
    return forms.size();
  };
  EXPECT_GT(formsOf(6), 0u);
  EXPECT_EQ(formsOf(6), formsOf(18));
}

} // namespace

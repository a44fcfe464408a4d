#include "core/graph/model/GraphDiff.h"
#include "tests/core/graph/TestModules.h"

using namespace fuselage;
using namespace fuselage::test;
using Change = GraphDiff::Change;

namespace {

constexpr const char *before = R"(
func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = math.exp %a : tensor<4xf32> loc("x.mlir":1:1)
  %1 = math.log %0 : tensor<4xf32> loc("x.mlir":2:1)
  %2 = math.tanh %1 : tensor<4xf32> loc("x.mlir":3:1)
  return %2 : tensor<4xf32> loc("x.mlir":4:1)
})";

const GraphDiff::After &at(const GraphDiff &diff, size_t index) { return diff.after.at(index); }

TEST(GraphDiff, SameModuleIsAllSame) {
  Parsed parsed(before);
  auto copy = parsed.another(before);
  GraphDiff diff = diffGraphs(*parsed.module, *copy);
  ASSERT_EQ(diff.after.size(), 4u);
  for (const auto &entry : diff.after) {
    EXPECT_EQ(entry.change, Change::Same);
    EXPECT_EQ(entry.origins, std::vector<OpId>{entry.id});
  }
  EXPECT_TRUE(diff.removed.empty());
}

TEST(GraphDiff, AddedChangedRemovedThroughLocations) {
  Parsed parsed(before);
  auto after = parsed.another(R"(
func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = math.exp %a fastmath<fast> : tensor<4xf32> loc("x.mlir":1:1)
  %1 = math.sqrt %0 : tensor<4xf32> loc(fused["x.mlir":1:1, "x.mlir":3:1])
  return %1 : tensor<4xf32> loc("x.mlir":4:1)
})");
  GraphDiff diff = diffGraphs(*parsed.module, *after);
  ASSERT_EQ(diff.after.size(), 3u);
  EXPECT_EQ(at(diff, 0).change, Change::Changed); // an attribute
  EXPECT_EQ(at(diff, 1).change, Change::Added);
  EXPECT_EQ(at(diff, 1).origins, (std::vector<OpId>{2, 4})); // exp and tanh
  EXPECT_EQ(at(diff, 2).change, Change::Changed);            // an operand
  EXPECT_EQ(diff.removed, std::vector<OpId>{3});             // log; tanh lives on in sqrt
}

TEST(GraphDiff, PayloadChangesCount) {
  auto module = [](const char *op) {
    return std::string(R"(
#id = affine_map<(d0) -> (d0)>
func.func @f(%t: tensor<4xf32>) -> tensor<4xf32> {
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%t : tensor<4xf32>) outs(%t : tensor<4xf32>) {
  ^bb0(%i: f32, %o: f32):
    %m = )") +
           op + R"( %i, %o : f32
    linalg.yield %m : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
})";
  };
  Parsed parsed(module("arith.addf"));
  auto same = parsed.another(module("arith.addf"));
  auto changed = parsed.another(module("arith.mulf"));
  EXPECT_EQ(at(diffGraphs(*parsed.module, *same), 0).change, Change::Same);
  EXPECT_EQ(at(diffGraphs(*parsed.module, *changed), 0).change, Change::Changed);
}

TEST(GraphDiff, UnknownLocationsPairByShape) {
  constexpr const char *text = R"(
func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = math.exp %a : tensor<4xf32> loc(unknown)
  %1 = math.exp %0 : tensor<4xf32> loc(unknown)
  return %1 : tensor<4xf32> loc(unknown)
})";
  Parsed parsed(text);
  auto copy = parsed.another(text);
  GraphDiff diff = diffGraphs(*parsed.module, *copy);
  for (const auto &entry : diff.after)
    EXPECT_EQ(entry.change, Change::Same);
}

TEST(GraphDiff, OneLocationForEverythingStaysLinear) {
  std::string text = "func.func @f(%a0: f32) -> f32 {\n";
  constexpr int count = 20000;
  for (int i = 0; i < count; ++i)
    text += "  %a" + std::to_string(i + 1) + " = math.exp %a" + std::to_string(i) + " : f32 loc(\"one.mlir\":1:1)\n";
  text += "  return %a" + std::to_string(count) + " : f32\n}\n";
  Parsed parsed(text);
  auto copy = parsed.another(text);
  GraphDiff diff = diffGraphs(*parsed.module, *copy);
  EXPECT_EQ(diff.after.size(), static_cast<size_t>(count) + 1);
  EXPECT_TRUE(std::all_of(diff.after.begin(), diff.after.end(), [](const GraphDiff::After &entry) {
    return entry.change == Change::Same && entry.origins.size() == 1;
  }));
}

} // namespace

// Of edges that are the same but for where they are, one is fused; every op that is not near it stays as it is.
#include "core/analysis/places/PlaceFusion.h"
#include "core/analysis/fusion/ExplainFusion.h"
#include "core/analysis/fusion/FusionPipelines.h"
#include "core/ir/Session.h"
#include "core/registration/Registration.h"
#include "core/run/HostCheck.h"
#include "mlir/IR/Verifier.h"
#include "tests/support/LayeredModel.h"
#include <array>
#include <gtest/gtest.h>
#include <map>
#include <set>

using namespace fuselage;
using namespace fuselage::test;

namespace {

struct PlaceFusion : testing::Test {
  Session session{allDialects()};
  mlir::OwningOpRef<mlir::ModuleOp> module;
  FusionPolicy policy{};

  void parse(const std::string &source) {
    auto parsed = session.parse(source, "model.mlir");
    ASSERT_TRUE(static_cast<bool>(parsed)) << llvm::toString(parsed.takeError()) << source;
    module = std::move(*parsed);
  }
  FusionReport report(mlir::ModuleOp of) {
    auto explained = explainFusion(of, policy, 500, {});
    EXPECT_TRUE(static_cast<bool>(explained)) << llvm::toString(explained.takeError());
    return std::move(*explained);
  }
  EdgeFusion fuse(const FusionEdgeReport &edge) {
    auto fusion = fusePlace(*module, {.from = edge.from, .to = edge.to, .operand = edge.operand}, policy);
    EXPECT_TRUE(static_cast<bool>(fusion)) << llvm::toString(fusion.takeError());
    return std::move(*fusion);
  }
  mlir::OwningOpRef<mlir::ModuleOp> after(const EdgeFusion &fusion) {
    mlir::OwningOpRef<mlir::ModuleOp> copy = module->clone();
    EXPECT_FALSE(static_cast<bool>(runFusionPipeline(*copy, fusion.pipeline))) << fusion.pipeline;
    return copy;
  }
};

/// The lines that ops come from, and what stands there.
std::map<unsigned, std::set<std::string>> textByLine(mlir::ModuleOp module) {
  std::map<unsigned, std::set<std::string>> text;
  auto function = *module.getOps<mlir::func::FuncOp>().begin();
  for (mlir::Operation &op : function.front()) {
    std::string name = op.getName().getStringRef().str();
    llvm::raw_string_ostream os(name);
    op.getAttrDictionary().print(os);
    for (mlir::Type type : op.getResultTypes())
      os << type;
    text[positionOf(op.getLoc()).line].insert(name);
  }
  return text;
}

std::string printed(mlir::ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream os(text);
  module.print(os);
  return text;
}

/// Fuses each place in the middle of every row, of models that differ in what their layers do.
TEST_F(PlaceFusion, ChangesOneOfManyEqualPlaces) {
  unsigned fused = 0;
  for (unsigned draw = 0; draw < 12; ++draw) {
    unsigned also = std::array{0, 1, 4, 8, 16, 31}[draw % 6];
    policy = llvm::cantFail(parseFusionPolicy(draw < 6 ? "aggressive" : "conservative"));
    std::string source = layeredModel({.layers = 7, .also = also});
    parse(source);
    FusionReport before = report(*module);
    std::map<unsigned, std::set<std::string>> text = textByLine(*module);
    for (const auto &group : before.groups) {
      const FusionEdgeReport &edge = before.edges[group.edges[group.edges.size() / 2]];
      if (!edge.missed || edge.unlocks.empty() || group.edges.size() < 5)
        continue;
      EdgeFusion fusion = fuse(edge);
      ASSERT_TRUE(fusion.fused) << policy.name << " " << also << " " << edge.fromOp << " " << edge.toOp << source;
      ++fused;
      ASSERT_EQ(fusion.steps.size(), 1u);
      mlir::OwningOpRef<mlir::ModuleOp> now = after(fusion);
      ASSERT_TRUE(mlir::succeeded(mlir::verify(*now)));
      EXPECT_EQ(printed(*now), printed(*after(fusion))) << "it is not repeatable: " << fusion.pipeline;
      // Less goes through memory, and no op of a layer that is not next to this one has changed.
      FusionReport then = report(*now);
      EXPECT_LT(then.totals.missed, before.totals.missed) << fusion.pipeline << source;
      EXPECT_LE(then.totals.dispatches, before.totals.dispatches) << fusion.pipeline << source;
      EXPECT_EQ(static_cast<int64_t>(fusion.steps.front().dispatches), then.totals.dispatches);
      std::set<unsigned> changed;
      for (const auto &[line, ops] : textByLine(*now))
        if (text[line] != ops)
          changed.insert(line);
      unsigned perLayer = (text.rbegin()->first - text.begin()->first) / 7;
      ASSERT_FALSE(changed.empty());
      EXPECT_LE(*changed.rbegin() - *changed.begin(), perLayer) << fusion.pipeline << source;
      auto check = HostReference::run(*module, {});
      ASSERT_TRUE(static_cast<bool>(check)) << llvm::toString(check.takeError());
      auto result = check->check(*now);
      ASSERT_TRUE(static_cast<bool>(result)) << llvm::toString(result.takeError());
      EXPECT_TRUE(result->ok) << fusion.pipeline << source;
    }
  }
  EXPECT_GE(fused, 10u);
}

/// What fuses the place by itself is found again for each of its equals, and all of them together are the row.
TEST_F(PlaceFusion, OnePlaceAfterTheOtherIsTheWholeRow) {
  parse(layeredModel({.layers = 5, .also = 1}));
  FusionReport before = report(*module);
  int64_t left = 0;
  std::string from, to;
  for (const auto &group : before.groups)
    if (const FusionEdgeReport &edge = before.edges[group.edges.front()];
        edge.missed && edge.fromOp == "linalg.transpose" && group.edges.size() == 5) {
      left = 5;
      from = edge.fromOp;
      to = edge.toOp;
    }
  ASSERT_EQ(left, 5);
  for (; left > 0; --left) {
    FusionReport now = report(*module);
    auto place = llvm::find_if(
        now.edges, [&](const FusionEdgeReport &edge) { return edge.missed && edge.fromOp == from && edge.toOp == to; });
    ASSERT_NE(place, now.edges.end()) << left << printed(*module);
    EXPECT_EQ(
        llvm::count_if(now.edges, [&](const FusionEdgeReport &edge) { return edge.missed && edge.fromOp == from; }),
        left);
    EdgeFusion fusion = fuse(*place);
    ASSERT_TRUE(fusion.fused);
    module = after(fusion);
  }
  for (const FusionEdgeReport &edge : report(*module).edges)
    EXPECT_FALSE(edge.missed && edge.fromOp == from);
}

TEST_F(PlaceFusion, WhatReadsThePlaceMovesAfterIt) {
  // @other reads %t between the transpose and the product.
  parse(R"(
func.func @main(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %t = linalg.transpose ins(%b : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) permutation = [1, 0]
  %other = linalg.exp ins(%t : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %late = linalg.log ins(%a : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %p = linalg.matmul ins(%late, %t : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %other, %p : tensor<8x8xf32>, tensor<8x8xf32>
}
)");
  mlir::OwningOpRef<mlir::ModuleOp> copy = module->clone();
  // The transpose, which stays for its other user, and the product.
  ASSERT_FALSE(static_cast<bool>(
      runFusionPipeline(*copy, "builtin.module(fuselage-fuse-at{from=4 to=14 passes=fuselage-absorb-transpose})")));
  ASSERT_TRUE(mlir::succeeded(mlir::verify(*copy))) << printed(*copy);
  auto check = HostReference::run(*module, {});
  ASSERT_TRUE(static_cast<bool>(check)) << llvm::toString(check.takeError());
  auto result = check->check(*copy);
  ASSERT_TRUE(static_cast<bool>(result)) << llvm::toString(result.takeError());
  EXPECT_TRUE(result->ok);
}

TEST_F(PlaceFusion, RefusalsSayWhatStandsInTheWay) {
  parse(layeredModel({.layers = 3}));
  auto missing = fusePlace(*module, {.from = 0, .to = 99999}, {});
  ASSERT_FALSE(static_cast<bool>(missing));
  EXPECT_NE(llvm::toString(missing.takeError()).find("there is no op 99999"), std::string::npos);
  auto error = runFusionPipeline(*module, "builtin.module(fuselage-fuse-at{from=1 to=2 passes=canonicalize})");
  std::string text = llvm::toString(std::move(error));
  EXPECT_NE(text.find("in the other"), std::string::npos) << text;
}

} // namespace

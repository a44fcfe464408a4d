// Figures that can be checked by hand.
#include "core/analysis/tiles/TileReport.h"
#include "core/analysis/tiles/FindTileOp.h"
#include "core/ir/Session.h"
#include "core/registration/Registration.h"
#include <gtest/gtest.h>

using namespace fuselage;

namespace {

/// A module, an op in it, and its report.
struct Explored {
  Session session{allDialects()};
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::string error;

  explicit Explored(llvm::StringRef text) {
    auto parsed = session.parse(text, "t.mlir");
    if (parsed)
      module = std::move(*parsed);
    else
      error = llvm::toString(parsed.takeError());
  }
  llvm::Expected<TileReport> report(llvm::StringRef name, bool fuse, const TileRequest &request) {
    mlir::AsmState names(*module);
    auto found = findTileOp(*module, name, names);
    if (!found)
      return found.takeError();
    auto chain = TileChain::build(found->op, {.fuse = fuse, .kept = {}});
    if (!chain)
      return chain.takeError();
    return reportTile(*chain, request);
  }
};

constexpr llvm::StringLiteral matmul = R"(
func.func @f(%a: tensor<128x256xf32>, %b: tensor<256x512xf32>) -> tensor<128x512xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<128x512xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%e : tensor<128x512xf32>) -> tensor<128x512xf32>
  %mm = linalg.matmul ins(%a, %b : tensor<128x256xf32>, tensor<256x512xf32>)
      outs(%fill : tensor<128x512xf32>) -> tensor<128x512xf32>
  return %mm : tensor<128x512xf32>
})";

/// y[i] = sum of x[i .. i + 2] where x = exp of an argument.
constexpr llvm::StringLiteral window = R"(
func.func @f(%a: tensor<34xf32>, %w: tensor<3xf32>) -> tensor<32xf32> {
  %e = tensor.empty() : tensor<34xf32>
  %x = linalg.exp ins(%a : tensor<34xf32>) outs(%e : tensor<34xf32>) -> tensor<34xf32>
  %i = tensor.empty() : tensor<32xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0 + d1)>, affine_map<(d0, d1) -> (d1)>,
                                        affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]}
      ins(%x, %w : tensor<34xf32>, tensor<3xf32>) outs(%i : tensor<32xf32>) {
  ^bb0(%in: f32, %k: f32, %out: f32):
    %s = arith.addf %in, %out : f32
    linalg.yield %s : f32
  } -> tensor<32xf32>
  return %y : tensor<32xf32>
})";

} // namespace

TEST(TileReport, MatmulByTiles) {
  Explored explored(matmul);
  ASSERT_TRUE(explored.module) << explored.error;
  auto report = explored.report("linalg.matmul", false, {.sizes = {32, 64, 16}, .tile = {1, 2, 3}, .order = {}});
  ASSERT_TRUE(bool(report)) << llvm::toString(report.takeError());
  EXPECT_EQ(report->tiles, 4 * 8 * 16);
  EXPECT_EQ(report->tileNumber, (1 * 8 + 2) * 16 + 3);
  ASSERT_EQ(report->operands.size(), 3u);
  Product a = report->operands[0].touched.hull();
  EXPECT_EQ(a[0].set, IntSet::interval(32, 64));
  EXPECT_EQ(a[1].set, IntSet::interval(48, 64));
  EXPECT_EQ(report->operands[1].touched.size(), 16 * 64);
  EXPECT_EQ(report->operands[2].role, "destination");
  EXPECT_EQ(report->operands[0].loops, 0b101u);
  // 4 * 8 tiles of the parallel loops read 32 x 256 and 256 x 64, read and write 32 x 64.
  EXPECT_DOUBLE_EQ(report->tiled.bytes, 32.0 * (32 * 256 + 256 * 64 + 2 * 32 * 64) * 4);
  EXPECT_DOUBLE_EQ(report->tiled.flops, 2.0 * 128 * 256 * 512);
  EXPECT_EQ(report->workgroupBytes, (32 * 16 + 16 * 64 + 32 * 64) * 4);
}

TEST(TileReport, FusedFillIsRecomputedNever) {
  Explored explored(matmul);
  ASSERT_TRUE(explored.module) << explored.error;
  auto report = explored.report("%mm", true, {.sizes = {32, 64}, .tile = {}, .order = {}});
  // The text is not a file: only its printed names are known.
  EXPECT_FALSE(bool(report));
  llvm::consumeError(report.takeError());
  report = explored.report("matmul", true, {.sizes = {32, 64}, .tile = {}, .order = {}});
  ASSERT_TRUE(bool(report)) << llvm::toString(report.takeError());
  ASSERT_EQ(report->producers.size(), 1u);
  EXPECT_DOUBLE_EQ(report->producers[0].recompute(), 1.0);
  EXPECT_DOUBLE_EQ(report->fused.bytes, 32.0 * (32 * 256 + 256 * 64 + 32 * 64) * 4);
}

TEST(TileReport, WhatReductionLoopsDoNotMoveIsComputedOnce) {
  Explored explored(matmul);
  ASSERT_TRUE(explored.module) << explored.error;
  auto report = explored.report("matmul", true, {.sizes = {32, 64, 16}, .tile = {}, .order = {}});
  ASSERT_TRUE(bool(report)) << llvm::toString(report.takeError());
  EXPECT_DOUBLE_EQ(report->producers[0].recompute(), 1.0);
}

TEST(TileReport, WindowsHaveHalosAndRecompute) {
  Explored explored(window);
  ASSERT_TRUE(explored.module) << explored.error;
  auto report = explored.report("linalg.generic", true, {.sizes = {8}, .tile = {1}, .order = {}});
  ASSERT_TRUE(bool(report)) << llvm::toString(report.takeError());
  ASSERT_EQ(report->producers.size(), 1u);
  const ProducerReport &exp = report->producers[0];
  EXPECT_EQ(exp.results[0].touched.hull()[0].set, IntSet::interval(8, 18));
  EXPECT_EQ(exp.results[0].halo.hull()[0].set, IntSet::interval(16, 18));
  EXPECT_EQ(exp.allPoints, 4 * 10);
  EXPECT_DOUBLE_EQ(exp.recompute(), 40.0 / 34.0);
}

TEST(TileReport, SizesSnapAndAreTold) {
  Explored explored(matmul);
  ASSERT_TRUE(explored.module) << explored.error;
  auto report = explored.report("matmul", false, {.sizes = {48, 1000, 100}, .tile = {}, .order = {}, .snap = true});
  ASSERT_TRUE(bool(report)) << llvm::toString(report.takeError());
  EXPECT_EQ(report->loops[0].size, 32); // 32 and 64 are as near: the smaller
  EXPECT_EQ(report->loops[1].size, 512);
  EXPECT_EQ(report->loops[2].size, 128);
  EXPECT_EQ(report->notes.size(), 3u);
}

TEST(TileReport, UnevenLastTiles) {
  Explored explored(matmul);
  ASSERT_TRUE(explored.module) << explored.error;
  auto report = explored.report("matmul", true, {.sizes = {50, 100, 0}, .tile = {2, 5, 0}, .order = {1, 0, 2}});
  ASSERT_TRUE(bool(report)) << llvm::toString(report.takeError());
  EXPECT_EQ(report->loops[0].lastSize, 28);
  EXPECT_EQ(report->results[0].touched.size(), 28 * 12);
  EXPECT_EQ(report->tileNumber, report->tiles - 1);
  EXPECT_EQ(report->producers[0].allPoints, 128 * 512);
}

TEST(TileReport, WrongRequestsAreRefused) {
  Explored explored(matmul);
  ASSERT_TRUE(explored.module) << explored.error;
  auto message = [&](TileRequest request) {
    auto report = explored.report("matmul", false, request);
    return report ? std::string() : llvm::toString(report.takeError());
  };
  EXPECT_NE(message({.sizes = {1, 2, 3, 4}, .tile = {}, .order = {}}).find("4 tile sizes for 3 loops"),
            std::string::npos);
  EXPECT_NE(message({.sizes = {32}, .tile = {4}, .order = {}}).find("no tile 4 of d0"), std::string::npos);
  EXPECT_NE(message({.sizes = {}, .tile = {}, .order = {0, 0, 1}}).find("loop order"), std::string::npos);
  auto unknown = explored.report("linalg.matmull", false, {});
  std::string text = llvm::toString(unknown.takeError());
  EXPECT_NE(text.find("There are:"), std::string::npos);
  EXPECT_NE(text.find("linalg.matmul,"), std::string::npos);
}

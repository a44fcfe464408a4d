#include "core/tuning/dispatch/HostTile.h"
#include "core/device/HostProcessor.h"
#include "core/ir/Session.h"
#include "core/registration/Registration.h"
#include "gtest/gtest.h"

using namespace fuselage;
using namespace fuselage::tune;

namespace {

using Sizes = llvm::SmallVector<int64_t>;

class HostTileTest : public testing::Test {
protected:
  std::optional<RequestedTile> tileOf(llvm::StringRef source, const RequestedSizes &sizes) {
    module = llvm::cantFail(session.parse(source.str(), "m.mlir"));
    return hostTile(*module->getOps<mlir::func::FuncOp>().begin(), sizes);
  }
  Session session{allDialects()};
  mlir::OwningOpRef<mlir::ModuleOp> module;
  const int64_t lanes = hostProcessor().vectorBytes / 4;
};

constexpr llvm::StringLiteral product = R"mlir(
func.func @mm(%a: tensor<64x32xf32>, %b: tensor<32x96xf32>, %c: tensor<64x96xf32>) -> tensor<64x96xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<64x32xf32>, tensor<32x96xf32>) outs(%c : tensor<64x96xf32>) -> tensor<64x96xf32>
  return %0 : tensor<64x96xf32>
})mlir";

constexpr llvm::StringLiteral sum = R"mlir(
func.func @add(%a: tensor<64x96xf32>, %b: tensor<64x96xf32>) -> tensor<64x96xf32> {
  %e = tensor.empty() : tensor<64x96xf32>
  %0 = linalg.add ins(%a, %b : tensor<64x96xf32>, tensor<64x96xf32>) outs(%e : tensor<64x96xf32>) -> tensor<64x96xf32>
  return %0 : tensor<64x96xf32>
})mlir";

TEST_F(HostTileTest, TheSumsOfAProductStayInRegistersForAllOfTheDepth) {
  auto tile = tileOf(product, {{"rows", 4}, {"vectors", 2}, {"task_rows", 16}});
  ASSERT_TRUE(tile);
  EXPECT_EQ(tile->registers, (Sizes{4, 2 * lanes, 0}));
  EXPECT_EQ(tile->task, (Sizes{16, 2 * lanes, 0}));
  // A task has whole tiles.
  EXPECT_EQ(tileOf(product, {{"rows", 5}, {"vectors", 1}, {"task_rows", 18}})->task, (Sizes{15, lanes, 0}));
}

/// Ops that are made generic on their way.
TEST_F(HostTileTest, WhatIsAskedOfNamedOpsReachesTheirKernels) {
  auto batches = tileOf(R"mlir(
func.func @f(%a: tensor<3x64x32xf32>, %b: tensor<3x32x96xf32>, %c: tensor<3x64x96xf32>) -> tensor<3x64x96xf32> {
  %0 = linalg.batch_matmul ins(%a, %b : tensor<3x64x32xf32>, tensor<3x32x96xf32>) outs(%c : tensor<3x64x96xf32>) -> tensor<3x64x96xf32>
  return %0 : tensor<3x64x96xf32>
})mlir",
                        {{"rows", 2}, {"vectors", 1}, {"task_rows", 8}});
  ASSERT_TRUE(batches);
  EXPECT_EQ(batches->registers, (Sizes{1, 2, lanes, 0}));
  EXPECT_EQ(batches->task, (Sizes{1, 8, lanes, 0}));
  auto images = tileOf(R"mlir(
func.func @f(%a: tensor<1x14x14x8xf32>, %w: tensor<3x3x8x32xf32>, %c: tensor<1x12x12x32xf32>) -> tensor<1x12x12x32xf32> {
  %0 = linalg.conv_2d_nhwc_hwcf ins(%a, %w : tensor<1x14x14x8xf32>, tensor<3x3x8x32xf32>) outs(%c : tensor<1x12x12x32xf32>) -> tensor<1x12x12x32xf32>
  return %0 : tensor<1x12x12x32xf32>
})mlir",
                       {{"rows", 3}, {"vectors", 1}, {"task_rows", 6}});
  ASSERT_TRUE(images);
  EXPECT_EQ(images->registers, (Sizes{0, 1, 3, lanes, 0, 0, 0}));
}

TEST_F(HostTileTest, NobodyAsksWhereThePipelineChooses) {
  EXPECT_FALSE(tileOf(product, {{"rows", 0}, {"vectors", 0}, {"task_rows", 0}}));
  EXPECT_FALSE(tileOf(product, {{"columns", 8}})) << "there is no such knob";
}

/// The sums of rows, and the rows by their sums, go through 8 rows together.
TEST_F(HostTileTest, TheTaskOfABlockIsTheBlock) {
  constexpr llvm::StringLiteral quotients = R"mlir(
func.func @d(%a: tensor<3x64x400xf32>, %init: tensor<3x64x400xf32>, %zero: tensor<3x64xf32>) -> tensor<3x64x400xf32> {
  %s = linalg.generic {indexing_maps = [affine_map<(b, i, k) -> (b, i, k)>, affine_map<(b, i, k) -> (b, i)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a : tensor<3x64x400xf32>) outs(%zero : tensor<3x64xf32>) {
  ^bb0(%x: f32, %out: f32):
    %sum = arith.addf %x, %out : f32
    linalg.yield %sum : f32
  } -> tensor<3x64xf32>
  %q = linalg.generic {indexing_maps = [affine_map<(b, i, k) -> (b, i, k)>, affine_map<(b, i, k) -> (b, i)>, affine_map<(b, i, k) -> (b, i, k)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%a, %s : tensor<3x64x400xf32>, tensor<3x64xf32>) outs(%init : tensor<3x64x400xf32>) {
  ^bb0(%x: f32, %y: f32, %out: f32):
    %r = arith.divf %x, %y : f32
    linalg.yield %r : f32
  } -> tensor<3x64x400xf32>
  return %q : tensor<3x64x400xf32>
})mlir";
  auto tile = tileOf(quotients, {{"rows", 4}, {"vectors", 1}, {"task_rows", 64}, {"block_rows", 8}});
  ASSERT_TRUE(tile);
  EXPECT_EQ(tile->task, (Sizes{1, 8, 0}));
  EXPECT_EQ(tile->registers, (Sizes{1, 4, lanes}));
  tile = tileOf(quotients, {{"rows", 4}, {"vectors", 1}, {"task_rows", 16}, {"block_rows", 3 * 64}});
  ASSERT_TRUE(tile) << "no blocks";
  EXPECT_EQ(tile->registers[1] * tile->registers[0], 4);
}

/// Rows that lie one after another are one loop of 6144.
TEST_F(HostTileTest, LoopsThatAreJoinedHaveBoxesOrNone) {
  auto tile = tileOf(sum, {{"task_columns", 192}, {"task_rows", 1}, {"vectors", 1}});
  ASSERT_TRUE(tile);
  EXPECT_EQ(tile->task, (Sizes{2, 0}));
  EXPECT_EQ(tile->registers, (Sizes{1, lanes}));
  EXPECT_FALSE(tileOf(sum, {{"task_columns", 128}, {"task_rows", 1}, {"vectors", 1}}))
      << "a row and a third of the next one";
}

} // namespace

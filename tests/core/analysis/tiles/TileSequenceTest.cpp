// What tiles load one after the other, against elements that are listed one by one.
#include "core/analysis/tiles/TileSequence.h"
#include "tests/core/analysis/tiles/TiledOp.h"
#include <functional>
#include <set>

using namespace fuselage;
using namespace fuselage::test;

namespace {

struct Op : TiledOp {
  using TiledOp::TiledOp;
  using Numbers = llvm::SmallVector<int64_t>;
  using Elements = std::set<std::pair<size_t, std::vector<int64_t>>>;

  /// The elements of all operands that a tile touches.
  Elements touched(const Numbers &sizes, const Numbers &tile) {
    Elements elements;
    Numbers point(sizes.size());
    std::function<void(size_t)> walk = [&](size_t loop) {
      if (loop < sizes.size()) {
        const int64_t first = tile[loop] * sizes[loop], end = std::min(first + sizes[loop], chain->root().domain[loop]);
        for (point[loop] = first; point[loop] < end; ++point[loop])
          walk(loop + 1);
        return;
      }
      for (const auto [operand, map] : llvm::enumerate(op.getIndexingMapsArray())) {
        const auto index = map.compose(point);
        elements.insert({operand, {index.begin(), index.end()}});
      }
    };
    walk(0);
    return elements;
  }

  std::vector<int64_t> loadedByHand(const Numbers &sizes, const Numbers &order) {
    const TileSizes trips = tripCounts(chain->root().domain, sizes);
    Numbers tile(sizes.size(), 0);
    std::vector<int64_t> sums;
    Elements before;
    int64_t sum = 0;
    for (bool goesOn = true; goesOn;) {
      Elements now = touched(sizes, tile);
      for (const auto &element : now)
        sum += before.count(element) ? 0 : 4;
      sums.push_back(sum);
      before = std::move(now);
      goesOn = false;
      for (int64_t loop : llvm::reverse(order)) {
        if ((goesOn = ++tile[loop] < trips[loop]))
          break;
        tile[loop] = 0;
      }
    }
    return sums;
  }
};

void expectAsListed(Op &op, const std::vector<Op::Numbers> &sizes, const std::vector<Op::Numbers> &orders) {
  for (const auto &tile : sizes)
    for (const auto &order : orders) {
      const TileSequence sequence = sequenceOf(*op.chain, tile, order, 1 << 16);
      EXPECT_EQ(sequence.loaded, op.loadedByHand(tile, order)) << tile[0] << ", outer loop " << order[0];
      EXPECT_EQ(size_t(sequence.tiles), sequence.live.size());
    }
}

} // namespace

TEST(TileSequence, LoadsOfAMatmul) {
  Op op(R"(
func.func @f(%a: tensor<6x8xf32>, %b: tensor<8x10xf32>, %c: tensor<6x10xf32>) -> tensor<6x10xf32> {
  %mm = linalg.matmul ins(%a, %b : tensor<6x8xf32>, tensor<8x10xf32>) outs(%c : tensor<6x10xf32>) -> tensor<6x10xf32>
  return %mm : tensor<6x10xf32>
})",
        "linalg.matmul");
  expectAsListed(op, {{6, 10, 8}, {2, 5, 8}, {4, 3, 3}, {1, 1, 1}}, {{0, 1, 2}, {1, 0, 2}, {2, 1, 0}, {1, 2, 0}});
}

TEST(TileSequence, LoadsOfAWindow) {
  Op op(R"(
func.func @f(%a: tensor<12x10xf32>, %w: tensor<3x3xf32>, %i: tensor<10x8xf32>) -> tensor<10x8xf32> {
  %y = linalg.conv_2d ins(%a, %w : tensor<12x10xf32>, tensor<3x3xf32>) outs(%i : tensor<10x8xf32>) -> tensor<10x8xf32>
  return %y : tensor<10x8xf32>
})",
        "linalg.conv_2d");
  expectAsListed(op, {{5, 4, 3, 3}, {3, 3, 3, 3}, {2, 8, 1, 3}}, {{0, 1, 2, 3}, {1, 0, 2, 3}, {2, 3, 0, 1}});
}

/// Three of 18 points are needed by an output; tiles of 4 outputs need 6 and share 2 with the one before.
TEST(TileSequence, WhatAHaloComputesAgain) {
  Op op(R"(
#in = affine_map<(d0, d1) -> (d0 + d1)>
#k = affine_map<(d0, d1) -> (d1)>
#out = affine_map<(d0, d1) -> (d0)>
func.func @f(%x: tensor<18xf32>, %k: tensor<3xf32>, %i: tensor<16xf32>) -> tensor<16xf32> {
  %e = tensor.empty() : tensor<18xf32>
  %p = linalg.exp ins(%x : tensor<18xf32>) outs(%e : tensor<18xf32>) -> tensor<18xf32>
  %y = linalg.generic {indexing_maps = [#in, #k, #out], iterator_types = ["parallel", "reduction"]}
      ins(%p, %k : tensor<18xf32>, tensor<3xf32>) outs(%i : tensor<16xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  } -> tensor<16xf32>
  return %y : tensor<16xf32>
})",
        "linalg.generic", true);
  const TileSequence sequence = sequenceOf(*op.chain, {4, 3}, {}, 100);
  EXPECT_EQ(sequence.again, (std::vector<int64_t>{0, 2, 4, 6}));
  // The inputs of exp; the window's 3 weights stay; 4 outputs each.
  EXPECT_EQ(sequence.loaded,
            (std::vector<int64_t>{4 * (6 + 3 + 4), 4 * (10 + 3 + 8), 4 * (14 + 3 + 12), 4 * (18 + 3 + 16)}));
  EXPECT_EQ(sequenceOf(*op.chain, {4, 3}, {}, 2).again.size(), 2u);
  EXPECT_EQ(sequenceOf(*op.chain, {4, 3}, {}, 2).tiles, 4);
}

/// Sums that start from zeros inside come back where the loop over K is outside.
TEST(TileSequence, PartsOfAReductionComeBack) {
  Op op(R"(
func.func @f(%a: tensor<4x8xf32>, %b: tensor<8x6xf32>) -> tensor<4x6xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x6xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%e : tensor<4x6xf32>) -> tensor<4x6xf32>
  %mm = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x6xf32>) outs(%fill : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %mm : tensor<4x6xf32>
})",
        "linalg.matmul", true);
  const int64_t a = 4 * 8 * 4, b = 8 * 6 * 4, c = 4 * 6 * 4;
  EXPECT_EQ(sequenceOf(*op.chain, {4, 6, 4}, {}, 9).loaded.back(), a + b); // stays where it is
  EXPECT_EQ(sequenceOf(*op.chain, {4, 3, 4}, {1, 2, 0}, 9).loaded.back(), 2 * a + b);
  EXPECT_EQ(sequenceOf(*op.chain, {4, 3, 4}, {2, 1, 0}, 9).loaded.back(), a + b + c);
}

#include "core/analysis/costs/Costs.h"
#include "core/ir/ops/Payload.h"
#include "core/registration/Registration.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/BuiltinTypes.h"
#include "tests/core/graph/TestModules.h"

using namespace fuselage;
using namespace fuselage::test;

namespace {

TEST(Costs, ByteSizes) {
  Session session(allDialects());
  mlir::MLIRContext *context = &session.context();
  auto integer = [&](unsigned bits) -> mlir::Type { return mlir::IntegerType::get(context, bits); };
  mlir::Type f32 = mlir::Float32Type::get(context);
  EXPECT_EQ(byteSize(mlir::RankedTensorType::get({3, 5}, f32)), 60);
  EXPECT_EQ(byteSize(mlir::RankedTensorType::get({}, f32)), 4);
  EXPECT_EQ(byteSize(mlir::RankedTensorType::get({3, 3}, integer(4))), 5); // packed, rounded up
  EXPECT_EQ(byteSize(mlir::RankedTensorType::get({9}, integer(1))), 9);    // a byte each
  EXPECT_EQ(byteSize(mlir::RankedTensorType::get({0, 5}, f32)), 0);
  EXPECT_EQ(byteSize(mlir::MemRefType::get({2, 2}, mlir::ComplexType::get(f32))), 32);
  EXPECT_EQ(byteSize(mlir::RankedTensorType::get({2}, mlir::IndexType::get(context))), 16);
  EXPECT_EQ(byteSize(mlir::RankedTensorType::get({mlir::ShapedType::kDynamic}, f32)), std::nullopt);
  EXPECT_EQ(byteSize(mlir::UnrankedTensorType::get(f32)), std::nullopt);
  EXPECT_EQ(byteSize(f32), std::nullopt);
}

TEST(Costs, MatmulAndElementwise) {
  Parsed parsed(matmulBias);
  OpCost matmul = costOf(parsed.find("linalg.matmul"));
  EXPECT_EQ(matmul.flops, 2ll * 128 * 32 * 64);
  EXPECT_EQ(matmul.bytesRead, 4ll * (128 * 64 + 64 * 32 + 128 * 32)); // accumulates: reads the init
  EXPECT_EQ(matmul.bytesWritten, 4ll * 128 * 32);
  OpCost add = costOf(parsed.find("linalg.generic"));
  EXPECT_EQ(add.flops, 128 * 32);
  EXPECT_EQ(add.bytesRead, 4ll * (128 * 32 + 32));
  EXPECT_EQ(costOf(parsed.find("linalg.fill")).flops, 0);
  EXPECT_EQ(costOf(parsed.find("linalg.fill")).bytesRead, 0);
  EXPECT_EQ(costOf(parsed.find("tensor.empty")).bytesWritten, 0);
  EXPECT_EQ(costOf(parsed.find("func.return")).bytesRead, 0);
}

TEST(Costs, Attention) {
  Parsed parsed(R"(
func.func @attention(%q: tensor<4x8xf32>, %k: tensor<6x8xf32>, %v: tensor<6x16xf16>, %mask: tensor<6xf32>) -> tensor<4x16xf16> {
  %e = tensor.empty() : tensor<4x16xf16>
  %r = flow.attention {indexing_maps = [affine_map<(i, j, d, n) -> (i, d)>, affine_map<(i, j, d, n) -> (j, d)>,
                                        affine_map<(i, j, d, n) -> (j)>, affine_map<(i, j, d, n) -> (j, n)>,
                                        affine_map<(i, j, d, n) -> (i, n)>], key_dims = array<i64: 1>}
      queries(%q : tensor<4x8xf32>) keys(%k : tensor<6x8xf32>) with(%mask : tensor<6xf32>) values(%v : tensor<6x16xf16>)
      outs(%e : tensor<4x16xf16>) scores {
  ^bb0(%a: f32, %b: f32, %sum: f32):
    %0 = arith.mulf %a, %b : f32
    %1 = arith.addf %sum, %0 : f32
    flow.return %1 : f32
  } logits {
  ^bb0(%a: f32, %b: f32, %i: index, %j: index):
    %0 = arith.addf %a, %b : f32
    flow.return %0 : f32
  } context {
  ^bb0(%a: f16, %b: f16, %sum: f32):
    %0 = arith.mulf %a, %b : f16
    %1 = arith.extf %0 : f16 to f32
    %2 = arith.addf %sum, %1 : f32
    flow.return %2 : f32
  } -> tensor<4x16xf16>
  return %r : tensor<4x16xf16>
})");
  OpCost cost = costOf(parsed.find("flow.attention"));
  EXPECT_EQ(cost.flops, 4ll * 6 * (2 * 8 + 1 + 5 + 2 * 16)); // products, mask, softmax
  EXPECT_EQ(cost.bytesRead, 4ll * (4 * 8 + 6 * 8 + 6) + 2 * 6 * 16);
  EXPECT_EQ(cost.bytesWritten, 2ll * 4 * 16);
}

TEST(Costs, Convolution) {
  Parsed parsed(R"(
func.func @conv(%x: tensor<1x10x10x3xf32>, %w: tensor<3x3x3x8xf32>, %o: tensor<1x8x8x8xf32>) -> tensor<1x8x8x8xf32> {
  %r = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<1x10x10x3xf32>, tensor<3x3x3x8xf32>)
                                outs(%o : tensor<1x8x8x8xf32>) -> tensor<1x8x8x8xf32>
  return %r : tensor<1x8x8x8xf32>
})");
  EXPECT_EQ(costOf(parsed.find("linalg.conv_2d_nhwc_hwcf")).flops, 2ll * 8 * 8 * 8 * 27);
}

TEST(Costs, DynamicShapesAreUnknown) {
  Parsed parsed(R"(
func.func @dyn(%x: tensor<?x64xf32>, %w: tensor<64x32xf32>, %o: tensor<?x32xf32>) -> tensor<?x32xf32> {
  %r = linalg.matmul ins(%x, %w : tensor<?x64xf32>, tensor<64x32xf32>)
                     outs(%o : tensor<?x32xf32>) -> tensor<?x32xf32>
  return %r : tensor<?x32xf32>
})");
  OpCost cost = costOf(parsed.find("linalg.matmul"));
  EXPECT_EQ(cost.flops, -1);
  EXPECT_EQ(cost.bytesRead, -1);
  EXPECT_EQ(cost.bytesWritten, -1);
}

TEST(Costs, LoopsCountTheirTrips) {
  Parsed parsed(regions);
  EXPECT_EQ(costOf(parsed.find("scf.forall")).flops, 16); // 4 trips of 4 elements
  EXPECT_EQ(costOf(parsed.find("scf.for")).flops, -1);    // runs %n times
}

TEST(Costs, DispatchReadsEachOutsideValueOnce) {
  Parsed parsed(regions);
  OpCost cost = costOfDispatch(parsed.find("flow.dispatch.region"));
  EXPECT_EQ(cost.flops, 2 * 8 * 8 * 8);
  EXPECT_EQ(cost.bytesRead, 2 * 8 * 8 * 4); // %x twice is once, and the init
  EXPECT_EQ(cost.bytesWritten, 8 * 8 * 4);
}

/// Slices in a dispatch count as what they show: each place once, and no more than there is.
TEST(Costs, DispatchReadsWhatItsSlicesShow) {
  Parsed parsed(R"(
func.func @f(%t: tensor<64x8xf32>) -> tensor<8x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %0 = flow.dispatch.region -> (tensor<8x8xf32>) {
    %a = tensor.extract_slice %t[0, 0] [8, 8] [1, 1] : tensor<64x8xf32> to tensor<8x8xf32>
    %b = tensor.extract_slice %t[8, 0] [8, 8] [1, 1] : tensor<64x8xf32> to tensor<8x8xf32>
    %r = linalg.add ins(%a, %b : tensor<8x8xf32>, tensor<8x8xf32>) outs(%a : tensor<8x8xf32>) -> tensor<8x8xf32>
    flow.return %r : tensor<8x8xf32>
  }
  return %0 : tensor<8x8xf32>
}
func.func @g(%t: tensor<64x8xf32>, %o: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %0 = flow.dispatch.region -> (tensor<8x8xf32>) {
    %l = scf.for %i = %c0 to %c4 step %c1 iter_args(%x = %o) -> (tensor<8x8xf32>) {
      %s = tensor.extract_slice %t[%i, 0] [8, 8] [1, 1] : tensor<64x8xf32> to tensor<8x8xf32>
      %y = linalg.add ins(%s, %s : tensor<8x8xf32>, tensor<8x8xf32>) outs(%x : tensor<8x8xf32>) -> tensor<8x8xf32>
      scf.yield %y : tensor<8x8xf32>
    }
    flow.return %l : tensor<8x8xf32>
  }
  return %0 : tensor<8x8xf32>
})");
  llvm::SmallVector<OpCost> costs;
  parsed.module->walk([&](mlir::Operation *op) {
    if (op->getName().getStringRef() == "flow.dispatch.region")
      costs.push_back(costOfDispatch(op));
  });
  ASSERT_EQ(costs.size(), 2u);
  EXPECT_EQ(costs[0].bytesRead, 2 * 8 * 8 * 4);
  EXPECT_FALSE(costs[0].bytesAtMost);
  EXPECT_EQ(costs[1].bytesRead, 4 * 8 * 8 * 4 + 8 * 8 * 4); // four slices, which may overlap, and the start
  EXPECT_TRUE(costs[1].bytesAtMost);
}

TEST(Costs, DispatchFunctionOnBuffers) {
  Parsed parsed(R"(
func.func @d(%a: memref<8xf32>, %o: memref<8xf32>) attributes {fuselage.dispatch = 0 : i64} {
  linalg.exp ins(%a : memref<8xf32>) outs(%o : memref<8xf32>)
  return
})");
  OpCost cost = costOfDispatch(parsed.find("func.func"));
  EXPECT_EQ(cost.flops, 8);
  EXPECT_EQ(cost.bytesRead, 32);
  EXPECT_EQ(cost.bytesWritten, 32);
}

TEST(Payload, LoopExtentsAreUpstreams) {
  Parsed parsed(R"(
#rows = affine_map<(d0, d1, d2) -> (d1, d0)>
#sum = affine_map<(d0, d1, d2) -> (d0 + d2, 0)>
#all = affine_map<(d0, d1, d2) -> (d2, d0, d1)>
func.func @f(%x: tensor<1x10x?x3xf32>, %w: tensor<3x3x3x8xf32>, %o: tensor<1x8x?x8xf32>, %s: f32,
             %a: tensor<5x?xf32>, %b: tensor<9x1xf32>, %c: tensor<4x?x5xf32>, %p: tensor<f32>) {
  %r = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<1x10x?x3xf32>, tensor<3x3x3x8xf32>)
                                outs(%o : tensor<1x8x?x8xf32>) -> tensor<1x8x?x8xf32>
  %f = linalg.fill ins(%s : f32) outs(%o : tensor<1x8x?x8xf32>) -> tensor<1x8x?x8xf32>
  %e = linalg.fill ins(%s : f32) outs(%p : tensor<f32>) -> tensor<f32>
  %t = linalg.transpose ins(%a : tensor<5x?xf32>) outs(%a : tensor<5x?xf32>) permutation = [0, 1]
  %g = linalg.generic {indexing_maps = [#rows, #sum, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%a, %b : tensor<5x?xf32>, tensor<9x1xf32>) outs(%c : tensor<4x?x5xf32>) {
  ^bb0(%i: f32, %j: f32, %k: f32):
    linalg.yield %i : f32
  } -> tensor<4x?x5xf32>
  return
})");
  unsigned checked = 0;
  parsed.module->walk([&](mlir::linalg::LinalgOp op) {
    EXPECT_EQ(loopExtents(op), op.getStaticLoopRanges()) << op->getName().getStringRef().str();
    ++checked;
  });
  EXPECT_EQ(checked, 5u);
}

} // namespace

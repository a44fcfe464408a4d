// Dispatches whose sizes are known at run time only: the passes keep what they compute.
#include "core/registration/Registration.h"
#include "core/transforms/workgroups/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "tests/support/PassEquivalence.h"
#include <gtest/gtest.h>

using namespace fuselage;
using namespace fuselage::test;
using namespace mlir;

namespace {

void addTensorPasses(OpPassManager &passes) {
  OpPassManager &functions = passes.nest<func::FuncOp>();
  functions.addPass(createTileToWorkgroupsPass());
  functions.addPass(createFuseProducersPass());
  functions.addPass(createTileReductionsPass());
  functions.addPass(createPromoteOperandsPass());
  functions.addPass(createSwapAllocTensorPass());
}

/// Checks `source` with several sizes for its dynamic dimensions, in order of the arguments'.
void checkWith(llvm::StringRef source, std::vector<std::vector<int64_t>> shapes) {
  for (const std::vector<int64_t> &sizes : shapes) {
    Session session(allDialects());
    Equivalence outcome = checkEquivalence(session, source, addTensorPasses, 1, sizes);
    EXPECT_EQ(outcome.problem, "") << testing::PrintToString(sizes) << "\n" << outcome.after;
  }
}

TEST(DynamicTiling, MatmulWithBias) {
  checkWith(R"(
#id = affine_map<(d0, d1) -> (d0, d1)>
#column = affine_map<(d0, d1) -> (d1)>
func.func @dispatch(%x: tensor<?x?xf32>, %w: tensor<?x?xf32>, %bias: tensor<?xf32>) -> tensor<?x?xf32>
    attributes {fuselage.dispatch = 0 : i64} {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %x, %c0 : tensor<?x?xf32>
  %n = tensor.dim %w, %c1 : tensor<?x?xf32>
  %init = tensor.empty(%m, %n) : tensor<?x?xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%init : tensor<?x?xf32>) -> tensor<?x?xf32>
  %mm = linalg.matmul ins(%x, %w : tensor<?x?xf32>, tensor<?x?xf32>) outs(%fill : tensor<?x?xf32>) -> tensor<?x?xf32>
  %y = linalg.generic {indexing_maps = [#id, #column, #id], iterator_types = ["parallel", "parallel"]}
      ins(%mm, %bias : tensor<?x?xf32>, tensor<?xf32>) outs(%init : tensor<?x?xf32>) {
  ^bb0(%in: f32, %b: f32, %out: f32):
    %sum = arith.addf %in, %b : f32
    linalg.yield %sum : f32
  } -> tensor<?x?xf32>
  return %y : tensor<?x?xf32>
})",
            {{1, 1, 1, 1, 1}, {33, 70, 70, 65, 65}, {64, 32, 32, 128, 128}, {7, 5, 5, 3, 3}});
}

TEST(DynamicTiling, SoftmaxOfRowsInARegion) {
  checkWith(R"(
#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
func.func @dispatch(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %low = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %x, %c0 : tensor<?x?xf32>
  %n = tensor.dim %x, %c1 : tensor<?x?xf32>
  %r = flow.dispatch.region -> (tensor<?x?xf32>{%m, %n}) {
    %rows = tensor.empty(%m) : tensor<?xf32>
    %full = tensor.empty(%m, %n) : tensor<?x?xf32>
    %lows = linalg.fill ins(%low : f32) outs(%rows : tensor<?xf32>) -> tensor<?xf32>
    %max = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
        ins(%x : tensor<?x?xf32>) outs(%lows : tensor<?xf32>) {
    ^bb0(%in: f32, %out: f32):
      %y = arith.maximumf %in, %out : f32
      linalg.yield %y : f32
    } -> tensor<?xf32>
    %exp = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
        ins(%x, %max : tensor<?x?xf32>, tensor<?xf32>) outs(%full : tensor<?x?xf32>) {
    ^bb0(%in: f32, %b: f32, %out: f32):
      %d = arith.subf %in, %b : f32
      %y = math.exp %d : f32
      linalg.yield %y : f32
    } -> tensor<?x?xf32>
    %zeros = linalg.fill ins(%zero : f32) outs(%rows : tensor<?xf32>) -> tensor<?xf32>
    %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
        ins(%exp : tensor<?x?xf32>) outs(%zeros : tensor<?xf32>) {
    ^bb0(%in: f32, %out: f32):
      %y = arith.addf %in, %out : f32
      linalg.yield %y : f32
    } -> tensor<?xf32>
    %p = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
        ins(%exp, %sum : tensor<?x?xf32>, tensor<?xf32>) outs(%full : tensor<?x?xf32>) {
    ^bb0(%in: f32, %b: f32, %out: f32):
      %y = arith.divf %in, %b : f32
      linalg.yield %y : f32
    } -> tensor<?x?xf32>
    flow.return %p : tensor<?x?xf32>
  }
  return %r : tensor<?x?xf32>
})",
            {{1, 1}, {3, 17}, {130, 64}});
}

TEST(DynamicTiling, PaddedAndTransposed) {
  checkWith(R"(
#id = affine_map<(d0, d1) -> (d0, d1)>
#swap = affine_map<(d0, d1) -> (d1, d0)>
func.func @dispatch(%x: tensor<?x?xf32>) -> tensor<?x?xf32> attributes {fuselage.dispatch = 3 : i64} {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %pad = tensor.pad %x low[1, 0] high[2, 3] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<?x?xf32> to tensor<?x?xf32>
  %m = tensor.dim %pad, %c0 : tensor<?x?xf32>
  %n = tensor.dim %pad, %c1 : tensor<?x?xf32>
  %init = tensor.empty(%n, %m) : tensor<?x?xf32>
  %r = linalg.generic {indexing_maps = [#swap, #id], iterator_types = ["parallel", "parallel"]}
      ins(%pad : tensor<?x?xf32>) outs(%init : tensor<?x?xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
})",
            {{1, 1}, {31, 40}, {64, 5}});
}

TEST(DynamicTiling, BothTheProductAndItsSignEscape) {
  checkWith(R"(
#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @dispatch(%x: tensor<?x64xf32>, %w: tensor<64x96xf32>) -> (tensor<?x96xf32>, tensor<?x96xf32>)
    attributes {fuselage.dispatch = 0 : i64} {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %m = tensor.dim %x, %c0 : tensor<?x64xf32>
  %init = tensor.empty(%m) : tensor<?x96xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%init : tensor<?x96xf32>) -> tensor<?x96xf32>
  %mm = linalg.matmul ins(%x, %w : tensor<?x64xf32>, tensor<64x96xf32>) outs(%fill : tensor<?x96xf32>) -> tensor<?x96xf32>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%mm : tensor<?x96xf32>) outs(%init : tensor<?x96xf32>) {
  ^bb0(%in: f32, %out: f32):
    %n = arith.negf %in : f32
    linalg.yield %n : f32
  } -> tensor<?x96xf32>
  return %mm, %y : tensor<?x96xf32>, tensor<?x96xf32>
})",
            {{1}, {32}, {77}});
}

TEST(DynamicTiling, LongReductionOfUnknownLength) {
  checkWith(R"(
func.func @dispatch(%x: tensor<?x?xf32>) -> tensor<f32> attributes {fuselage.dispatch = 0 : i64} {
  %zero = arith.constant 0.0 : f32
  %init = tensor.empty() : tensor<f32>
  %fill = linalg.fill ins(%zero : f32) outs(%init : tensor<f32>) -> tensor<f32>
  %r = linalg.reduce ins(%x : tensor<?x?xf32>) outs(%fill : tensor<f32>) dimensions = [0, 1]
    (%in: f32, %out: f32) {
      %s = arith.addf %in, %out : f32
      linalg.yield %s : f32
    }
  return %r : tensor<f32>
})",
            {{1, 1}, {13, 999}});
}

TEST(DynamicTiling, EmptyTensors) {
  checkWith(R"(
#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @dispatch(%x: tensor<0x8xf32>) -> tensor<0x8xf32> attributes {fuselage.dispatch = 0 : i64} {
  %init = tensor.empty() : tensor<0x8xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<0x8xf32>) outs(%init : tensor<0x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %n = arith.negf %in : f32
    linalg.yield %n : f32
  } -> tensor<0x8xf32>
  return %r : tensor<0x8xf32>
})",
            {{}});
  checkWith(R"(
func.func @dispatch(%x: tensor<4x0xf32>, %w: tensor<0x8xf32>) -> tensor<4x8xf32> attributes {fuselage.dispatch = 0 : i64} {
  %zero = arith.constant 0.0 : f32
  %init = tensor.empty() : tensor<4x8xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%init : tensor<4x8xf32>) -> tensor<4x8xf32>
  %r = linalg.matmul ins(%x, %w : tensor<4x0xf32>, tensor<0x8xf32>) outs(%fill : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
})",
            {{}});
}

TEST(DynamicTiling, NothingToTile) {
  checkWith(R"(
func.func @dispatch(%x: tensor<4x8xf32>) -> (tensor<8x4xf32>, f32) attributes {fuselage.dispatch = 0 : i64} {
  %i = arith.constant 3 : index
  %e = tensor.extract %x[%i, %i] : tensor<4x8xf32>
  %c = tensor.collapse_shape %x [[0, 1]] : tensor<4x8xf32> into tensor<32xf32>
  %r = tensor.expand_shape %c [[0, 1]] output_shape [8, 4] : tensor<32xf32> into tensor<8x4xf32>
  %s = arith.addf %e, %e : f32
  return %r, %s : tensor<8x4xf32>, f32
})",
            {{}});
}

} // namespace

// Five ways to ask what an op moves through memory, one answer.
#include "core/analysis/buffers/BufferSize.h"
#include "core/analysis/costs/Costs.h"
#include "core/analysis/fusion/ExplainFusion.h"
#include "core/analysis/tiles/FindTileOp.h"
#include "core/analysis/tiles/TileReport.h"
#include "core/codegen/Codegen.h"
#include "core/codegen/CodegenSteps.h"
#include "core/graph/build/GraphBuilder.h"
#include "core/ir/Session.h"
#include "core/ir/module/RunPipeline.h"
#include "core/registration/Registration.h"
#include "core/run/Timing.h"
#include "core/transforms/gpu/StorageType.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/AsmState.h"
#include <gtest/gtest.h>

using namespace fuselage;

namespace {

struct Case {
  const char *name;
  const char *op; ///< as `tiles` finds it
  int64_t read, written;
  bool atMost;
  const char *text;
};

const Case cases[] = {
    {"Gather", "generic", 128 * 768 * 4 + 128 * 8, 128 * 768 * 4, true, R"(
func.func @f(%t: tensor<30000x768xf32>, %i: tensor<128xi64>) -> tensor<128x768xf32> {
  %e = tensor.empty() : tensor<128x768xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>],
                       iterator_types = ["parallel", "parallel"]}
      ins(%i : tensor<128xi64>) outs(%e : tensor<128x768xf32>) {
  ^bb0(%x: i64, %o: f32):
    %k = arith.index_cast %x : i64 to index
    %c = linalg.index 1 : index
    %v = tensor.extract %t[%k, %c] : tensor<30000x768xf32>
    linalg.yield %v : f32
  } -> tensor<128x768xf32>
  return %r : tensor<128x768xf32>
})"},
    {"SmallTable", "generic", 4 * 4 + 128 * 8, 128 * 4, true, R"(
func.func @f(%t: tensor<4xf32>, %i: tensor<128xi64>) -> tensor<128xf32> {
  %e = tensor.empty() : tensor<128xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%i : tensor<128xi64>) outs(%e : tensor<128xf32>) {
  ^bb0(%x: i64, %o: f32):
    %k = arith.index_cast %x : i64 to index
    %v = tensor.extract %t[%k] : tensor<4xf32>
    linalg.yield %v : f32
  } -> tensor<128xf32>
  return %r : tensor<128xf32>
})"},
    {"PlaceByLoop", "generic", 64 * 4, 64 * 4, false, R"(
func.func @f(%t: tensor<64x64xf32>) -> tensor<64xf32> {
  %e = tensor.empty() : tensor<64xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%e : tensor<64xf32>) {
  ^bb0(%o: f32):
    %c = arith.constant 3 : index
    %l = linalg.index 0 : index
    %v = tensor.extract %t[%c, %l] : tensor<64x64xf32>
    linalg.yield %v : f32
  } -> tensor<64xf32>
  return %r : tensor<64xf32>
})"},
    {"SliceInside", "exp", 4 * 4096 * 4, 4 * 4096 * 4, false, R"(
func.func @f(%t: tensor<4096x4096xf32>) -> tensor<4x4096xf32> {
  %0 = flow.dispatch.region -> (tensor<4x4096xf32>) {
    %s = tensor.extract_slice %t[8, 0] [4, 4096] [1, 1] : tensor<4096x4096xf32> to tensor<4x4096xf32>
    %e = tensor.empty() : tensor<4x4096xf32>
    %r = linalg.exp ins(%s : tensor<4x4096xf32>) outs(%e : tensor<4x4096xf32>) -> tensor<4x4096xf32>
    flow.return %r : tensor<4x4096xf32>
  }
  return %0 : tensor<4x4096xf32>
})"},
    {"Booleans", "transpose", 64 * 32, 64 * 32, false, R"(
func.func @f(%t: tensor<64x32xi1>) -> tensor<32x64xi1> {
  %e = tensor.empty() : tensor<32x64xi1>
  %r = linalg.transpose ins(%t : tensor<64x32xi1>) outs(%e : tensor<32x64xi1>) permutation = [1, 0]
  return %r : tensor<32x64xi1>
})"},
    {"StridedWindow", "conv_1d_nwc_wcf", (8 * 3 + 3 * 4 + 8 * 4) * 4, 8 * 4 * 4, false, R"(
func.func @f(%x: tensor<1x16x3xf32>, %w: tensor<1x3x4xf32>, %o: tensor<1x8x4xf32>) -> tensor<1x8x4xf32> {
  %r = linalg.conv_1d_nwc_wcf {strides = dense<2> : tensor<1xi64>}
      ins(%x, %w : tensor<1x16x3xf32>, tensor<1x3x4xf32>) outs(%o : tensor<1x8x4xf32>) -> tensor<1x8x4xf32>
  return %r : tensor<1x8x4xf32>
})"},
    {"Matmul", "matmul", (8 * 6 + 6 * 4 + 8 * 4) * 4, 8 * 4 * 4, false, R"(
func.func @f(%a: tensor<8x6xf32>, %b: tensor<6x4xf32>, %o: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<8x6xf32>, tensor<6x4xf32>) outs(%o : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %r : tensor<8x4xf32>
})"},
};

void run(mlir::ModuleOp module, llvm::StringRef pipeline) {
  llvm::Error error = runPipeline(module, pipeline);
  ASSERT_FALSE(error) << pipeline.str() << llvm::toString(std::move(error));
}

/// The dispatch as a function of its own.
mlir::func::FuncOp findDispatch(mlir::ModuleOp module) {
  for (auto function : module.getOps<mlir::func::FuncOp>())
    if (function->hasAttr("fuselage.dispatch"))
      return function;
  return {};
}

class BytesAgree : public testing::TestWithParam<Case> {};

TEST_P(BytesAgree, OfOneOp) {
  const Case &given = GetParam();
  const int64_t all = given.read + given.written;
  Session session(allDialects());
  auto parsed = session.parse(given.text, "t.mlir");
  ASSERT_TRUE(bool(parsed)) << takeFailure(parsed.takeError()).message;
  mlir::ModuleOp module = parsed->get();

  Graph graph = buildGraph(module);
  ASSERT_EQ(graph.functions.front().dispatches.size(), 1u);
  const GraphDispatch &dispatch = graph.functions.front().dispatches.front();
  EXPECT_EQ(dispatch.bytesRead, given.read);
  EXPECT_EQ(dispatch.bytesWritten, given.written);
  EXPECT_EQ(dispatch.bytesAtMost, given.atMost);

  auto explained = explainFusion(module, {}, 100, {});
  ASSERT_TRUE(bool(explained));
  EXPECT_EQ(explained->totals.bytes, all);
  EXPECT_EQ(explained->totals.bytesAtMost, given.atMost);

  mlir::AsmState names(module);
  auto found = findTileOp(module, given.op, names);
  ASSERT_TRUE(bool(found)) << takeFailure(found.takeError()).message;
  auto chain = TileChain::build(found->op, {.fuse = false, .kept = {}});
  ASSERT_TRUE(bool(chain));
  auto tiles = reportTile(*chain, {});
  ASSERT_TRUE(bool(tiles));
  EXPECT_EQ(tiles->untiled.bytes, double(all));
  EXPECT_EQ(tiles->untiled.bytesAtMost, given.atMost);
  // Reduction loops read their destination once, however they are tiled; one tile is the whole op.
  EXPECT_EQ(tiles->tiled.bytes, double(all));

  // What a run divides by its time, before and after bufferization.
  TargetOptions target;
  run(module, kCleanUp);
  run(module, kFormDispatches);
  run(module, codegenPipelines(target).outline);
  for (bool isBufferized : {false, true}) {
    if (isBufferized)
      run(module, codegenPipelines(target).bufferize);
    auto function = findDispatch(module);
    ASSERT_TRUE(function);
    OpCost cost = costOfDispatch(function);
    EXPECT_EQ(cost.bytesRead, given.read) << "bufferized: " << isBufferized;
    EXPECT_EQ(cost.bytesWritten, given.written) << "bufferized: " << isBufferized;
    EXPECT_EQ(cost.bytesAtMost, given.atMost) << "bufferized: " << isBufferized;
    std::vector<KernelReport> reports(1);
    reports.front().medianUs = 1;
    setRates(reports, cost);
    EXPECT_NEAR(reports.front().gbps * 1e3, double(all), 1e-6 * double(all));
    EXPECT_EQ(reports.front().gbpsAtMost, given.atMost);
    if (isBufferized) { // the result's buffer is the last argument
      auto type = mlir::cast<mlir::BaseMemRefType>(function.getArgumentTypes().back());
      EXPECT_EQ(sizeOfBuffer(type, {}, {}).bytes, given.written);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Ops, BytesAgree, testing::ValuesIn(cases),
                         [](const auto &instance) { return std::string(instance.param.name); });

/// Tiles of a gather touch what their points gather, not all of the table each.
TEST(TouchedBytes, OfTilesOfAGather) {
  Session session(allDialects());
  auto module = session.parse(cases[0].text, "t.mlir");
  ASSERT_TRUE(bool(module));
  mlir::AsmState names(module->get());
  auto found = findTileOp(module->get(), "generic", names);
  ASSERT_TRUE(bool(found));
  auto chain = TileChain::build(found->op, {.fuse = false, .kept = {}});
  ASSERT_TRUE(bool(chain));
  TileRequest request;
  request.sizes = {32, 128};
  auto report = reportTile(*chain, request);
  ASSERT_TRUE(bool(report));
  // Six tiles of columns each read the row numbers again.
  EXPECT_EQ(report->tiled.bytes, double(128 * 768 * 4 + 6 * 128 * 8 + 128 * 768 * 4));
  EXPECT_TRUE(report->tiled.bytesAtMost);
}

/// A size that is too large to be told is unknown, not negative.
TEST(TouchedBytes, OverflowIsUnknown) {
  Session session(allDialects());
  auto module = session.parse(R"(
func.func @f(%a: tensor<4294967296x4294967296x4294967296xf32>, %b: tensor<4294967296x4294967296x4294967296xf32>,
             %c: tensor<4294967296x4294967296x4294967296xf32>) -> tensor<4294967296x4294967296x4294967296xf32> {
  %r = linalg.batch_matmul ins(%a, %b : tensor<4294967296x4294967296x4294967296xf32>, tensor<4294967296x4294967296x4294967296xf32>)
      outs(%c : tensor<4294967296x4294967296x4294967296xf32>) -> tensor<4294967296x4294967296x4294967296xf32>
  return %r : tensor<4294967296x4294967296x4294967296xf32>
})",
                              "t.mlir");
  ASSERT_TRUE(bool(module));
  mlir::AsmState names(module->get());
  auto found = findTileOp(module->get(), "batch_matmul", names);
  ASSERT_TRUE(bool(found));
  auto chain = TileChain::build(found->op, {.fuse = false, .kept = {}});
  ASSERT_TRUE(bool(chain));
  auto report = reportTile(*chain, {});
  ASSERT_TRUE(bool(report));
  EXPECT_EQ(report->untiled.bytes, -1);
  EXPECT_EQ(report->tiled.bytes, -1);
  EXPECT_EQ(report->workgroupBytes, -1);
  ASSERT_EQ(report->operands.size(), 3u);
  for (const Footprint &footprint : report->operands)
    EXPECT_EQ(footprint.touched.size(), -1);
  std::string text =
      formatTileReport(*report, {.value = [](mlir::Value) { return "%v"; }, .op = [](mlir::Operation *) { return 0; }});
  for (size_t at = text.find('-'); at != std::string::npos; at = text.find('-', at + 1))
    EXPECT_EQ(text[at + 1], '>') << text; // of a map: nothing is negative
}

/// The bytes that are shown are those that devices lay elements out by.
TEST(TouchedBytes, AreThoseOfTheDevicesLayout) {
  Session session(allDialects());
  mlir::MLIRContext *context = &session.context();
  llvm::SmallVector<mlir::Type> elements{mlir::Float16Type::get(context), mlir::BFloat16Type::get(context),
                                         mlir::Float32Type::get(context), mlir::Float64Type::get(context),
                                         mlir::IndexType::get(context)};
  for (unsigned width = 1; width <= 64; ++width)
    elements.push_back(mlir::IntegerType::get(context, width));
  for (mlir::Type element : elements)
    for (int64_t count : {0, 1, 7, 1024})
      EXPECT_EQ(bytesOfElements(element, count), storageTypeOf(element)->bytesFor(count));
}

} // namespace

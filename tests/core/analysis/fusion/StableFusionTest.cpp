// Fusing all that pays, and the clean-up, once more changes nothing; neither adds what it is to take away;
// and no fusion saves more than is said to be there.
#include "core/analysis/fusion/ExplainFusion.h"
#include "core/analysis/fusion/FuseAll.h"
#include "core/analysis/fusion/FusionBodies.h"
#include "core/analysis/fusion/FusionPipelines.h"
#include "core/ir/Session.h"
#include "core/registration/Registration.h"
#include "tests/support/Draws.h"
#include "tests/support/RandomChains.h"
#include "tests/support/RandomModules.h"
#include "tests/support/SampleTexts.h"
#include <gtest/gtest.h>
#include <set>

using namespace fuselage;
using namespace fuselage::test;
using namespace mlir;

namespace {

std::string printed(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream(text) << module;
  return text;
}

void check(const std::string &source, const std::string &what) {
  Session session(allDialects());
  auto module = session.parse(source, "module");
  ASSERT_TRUE(bool(module)) << what << ": " << llvm::toString(module.takeError());
  auto report = explainFusion(**module, {}, 500, {.maxOps = 0});
  ASSERT_TRUE(bool(report)) << what << ": " << llvm::toString(report.takeError());
  for (FusionGoal goal : {FusionGoal::All, FusionGoal::CleanUp}) {
    std::string text = printed(**module);
    auto once = fuseAll(**module, {}, {.goal = goal});
    ASSERT_TRUE(bool(once)) << what << ": " << llvm::toString(once.takeError());
    EXPECT_EQ(printed(**module), text) << what;
    auto again = fuseAll(*once->module, {}, {.goal = goal});
    ASSERT_TRUE(bool(again)) << what << ": " << llvm::toString(again.takeError());
    EXPECT_TRUE(again->steps.empty()) << what << ": " << again->steps.front().pass << '\n' << printed(*once->module);
    EXPECT_EQ(printed(*again->module), printed(*once->module)) << what;
    bool isKnown = once->before.bytes >= 0 && once->after.bytes >= 0;
    if (goal == FusionGoal::CleanUp) {
      EXPECT_LE(once->after.dispatches, once->before.dispatches) << what << '\n' << source;
      if (isKnown) {
        EXPECT_LE(once->after.bytes, once->before.bytes) << what << '\n' << source;
      }
    }
    EXPECT_FALSE(isDearer(once->after, once->before)) << what;
    if (isKnown && report->totals.missedBytes >= 0) {
      EXPECT_LE(once->before.bytes - once->after.bytes, report->totals.missedBytes) << what << '\n'
                                                                                    << source << "\nbecame\n"
                                                                                    << printed(*once->module);
    }
  }
}

TEST(StableFusion, Chains) {
  for (unsigned draw = 0; draw < draws(25) && !HasFailure(); ++draw) {
    std::mt19937 random = randomOf(draw, 41);
    ChainOptions options;
    options.ops = 2 + random() % 12;
    options.unitDims = random() % 2;
    options.slices = random() % 3 == 0;
    options.results = 1 + random() % 3;
    check(randomChain(options, random), "chain " + std::to_string(draw));
  }
}

TEST(StableFusion, Modules) {
  for (unsigned draw = 0; draw < draws(25) && !HasFailure(); ++draw) {
    std::mt19937 random = randomOf(draw, 42);
    ModuleOptions options;
    options.steps = 2 + random() % 14;
    options.dynamicSizes = random() % 4 == 0;
    check(randomModule(options, random), "module " + std::to_string(draw));
  }
}

TEST(StableFusion, Samples) {
  for (const auto &[path, text] : sampleTexts())
    check(text, path);
}

/// A value that two ops read is stored only if one of them is somewhere else; siblings read their input twice.
constexpr const char *kSharedValue = R"(
func.func @shared(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>, %c: tensor<64x64xf32>, %i: tensor<64x64xf32>) -> (tensor<64x64xf32>, tensor<64x64xf32>) {
  %x = linalg.matmul ins(%a, %b : tensor<64x64xf32>, tensor<64x64xf32>) outs(%i : tensor<64x64xf32>) -> tensor<64x64xf32>
  %y = linalg.matmul ins(%a, %c : tensor<64x64xf32>, tensor<64x64xf32>) outs(%i : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %x, %y : tensor<64x64xf32>, tensor<64x64xf32>
})";

TEST(LeastBytes, SiblingsWithoutAnEdgeCount) {
  Session session(allDialects());
  auto module = session.parse(kSharedValue, "shared");
  ASSERT_TRUE(bool(module)) << llvm::toString(module.takeError());
  auto report = explainFusion(**module, {}, 500, {.maxOps = 0});
  ASSERT_TRUE(bool(report)) << llvm::toString(report.takeError());
  EXPECT_EQ(report->edges.size(), 0u);
  EXPECT_EQ(report->totals.missedBytes, 2 * 64 * 64 * 4) << "%a and %i are read twice";
  check(kSharedValue, "siblings");
}

TEST(LeastBytes, OfOneOpAreAllThatItMoves) {
  Session session(allDialects());
  auto module = session.parse(R"(
func.func @conv(%a: tensor<1x10x10x4xf32>, %k: tensor<3x3x4x8xf32>, %o: tensor<1x8x8x8xf32>) -> tensor<1x8x8x8xf32> {
  %r = linalg.conv_2d_nhwc_hwcf ins(%a, %k : tensor<1x10x10x4xf32>, tensor<3x3x4x8xf32>) outs(%o : tensor<1x8x8x8xf32>) -> tensor<1x8x8x8xf32>
  return %r : tensor<1x8x8x8xf32>
})",
                              "conv");
  ASSERT_TRUE(bool(module)) << llvm::toString(module.takeError());
  auto report = explainFusion(**module, {}, 500, {.maxOps = 0});
  ASSERT_TRUE(bool(report)) << llvm::toString(report.takeError());
  EXPECT_EQ(report->totals.missedBytes, 0);
  EXPECT_EQ(leastBytes(*(*module)->getBody()->begin()), report->totals.bytes);
}

/// The mean of a row, which many columns read, is divided once a row: 128 divisions, not 49,152.
/// Where repeating it would cost more than a launch: 1.5 million divisions.
TEST(StableFusion, ASmallProducerIsNotComputedAgainForOthers) {
  Session session(allDialects());
  auto module = session.parse(R"(
#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#line = affine_map<(d0) -> (d0)>
func.func @norm(%a: tensor<4096x384xf32>, %s: tensor<4096xf32>) -> (tensor<4096x384xf32>, tensor<4096xf32>) {
  %n = arith.constant 384.0 : f32
  %e = tensor.empty() : tensor<4096x384xf32>
  %l = tensor.empty() : tensor<4096xf32>
  %mean = linalg.generic {indexing_maps = [#line, #line], iterator_types = ["parallel"]} ins(%s : tensor<4096xf32>) outs(%l : tensor<4096xf32>) {
  ^bb0(%x: f32, %o: f32):
    %y = arith.divf %x, %n : f32
    linalg.yield %y : f32
  } -> tensor<4096xf32>
  %c = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%a, %mean : tensor<4096x384xf32>, tensor<4096xf32>) outs(%e : tensor<4096x384xf32>) {
  ^bb0(%x: f32, %z: f32, %o: f32):
    %y = arith.subf %x, %z : f32
    linalg.yield %y : f32
  } -> tensor<4096x384xf32>
  %q = linalg.exp ins(%mean : tensor<4096xf32>) outs(%l : tensor<4096xf32>) -> tensor<4096xf32>
  return %c, %q : tensor<4096x384xf32>, tensor<4096xf32>
}
func.func @one(%a: tensor<4096x384xf32>, %s: tensor<4096xf32>) -> tensor<4096x384xf32> {
  %n = arith.constant 384.0 : f32
  %e = tensor.empty() : tensor<4096x384xf32>
  %l = tensor.empty() : tensor<4096xf32>
  %mean = linalg.generic {indexing_maps = [#line, #line], iterator_types = ["parallel"]} ins(%s : tensor<4096xf32>) outs(%l : tensor<4096xf32>) {
  ^bb0(%x: f32, %o: f32):
    %y = arith.divf %x, %n : f32
    linalg.yield %y : f32
  } -> tensor<4096xf32>
  %c = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%a, %mean : tensor<4096x384xf32>, tensor<4096xf32>) outs(%e : tensor<4096x384xf32>) {
  ^bb0(%x: f32, %z: f32, %o: f32):
    %y = arith.subf %x, %z : f32
    linalg.yield %y : f32
  } -> tensor<4096x384xf32>
  return %c : tensor<4096x384xf32>
})",
                              "norm");
  ASSERT_TRUE(bool(module)) << llvm::toString(module.takeError());
  for (const char *pass : {"fuselage-fuse-elementwise", "fuselage-fuse-multi-use", "fuselage-fuse-all"}) {
    OwningOpRef<ModuleOp> copy((*module)->clone());
    llvm::Error error = runFusionPipeline(*copy, functionPipeline(pass));
    ASSERT_FALSE(bool(error)) << llvm::toString(std::move(error));
    int64_t divisions = 0;
    copy->walk([&](linalg::LinalgOp op) {
      int64_t iterations = 1;
      for (int64_t extent : op.getStaticLoopRanges())
        iterations *= extent;
      op.getBlock()->walk([&](arith::DivFOp) { divisions += iterations; });
      for (OpOperand &init : op.getDpsInitsMutable())
        EXPECT_TRUE(op.getNumReductionLoops() > 0 || op.getMatchingIndexingMap(&init).isPermutation())
            << pass << ": an element is written several times\n"
            << printed(*copy);
    });
    EXPECT_EQ(divisions, 2 * 4096) << pass << '\n' << printed(*copy);
  }
}

} // namespace

// Fusing one edge: the unlocks that the reasons' pages list, each tried on the page's own example.
#include "core/analysis/fusion/EdgeFusion.h"
#include "core/analysis/fusion/FusionPipelines.h"
#include "core/ir/Session.h"
#include "core/registration/Registration.h"
#include "tests/core/analysis/fusion/ReasonPage.h"
#include <gtest/gtest.h>

using namespace fuselage;

namespace {

/// The example of a reason's page, and the edge that it is about.
struct Example {
  FusionPolicy policy;
  Session session{allDialects()};
  mlir::OwningOpRef<mlir::ModuleOp> module;
  EdgeAddress edge;
};

/// The op on the line that ends in `// name`.
OpId idOf(mlir::ModuleOp module, const std::string &source, const std::string &name) {
  unsigned line = lineOf(source, name);
  OpId next = 0, found = -1;
  module->walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) {
    if (found < 0 && next > 0 && positionOf(op->getLoc()).line == line)
      found = next;
    ++next;
  });
  return found;
}

/// Examples with an op after the reshape: those on the pages end with it.
const char *const reshapes = R"(
#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @main(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>) -> tensor<8x2x4xf32> {
  %zero = arith.constant 0.0 : f32
  %init = tensor.empty() : tensor<8x8xf32>
  %wide = tensor.empty() : tensor<8x2x4xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%init : tensor<8x8xf32>) -> tensor<8x8xf32>
  %p = linalg.matmul ins(%a, %b : tensor<8x8xf32>, tensor<8x8xf32>) outs(%fill : tensor<8x8xf32>) -> tensor<8x8xf32> // the producer
  %c = tensor.expand_shape %p [[0], [1, 2]] output_shape [8, 2, 4] : tensor<8x8xf32> into tensor<8x2x4xf32> // the consumer
  %d = linalg.exp ins(%c : tensor<8x2x4xf32>) outs(%wide : tensor<8x2x4xf32>) -> tensor<8x2x4xf32>
  return %d : tensor<8x2x4xf32>
}
)";

bool openText(Example &example, const std::string &source, const FusionPolicy &policy) {
  auto module = example.session.parse(source, "page");
  if (!module)
    return false;
  example.policy = policy;
  example.module = std::move(*module);
  example.edge = {.from = idOf(*example.module, source, "the producer"),
                  .to = idOf(*example.module, source, "the consumer")};
  return true;
}

bool open(Example &example, llvm::StringRef code) {
  std::string page = readReasonPage(code);
  auto policy = parseFusionPolicy(policyOn(page));
  if (!policy) {
    llvm::consumeError(policy.takeError());
    return false;
  }
  return openText(example, exampleOn(page), *policy);
}

class UnlockedReason : public testing::TestWithParam<FusionReason> {};

TEST_P(UnlockedReason, ExampleEndsAsItsPageSays) {
  const FusionReasonInfo &info = infoOf(GetParam());
  Example example;
  ASSERT_TRUE(open(example, info.code));
  auto fusion = fuseEdge(*example.module, example.edge, example.policy);
  ASSERT_TRUE(static_cast<bool>(fusion)) << llvm::toString(fusion.takeError());
  std::string steps;
  for (const FusionStep &step : fusion->steps)
    steps += step.pass + " ";
  RecordProperty("steps", steps);
  EXPECT_FALSE(fusion->reasons.empty());
  if (fusion->fused) {
    EXPECT_FALSE(fusion->steps.empty());
    EXPECT_FALSE(fusion->pipeline.empty());
  }
  // These need more around them than their pages show: rows that are shared, an op after the reshape, a parallel loop,
  // dispatches that are formed.
  const FusionReason elsewhere[] = {FusionReason::ConsumerIsRoot, FusionReason::ProducerReduction,
                                    FusionReason::ReshapeExpand,  FusionReason::ReshapeCollapse,
                                    FusionReason::ControlFlow,    FusionReason::InOtherDispatch};
  if (!unlocksOf(GetParam()).empty() && !llvm::is_contained(elsewhere, GetParam())) {
    EXPECT_TRUE(fusion->fused) << fusion->tries << " tries";
  }
}

INSTANTIATE_TEST_SUITE_P(All, UnlockedReason, testing::ValuesIn(allReasons()),
                         [](const auto &info) { return infoOf(info.param).code.str(); });

TEST(FuseEdge, MovesReshapesOutOfTheWay) {
  Example example;
  ASSERT_TRUE(openText(example, reshapes, {}));
  auto fusion = fuseEdge(*example.module, example.edge, example.policy);
  ASSERT_TRUE(static_cast<bool>(fusion)) << llvm::toString(fusion.takeError());
  EXPECT_TRUE(fusion->fused);
  EXPECT_EQ(fusion->steps.size(), 1u);
}

TEST(EdgeAddress, Parses) {
  auto plain = parseEdgeAddress("3:14");
  ASSERT_TRUE(static_cast<bool>(plain));
  EXPECT_EQ(plain->from, 3);
  EXPECT_EQ(plain->to, 14);
  EXPECT_FALSE(plain->operand);
  auto exact = parseEdgeAddress("3:14:1");
  ASSERT_TRUE(static_cast<bool>(exact));
  EXPECT_EQ(exact->operand, 1u);
  for (const char *text : {"", "3", "3:", ":4", "3:4:", "3:4:5:6", "a:b", "-1:2", "1:-2", "1:2:-1"}) {
    auto wrong = parseEdgeAddress(text);
    EXPECT_FALSE(static_cast<bool>(wrong)) << text;
    if (!wrong)
      llvm::consumeError(wrong.takeError());
  }
}

TEST(FuseEdge, RepeatsByItsPipelineAndLeavesTheInputAlone) {
  Example example;
  ASSERT_TRUE(open(example, "CONSUMER_CONTRACTION"));
  std::string before, after;
  llvm::raw_string_ostream(before) << *example.module;
  auto fusion = fuseEdge(*example.module, example.edge, example.policy);
  ASSERT_TRUE(static_cast<bool>(fusion)) << llvm::toString(fusion.takeError());
  llvm::raw_string_ostream(after) << *example.module;
  EXPECT_EQ(before, after);
  ASSERT_TRUE(fusion->fused);
  llvm::Error error = runFusionPipeline(*example.module, fusion->pipeline);
  EXPECT_FALSE(static_cast<bool>(error));
  auto count = countFusedDispatches(*example.module, example.policy);
  ASSERT_TRUE(static_cast<bool>(count));
  EXPECT_LT(*count, fusion->dispatches);
}

TEST(FuseEdge, NamesWhatIsWrongWithAnAddress) {
  Example example;
  ASSERT_TRUE(open(example, "CONSUMER_CONTRACTION"));
  for (EdgeAddress address : {EdgeAddress{.from = 9999, .to = 2}, EdgeAddress{.from = 2, .to = 9999},
                              EdgeAddress{.from = example.edge.to, .to = example.edge.from},
                              EdgeAddress{.from = example.edge.from, .to = example.edge.to, .operand = 77}}) {
    auto fusion = fuseEdge(*example.module, address, example.policy);
    ASSERT_FALSE(static_cast<bool>(fusion));
    EXPECT_FALSE(takeFailure(fusion.takeError()).message.empty());
  }
}

TEST(FuseEdge, KeepsToItsTries) {
  Example example;
  ASSERT_TRUE(open(example, "CONFLICTING_MAPS"));
  auto fusion = fuseEdge(*example.module, example.edge, example.policy, {.maxSteps = 4, .maxTries = 1});
  ASSERT_TRUE(static_cast<bool>(fusion)) << llvm::toString(fusion.takeError());
  EXPECT_LE(fusion->tries, 4u + 2u) << "four at least, and the presets";
}

} // namespace

// The passes that unlock fusion keep what a function computes, and unlock it.
#include "../../support/PassEquivalence.h"
#include "../../support/RandomChains.h"
#include "core/dialects/Flow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/Support/MemoryBuffer.h"
#include <cstdlib>
#include <gtest/gtest.h>

using namespace fuselage;
using namespace fuselage::test;
using namespace mlir;

namespace {

int draws(int usual) {
  const char *asked = std::getenv("FUSELAGE_TEST_DRAWS");
  return asked ? usual * std::atoi(asked) : usual;
}

int countDispatches(ModuleOp module) {
  int count = 0;
  module.walk([&](flow::DispatchRegionOp) { ++count; });
  return count;
}

/// Runs the pipeline (in a func.func) and compares.
Equivalence check(const std::string &source, const std::string &pipeline, unsigned seed,
                  double tolerance = 1e-4, llvm::ArrayRef<int64_t> shapes = {}, int *dispatches = nullptr) {
  registerAllPasses();
  Session session;
  return checkEquivalence(
      session, source,
      [&](OpPassManager &passes) {
        ASSERT_TRUE(succeeded(parsePassPipeline("func.func(" + pipeline + ")", passes)));
      },
      seed, tolerance, shapes, [&](ModuleOp module) {
        if (dispatches)
          *dispatches = countDispatches(module);
        return std::string();
      });
}

struct PipelineCase {
  const char *name;
  const char *pipeline;
};

const PipelineCase pipelines[] = {
    {"FoldUnitDims", "fuselage-fold-unit-dims"},
    {"BatchMatmulToMatmul", "fuselage-batch-matmul-to-matmul"},
    {"Generalize", "fuselage-generalize"},
    {"Specialize", "fuselage-specialize"},
    {"GeneralizeSpecialize", "fuselage-generalize,fuselage-specialize"},
    {"AbsorbTranspose", "fuselage-absorb-transpose"},
    {"AbsorbBroadcast", "fuselage-absorb-broadcast"},
    {"AbsorbBoth", "fuselage-generalize,fuselage-absorb-transpose,fuselage-absorb-broadcast"},
    {"BubbleReshapeUp", "fuselage-bubble-reshape-up"},
    {"BubbleReshapeDown", "fuselage-bubble-reshape-down"},
    {"CollapseUp", "fuselage-bubble-reshape-up{by-collapsing=true}"},
    {"ExpandDown", "fuselage-bubble-reshape-down{by-collapsing=true}"},
    {"InterchangeReduction", "fuselage-interchange-reduction"},
    {"FuseElementwise", "fuselage-fuse-elementwise"},
    {"FuseMultiUse", "fuselage-fuse-multi-use"},
    {"FuseMultiUseShared", "fuselage-fuse-multi-use{max-duplicated=0}"},
    {"FuseEpilogue", "fuselage-fuse-epilogue"},
    {"FuseReduction", "fuselage-fuse-reduction,fuselage-form-dispatches"},
    {"FuseHorizontal", "fuselage-fuse-horizontal"},
    {"FuseAttention", "fuselage-fuse-attention"},
    {"Cleanup", "fuselage-fusion-cleanup"},
    {"CleanupAndForm", "fuselage-fusion-cleanup,fuselage-form-dispatches"},
    {"FuseAll", "fuselage-fuse-all"},
    {"FuseAllAndForm", "fuselage-fuse-all,fuselage-form-dispatches"},
};

void PrintTo(const PipelineCase &pipeline, std::ostream *out) { *out << pipeline.name; }

class Unlocks : public testing::TestWithParam<PipelineCase> {};

TEST_P(Unlocks, KeepWhatChainsCompute) {
  for (int draw = 0; draw < draws(12) && !HasFailure(); ++draw) {
    std::mt19937 random(draw * 7919 + 11);
    ChainOptions options;
    options.ops = 2 + random() % 9;
    options.unitDims = random() % 2;
    options.reshapes = random() % 3;
    options.products = random() % 3;
    options.reductions = random() % 3;
    options.results = 1 + random() % 3;
    std::string source = randomChain(options, random);
    Equivalence outcome = check(source, GetParam().pipeline, draw);
    EXPECT_EQ(outcome.problem, "") << "draw " << draw << "\n" << source << "\nbecame\n" << outcome.after;
  }
}

TEST_P(Unlocks, KeepWhatAttentionComputes) {
  for (int draw = 0; draw < draws(3) && !HasFailure(); ++draw) {
    std::mt19937 random(draw * 104729 + 7);
    std::string source = randomAttention(random);
    Equivalence outcome = check(source, GetParam().pipeline, draw);
    EXPECT_EQ(outcome.problem, "") << "draw " << draw << "\n" << source << "\nbecame\n" << outcome.after;
  }
}

INSTANTIATE_TEST_SUITE_P(All, Unlocks, testing::ValuesIn(pipelines),
                         [](const auto &info) { return std::string(info.param.name); });

TEST(FuseAttention, TakesEveryForm) {
  for (int draw = 0; draw < draws(40) && !HasFailure(); ++draw) {
    std::mt19937 random(draw * 15485863 + 3);
    std::string source = randomAttention(random);
    int dispatches = 0;
    const char *tiles[] = {"", "{query-tile=8 key-tile=5}", "{query-tile=1 key-tile=64}"};
    Equivalence outcome = check(source, std::string("fuselage-fuse-attention") + tiles[draw % 3], draw, 1e-4,
                                {}, &dispatches);
    EXPECT_EQ(outcome.problem, "") << "draw " << draw << "\n" << source << "\nbecame\n" << outcome.after;
    EXPECT_EQ(dispatches, 1) << "draw " << draw << "\n" << source << "\nbecame\n" << outcome.after;
  }
}

/// A sample with its function called as the comparison wants it.
std::string sample(const std::string &name) {
  auto file = llvm::MemoryBuffer::getFile(FUSELAGE_SOURCE_DIR "/samples/" + name);
  EXPECT_TRUE(bool(file)) << name;
  std::string text = file ? (*file)->getBuffer().str() : "";
  size_t at = text.find("@forward");
  EXPECT_NE(at, std::string::npos);
  return text.replace(at, 8, "@dispatch");
}

TEST(Presets, BertComesDownToSevenDispatches) {
  int dispatches = 0;
  Equivalence outcome = check(sample("bert_attention.mlir"),
                              "fuselage-fusion-cleanup,fuselage-form-dispatches", 1, 1e-4, {}, &dispatches);
  EXPECT_EQ(outcome.problem, "") << outcome.after;
  EXPECT_EQ(dispatches, 7) << outcome.after;
}

TEST(Presets, BertComesDownToTwoDispatches) {
  int dispatches = 0;
  Equivalence outcome =
      check(sample("bert_attention.mlir"), "fuselage-fuse-all,fuselage-form-dispatches", 2, 1e-4, {}, &dispatches);
  EXPECT_EQ(outcome.problem, "") << outcome.after;
  EXPECT_EQ(dispatches, 2) << outcome.after;
}

} // namespace

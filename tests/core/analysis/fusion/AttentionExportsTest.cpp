// Attention as different frontends export it: explained, cleaned up, fused, and what comes out is right, and nothing
// that a stock compiler with flow.dispatch.region would not read.
#include "core/analysis/fusion/FuseAll.h"
#include "core/analysis/fusion/FusionPipelines.h"
#include "core/analysis/fusion/UnlockProofs.h"
#include "core/ir/Session.h"
#include "core/registration/Registration.h"
#include "core/run/HostCheck.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Verifier.h"
#include "llvm/Support/MemoryBuffer.h"
#include <gtest/gtest.h>

using namespace fuselage;
using namespace mlir;

namespace {

struct Export {
  const char *file;
  unsigned cleaned, fused; ///< dispatches
  std::map<std::string, int64_t> sizes{};
};

const Export exports[] = {
    {"tests/core/analysis/attention/block.mlir", 13, 7},
    {"tests/core/analysis/attention/causal_2d.mlir", 4, 1},
    {"tests/core/analysis/attention/dynamic_cross.mlir", 3, 1, {{"arg0.1", 37}, {"arg1.1", 50}, {"arg2.1", 50}}},
    {"tests/core/analysis/attention/gqa_contract.mlir", 5, 1},
    {"tests/core/analysis/attention/half_precision.mlir", 3, 1},
    {"tests/core/analysis/attention/turbine_4d.mlir", 7, 3},
    {"samples/bert_attention.mlir", 7, 2},
};

void PrintTo(const Export &module, std::ostream *out) { *out << module.file; }

std::string printed(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream os(text);
  module.print(os);
  return text;
}

/// Attributes of ours anywhere within.
bool holdsOurs(Attribute attribute) {
  return attribute
      .walk([](Attribute part) {
        return part.getDialect().getNamespace().starts_with("fuselage") || part.getDialect().getNamespace() == "flow"
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

class AttentionExports : public testing::TestWithParam<Export> {
protected:
  void SetUp() override {
    auto buffer = llvm::MemoryBuffer::getFile(std::string(FUSELAGE_SOURCE_DIR "/") + GetParam().file);
    ASSERT_TRUE(static_cast<bool>(buffer));
    auto parsed = session.parse((*buffer)->getBuffer(), GetParam().file);
    ASSERT_TRUE(static_cast<bool>(parsed)) << llvm::toString(parsed.takeError());
    module = std::move(*parsed);
  }

  /// Runs the passes in a copy, counts its dispatches and compares what it computes.
  void check(llvm::StringRef passes, unsigned dispatches) {
    OwningOpRef<ModuleOp> after(module.get().clone());
    llvm::Error error = runFusionPipeline(*after, functionPipeline(passes));
    ASSERT_FALSE(static_cast<bool>(error)) << llvm::toString(std::move(error));
    auto result = checkOnHost(*module, *after, {.function = "", .seed = 5, .sizes = GetParam().sizes});
    ASSERT_TRUE(static_cast<bool>(result)) << llvm::toString(result.takeError());
    EXPECT_TRUE(result->ok) << result->maxRelError;
    auto count = countFusedDispatches(*after, {});
    ASSERT_TRUE(static_cast<bool>(count)) << llvm::toString(count.takeError());
    EXPECT_EQ(*count, dispatches) << printed(*after);
  }

  Session session{allDialects()};
  OwningOpRef<ModuleOp> module;
};

TEST_P(AttentionExports, HaveAReasonForEverySeparateEdge) {
  for (FusionPolicy policy : {conservativePolicy(), aggressivePolicy(), noFusionPolicy()}) {
    std::vector<BodyVerdicts> bodies = judgeFusion(*module, policy);
    proveUnlocks(bodies, policy);
    ASSERT_EQ(bodies.size(), 1u);
    for (const BodyVerdicts &body : bodies) {
      EXPECT_TRUE(body.isProven);
      EXPECT_FALSE(body.edges.empty());
      for (const EdgeVerdict &edge : body.edges)
        EXPECT_EQ(edge.verdict == Verdict::Separate, !edge.refusals.empty());
    }
  }
}

TEST_P(AttentionExports, CleanUp) { check("fuselage-fusion-cleanup", GetParam().cleaned); }

TEST_P(AttentionExports, FuseAll) { check("fuselage-fuse-all", GetParam().fused); }

TEST_P(AttentionExports, AreReadByOthersWhenFusedAndTiled) {
  llvm::Error error = runFusionPipeline(
      *module, functionPipeline("fuselage-fuse-all,fuselage-form-dispatches,fuselage-tile-attention"));
  ASSERT_FALSE(static_cast<bool>(error)) << llvm::toString(std::move(error));
  module->walk([&](Operation *op) {
    llvm::StringRef name = op->getName().getStringRef();
    EXPECT_TRUE(op->isRegistered()) << name.str();
    if (op->getName().getDialectNamespace() == "flow") {
      EXPECT_TRUE(name == "flow.dispatch.region" || name == "flow.return") << name.str();
      EXPECT_TRUE(op->getDiscardableAttrs().empty());
    }
    EXPECT_NE(op->getName().getDialectNamespace(), "fuselage");
    for (NamedAttribute attribute : op->getAttrs()) {
      EXPECT_FALSE(attribute.getName().getValue().starts_with("fuselage")) << attribute.getName().str();
      EXPECT_FALSE(holdsOurs(attribute.getValue())) << attribute.getName().str();
    }
  });
  // The strict reader and the one of every command make the same of the text.
  std::string text = printed(*module);
  auto strict = session.parse(text, "fused");
  ASSERT_TRUE(static_cast<bool>(strict)) << llvm::toString(strict.takeError());
  EXPECT_EQ(printed(**strict), text);
  auto tolerant = session.readText(text, "fused");
  ASSERT_TRUE(static_cast<bool>(tolerant)) << llvm::toString(tolerant.takeError());
  EXPECT_TRUE(tolerant->diagnostics.empty());
  EXPECT_EQ(printed(*tolerant->module), text);
}

INSTANTIATE_TEST_SUITE_P(All, AttentionExports, testing::ValuesIn(exports), [](const auto &info) {
  std::string name = llvm::StringRef(info.param.file).rsplit('/').second.split('.').first.str();
  return name;
});

const char *const transposedWeight = R"(
func.func @forward(%a: tensor<8x8xf32>, %w: tensor<8x8xf32>, %init: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %e = tensor.empty() : tensor<8x8xf32>
  %t = linalg.transpose ins(%w : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) permutation = [1, 0]
  %m = linalg.matmul ins(%a, %t : tensor<8x8xf32>, tensor<8x8xf32>) outs(%init : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %m : tensor<8x8xf32>
})";

const char *const nothingToGain = R"(
func.func @forward(%a: tensor<1x8x8xf32>, %b: tensor<1x8x8xf32>, %init: tensor<1x8x8xf32>) -> tensor<1x8x8xf32> {
  %m = linalg.batch_matmul ins(%a, %b : tensor<1x8x8xf32>, tensor<1x8x8xf32>)
    outs(%init : tensor<1x8x8xf32>) -> tensor<1x8x8xf32>
  return %m : tensor<1x8x8xf32>
})";

/// What a device would tell of these programs: without the transposes `gain` less, with merged matmuls `loss` more.
FuseAllOptions device(double gain, double loss) {
  auto time = [=](ModuleOp module) {
    bool isTransposed = false, isMerged = false;
    module.walk([&](linalg::LinalgOp op) {
      isTransposed |= isa<linalg::TransposeOp>(op);
      isMerged |= op->getNumResults() > 1;
    });
    return 100 - (isTransposed ? 0 : gain) + (isMerged ? loss : 0);
  };
  return {.measure = [=](ModuleOp one, ModuleOp other) -> llvm::Expected<TimedPair> {
    return TimedPair{.one = time(one), .other = time(other)};
  }};
}

const char *twoWeights = R"(
func.func @forward(%a: tensor<16x8xf32>, %v: tensor<8x8xf32>, %w: tensor<8x8xf32>, %init: tensor<16x8xf32>)
    -> (tensor<16x8xf32>, tensor<16x8xf32>) {
  %e = tensor.empty() : tensor<8x8xf32>
  %vt = linalg.transpose ins(%v : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) permutation = [1, 0]
  %wt = linalg.transpose ins(%w : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) permutation = [1, 0]
  %m = linalg.matmul ins(%a, %vt : tensor<16x8xf32>, tensor<8x8xf32>) outs(%init : tensor<16x8xf32>) -> tensor<16x8xf32>
  %n = linalg.matmul ins(%a, %wt : tensor<16x8xf32>, tensor<8x8xf32>) outs(%init : tensor<16x8xf32>) -> tensor<16x8xf32>
  return %m, %n : tensor<16x8xf32>, tensor<16x8xf32>
})";

TEST(FuseAll, TakesBackThePartsThatAreSlower) {
  Session session(allDialects());
  auto parsed = session.parse(twoWeights, "twoWeights");
  ASSERT_TRUE(static_cast<bool>(parsed)) << llvm::toString(parsed.takeError());
  auto partOf = [](const FuseAllResult &result, llvm::StringRef pass) -> const FusionPart * {
    auto found = llvm::find_if(result.parts, [&](const FusionPart &part) { return part.pass == pass; });
    return found == result.parts.end() ? nullptr : &*found;
  };
  auto kept = fuseAll(**parsed, {}, device(20, -10));
  ASSERT_TRUE(static_cast<bool>(kept)) << llvm::toString(kept.takeError());
  EXPECT_EQ(kept->times->before, 100);
  EXPECT_EQ(kept->times->after, 70);
  const FusionPart *merged = partOf(*kept, "fuselage-fuse-horizontal");
  ASSERT_TRUE(merged);
  EXPECT_TRUE(merged->isKept);
  EXPECT_EQ(merged->gain, 10);
  EXPECT_GE(merged->dispatches, 1);

  auto partly = fuseAll(**parsed, {}, device(20, 10));
  ASSERT_TRUE(static_cast<bool>(partly)) << llvm::toString(partly.takeError());
  EXPECT_EQ(partly->times->after, 80);
  EXPECT_FALSE(partOf(*partly, "fuselage-fuse-horizontal")->isKept);
  EXPECT_FALSE(partly->steps.empty());
  EXPECT_TRUE(
      llvm::none_of(partly->steps, [](const FusionStep &step) { return step.pass == "fuselage-fuse-horizontal"; }));
  ASSERT_FALSE(partly->dropped.empty());
  EXPECT_NE(partly->dropped.back().find("90.0 us with it, 80.0 us without"), std::string::npos)
      << partly->dropped.back();

  auto noise = fuseAll(**parsed, {}, device(20, 1));
  ASSERT_TRUE(static_cast<bool>(noise)) << llvm::toString(noise.takeError());
  EXPECT_TRUE(partOf(*noise, "fuselage-fuse-horizontal")->isKept) << "1 of 81 is less than readings tell apart";

  auto none = fuseAll(**parsed, {}, device(-20, 10));
  ASSERT_TRUE(static_cast<bool>(none)) << llvm::toString(none.takeError());
  EXPECT_TRUE(none->steps.empty());
  EXPECT_FALSE(none->dropped.empty());
  EXPECT_EQ(none->times->after, 100);
  EXPECT_EQ(none->after.dispatches, none->before.dispatches);
}

TEST(FuseAll, TakesBackWhatIsWrongOrDearer) {
  Session session(allDialects());
  auto parsed = session.parse(transposedWeight, "transposedWeight");
  ASSERT_TRUE(static_cast<bool>(parsed)) << llvm::toString(parsed.takeError());
  auto all = fuseAll(**parsed, {}, {});
  ASSERT_TRUE(static_cast<bool>(all)) << llvm::toString(all.takeError());
  EXPECT_TRUE(all->dropped.empty());
  EXPECT_FALSE(all->steps.empty());
  auto none = fuseAll(**parsed, {}, {.problemOf = [](ModuleOp) { return std::string("its results are wrong"); }});
  ASSERT_TRUE(static_cast<bool>(none)) << llvm::toString(none.takeError());
  EXPECT_TRUE(none->steps.empty());
  ASSERT_FALSE(none->dropped.empty());
  EXPECT_NE(none->dropped.front().find("its results are wrong"), std::string::npos);
  auto idle = session.parse(nothingToGain, "nothingToGain");
  ASSERT_TRUE(static_cast<bool>(idle)) << llvm::toString(idle.takeError());
  auto nothing = fuseAll(**idle, {}, {});
  ASSERT_TRUE(static_cast<bool>(nothing)) << llvm::toString(nothing.takeError());
  EXPECT_TRUE(nothing->steps.empty());
  EXPECT_TRUE(isDearer({.dispatches = 3, .bytes = 10}, {.dispatches = 2, .bytes = 10}));
  EXPECT_TRUE(isDearer({.dispatches = 2, .bytes = 11}, {.dispatches = 2, .bytes = 10}));
  EXPECT_FALSE(isDearer({.dispatches = 2, .bytes = 10}, {.dispatches = 2, .bytes = 10}));
  EXPECT_FALSE(isDearer({.dispatches = 2, .bytes = 1000}, {.dispatches = 3, .bytes = 10}));
  EXPECT_FALSE(isDearer({.dispatches = 2, .bytes = -1}, {.dispatches = 2, .bytes = 10}));
  EXPECT_TRUE(isDearer({.dispatches = 2, .stored = 2, .bytes = -1}, {.dispatches = 2, .stored = 1, .bytes = -1}));
}

} // namespace

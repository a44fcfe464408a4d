// The passes that unlock fusion keep what a function computes, and unlock it.
#include "core/dialects/flow/Flow.h"
#include "core/registration/Registration.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassRegistry.h"
#include "tests/support/Draws.h"
#include "tests/support/PassEquivalence.h"
#include "tests/support/RandomChains.h"
#include "llvm/Support/MemoryBuffer.h"
#include <array>
#include <cctype>
#include <gtest/gtest.h>
#include <map>
#include <string>

using namespace fuselage;
using namespace fuselage::test;
using namespace mlir;

namespace {

int countDispatches(ModuleOp module) {
  int count = 0;
  module.walk([&](flow::DispatchRegionOp) { ++count; });
  return count;
}

/// Runs the pipeline (in a func.func) and compares.
Equivalence check(const std::string &source, const std::string &pipeline, unsigned seed,
                  llvm::ArrayRef<int64_t> shapes = {}, int *dispatches = nullptr) {
  Session session(allDialects());
  return checkEquivalence(
      session, source,
      [&](OpPassManager &passes) { ASSERT_TRUE(succeeded(parsePassPipeline("func.func(" + pipeline + ")", passes))); },
      seed, shapes,
      [&](ModuleOp module) {
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
    {"DecomposeSoftmax", "fuselage-decompose-softmax"},
    {"DropUnusedResults", "fuselage-drop-unused-results"},
    {"SplitReduction", "fuselage-split-reduction"},
    {"ResolveShapes", "fuselage-resolve-shapes"},
    {"FuseSiblings", "fuselage-fuse-siblings"},
    {"AbsorbConcat", "fuselage-absorb-concat"},
    {"AbsorbPad", "fuselage-absorb-pad"},
    {"FusePacking", "fuselage-fuse-packing"},
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
  for (unsigned draw = 0; draw < draws(12) && !HasFailure(); ++draw) {
    std::mt19937 random = randomOf(draw, 11);
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
  for (unsigned draw = 0; draw < draws(3) && !HasFailure(); ++draw) {
    std::mt19937 random = randomOf(draw, 7);
    std::string source = randomAttention(random);
    Equivalence outcome = check(source, GetParam().pipeline, draw);
    EXPECT_EQ(outcome.problem, "") << "draw " << draw << "\n" << source << "\nbecame\n" << outcome.after;
  }
}

INSTANTIATE_TEST_SUITE_P(All, Unlocks, testing::ValuesIn(pipelines),
                         [](const auto &info) { return std::string(info.param.name); });

TEST(FuseAttention, TakesEveryForm) {
  for (unsigned draw = 0; draw < draws(40) && !HasFailure(); ++draw) {
    std::mt19937 random = randomOf(draw, 3);
    std::string source = randomAttention(random);
    int dispatches = 0;
    const char *tiles[] = {"", "{query-tile=8 key-tile=5}", "{query-tile=1 key-tile=64}"};
    Equivalence outcome =
        check(source, std::string("fuselage-fuse-attention") + tiles[draw % 3], draw, {}, &dispatches);
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

/// `text` with all sizes `from` replaced by `to`: numbers that no letter but the x of a type precedes.
std::string resized(const std::string &text, const std::map<std::string, std::string> &sizes) {
  std::string out;
  for (size_t i = 0; i < text.size();) {
    size_t end = i;
    while (end < text.size() && std::isdigit(static_cast<unsigned char>(text[end])))
      ++end;
    if (end == i) {
      out += text[i++];
      continue;
    }
    std::string number = text.substr(i, end - i);
    bool isName =
        i > 0 && text[i - 1] != 'x' && (std::isalpha(static_cast<unsigned char>(text[i - 1])) || text[i - 1] == '_');
    auto found = sizes.find(number);
    out += isName || found == sizes.end() ? number : found->second;
    i = end;
  }
  return out;
}

/// `text` with every `from` replaced.
std::string replaced(std::string text, const std::string &from, const std::string &to) {
  for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

/// 3 sentences of 20 tokens, 4 heads of 5; the mask as a boolean, so that random ones are masks.
std::string smallBatchWithMask() {
  std::string text = resized(sample("bert_attention_16x512.mlir"),
                             {{"16", "3"}, {"512", "20"}, {"768", "20"}, {"12", "4"}, {"64", "5"}, {"192", "12"}});
  return replaced(replaced(text, "i64", "i1"), "sitofp", "uitofp");
}

TEST(Presets, ManySentencesWithAMaskComeDownToSevenDispatches) {
  int dispatches = 0;
  Equivalence outcome =
      check(smallBatchWithMask(), "fuselage-fusion-cleanup,fuselage-form-dispatches", 3, {}, &dispatches);
  EXPECT_EQ(outcome.problem, "") << outcome.after;
  EXPECT_EQ(dispatches, 7) << outcome.after;
}

TEST(Presets, ManySentencesWithAMaskComeDownToTwoDispatches) {
  for (unsigned seed = 0; seed < 3; ++seed) {
    int dispatches = 0;
    Equivalence outcome =
        check(smallBatchWithMask(), "fuselage-fuse-all,fuselage-form-dispatches", seed, {}, &dispatches);
    EXPECT_EQ(outcome.problem, "") << outcome.after;
    EXPECT_EQ(dispatches, 2) << outcome.after;
  }
}

const char *const dynamicAttention = R"(
func.func @dispatch(%q: tensor<?x?x8xf32>, %k: tensor<?x?x8xf32>, %v: tensor<?x?x16xf32>,
                    %square: tensor<?x?x?xf32>, %out: tensor<?x?x16xf32>) -> tensor<?x?x16xf32> {
  %zero = arith.constant 0.0 : f32
  %s0 = linalg.fill ins(%zero : f32) outs(%square : tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (b, n, k)>,
                                        affine_map<(b, m, n, k) -> (b, m, n)>],
                       iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<?x?x8xf32>, tensor<?x?x8xf32>) outs(%s0 : tensor<?x?x?xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.mulf %a, %b : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<?x?x?xf32>
  %p = linalg.softmax dimension(2) ins(%s : tensor<?x?x?xf32>) outs(%square : tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %f = linalg.fill ins(%zero : f32) outs(%out : tensor<?x?x16xf32>) -> tensor<?x?x16xf32>
  %r = linalg.batch_matmul ins(%p, %v : tensor<?x?x?xf32>, tensor<?x?x16xf32>) outs(%f : tensor<?x?x16xf32>) -> tensor<?x?x16xf32>
  return %r : tensor<?x?x16xf32>
})";

TEST(FuseAttention, TakesDynamicSizes) {
  const std::array<int64_t, 3> cases[] = {{2, 37, 50}, {1, 1, 1}, {3, 64, 32}};
  for (auto [heads, rows, keys] : cases) {
    int dispatches = 0;
    Equivalence outcome = check(dynamicAttention, "fuselage-fuse-attention", 5,
                                {heads, rows, heads, keys, heads, keys, heads, rows, keys, heads, rows}, &dispatches);
    EXPECT_EQ(outcome.problem, "") << outcome.after;
    EXPECT_EQ(dispatches, 1) << outcome.after;
  }
}

const char *const halfAttention = R"(
#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
func.func @dispatch(%q: tensor<40x8xf16>, %k: tensor<8x70xf16>, %v: tensor<70x12xf16>) -> tensor<40x12xf32> {
  %zero = arith.constant 0.0 : f32
  %lowest = arith.constant 0xFF800000 : f32
  %es = tensor.empty() : tensor<40x70xf32>
  %s0 = linalg.fill ins(%zero : f32) outs(%es : tensor<40x70xf32>) -> tensor<40x70xf32>
  %s = linalg.matmul ins(%q, %k : tensor<40x8xf16>, tensor<8x70xf16>) outs(%s0 : tensor<40x70xf32>) -> tensor<40x70xf32>
  %er = tensor.empty() : tensor<40xf32>
  %m0 = linalg.fill ins(%lowest : f32) outs(%er : tensor<40xf32>) -> tensor<40xf32>
  %max = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%s : tensor<40x70xf32>) outs(%m0 : tensor<40xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.maximumf %a, %o : f32
    linalg.yield %r : f32
  } -> tensor<40xf32>
  %exp = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%s, %max : tensor<40x70xf32>, tensor<40xf32>) outs(%es : tensor<40x70xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %d = arith.subf %a, %b : f32
    %r = math.exp2 %d : f32
    linalg.yield %r : f32
  } -> tensor<40x70xf32>
  %l0 = linalg.fill ins(%zero : f32) outs(%er : tensor<40xf32>) -> tensor<40xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%exp : tensor<40x70xf32>) outs(%l0 : tensor<40xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.addf %a, %o : f32
    linalg.yield %r : f32
  } -> tensor<40xf32>
  %eh = tensor.empty() : tensor<40x70xf16>
  %p = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%exp, %sum : tensor<40x70xf32>, tensor<40xf32>) outs(%eh : tensor<40x70xf16>) {
  ^bb0(%a: f32, %b: f32, %o: f16):
    %d = arith.divf %a, %b : f32
    %r = arith.truncf %d : f32 to f16
    linalg.yield %r : f16
  } -> tensor<40x70xf16>
  %e = tensor.empty() : tensor<40x12xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<40x12xf32>) -> tensor<40x12xf32>
  %r = linalg.matmul ins(%p, %v : tensor<40x70xf16>, tensor<70x12xf16>) outs(%f : tensor<40x12xf32>) -> tensor<40x12xf32>
  return %r : tensor<40x12xf32>
})";

TEST(FuseAttention, TakesHalfPrecision) {
  int dispatches = 0;
  Equivalence outcome = check(halfAttention, "fuselage-fuse-attention", 6, {}, &dispatches);
  EXPECT_EQ(outcome.problem, "") << outcome.after;
  EXPECT_EQ(dispatches, 1) << outcome.after;
}

TEST(Presets, BertComesDownToSevenDispatches) {
  int dispatches = 0;
  Equivalence outcome =
      check(sample("bert_attention.mlir"), "fuselage-fusion-cleanup,fuselage-form-dispatches", 1, {}, &dispatches);
  EXPECT_EQ(outcome.problem, "") << outcome.after;
  EXPECT_EQ(dispatches, 7) << outcome.after;
}

TEST(Presets, BertComesDownToTwoDispatches) {
  int dispatches = 0;
  Equivalence outcome =
      check(sample("bert_attention.mlir"), "fuselage-fuse-all,fuselage-form-dispatches", 2, {}, &dispatches);
  EXPECT_EQ(outcome.problem, "") << outcome.after;
  EXPECT_EQ(dispatches, 2) << outcome.after;
}

} // namespace

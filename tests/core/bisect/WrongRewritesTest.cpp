// Wrong rewrites of many kinds and levels are found, and reduced; right ones are not blamed.
#include "tests/core/bisect/WrongRewrites.h"
#include "core/bisect/Blame.h"
#include "core/ir/Session.h"
#include "core/reduce/Reduce.h"
#include "core/registration/Registration.h"
#include "core/stepping/record/Recording.h"
#include <cmath>
#include <gtest/gtest.h>

namespace fuselage::test {
namespace {

using namespace mlir;

struct Program {
  Session session{allDialects()};
  OwningOpRef<ModuleOp> module;
  explicit Program(const std::string &text) {
    registerWrongRewritePass();
    auto parsed = session.parse(text, "input.mlir");
    if (parsed)
      module = std::move(*parsed);
    else
      ADD_FAILURE() << llvm::toString(parsed.takeError());
  }
  llvm::Expected<Culprit> blame(const std::string &pipeline, unsigned draws) {
    RecordOptions recorded;
    recorded.pipeline = "builtin.module(" + pipeline + ")";
    auto made = fuselage::record(session, *module, recorded);
    if (!made)
      return made.takeError();
    recording = std::move(*made);
    BlameOptions options;
    options.draws = draws;
    return findCulprit(recording, options);
  }
  Recording recording;
};

std::string pipelineOf(int seed, int at) {
  return std::string(wrongRewrites()[seed].passes) + ",test-wrong-rewrite{seed=" + std::to_string(seed) +
         " at=" + std::to_string(at) + "}";
}

class WrongRewrites : public testing::TestWithParam<int> {};

std::string nameOf(const testing::TestParamInfo<int> &info) {
  std::string name = wrongRewrites()[info.param].name;
  name.erase(name.find('.'), 1);
  return name;
}

TEST_P(WrongRewrites, AreFound) {
  const int seed = GetParam();
  Program program(wrongRewrites()[seed].program);
  auto culprit = program.blame(pipelineOf(seed, 0), 2);
  ASSERT_TRUE(bool(culprit)) << llvm::toString(culprit.takeError());
  ASSERT_TRUE(culprit->step) << culprit->undecided << culprit->note
                             << (culprit->notJudged.empty() ? "" : culprit->notJudged.front());
  EXPECT_EQ(program.recording.steps[*culprit->step].pass, "test-wrong-rewrite") << culprit->why;
  EXPECT_EQ(culprit->firstSuspect, *culprit->step);
  ASSERT_TRUE(culprit->rewrite) << culprit->note;
  EXPECT_EQ(culprit->firstRewriteSuspect, *culprit->rewrite);
  const RewriteLog &log = *culprit->log;
  const Rewrite &found = log.rewrites[*culprit->rewrite];
  EXPECT_EQ(found.kind, RewriteKind::Pattern);
  EXPECT_EQ(log.ops[found.root].name.getStringRef(), wrongRewrites()[seed].root);
  EXPECT_LE(culprit->rewriteRuns, unsigned(std::log2(log.rewrites.size())) + 2);
}

TEST(AllWrongRewrites, AreTried) { EXPECT_EQ(wrongRewrites().size(), 33u); }

/// The loops that are wrong do not go away: a product on buffers, or in LLVM's dialect.
constexpr const char *kLarge[] = {"none"};

TEST_P(WrongRewrites, LeaveFewOps) {
  const WrongRewrite &seed = wrongRewrites()[GetParam()];
  Program program(seed.program);
  auto passes = parsePipeline(pipelineOf(GetParam(), -1), program.session.context());
  ASSERT_TRUE(bool(passes)) << llvm::toString(passes.takeError());
  ReduceOptions options;
  options.symptom.draws = 1;
  auto reduction = reduce(*program.module, *passes, options);
  ASSERT_TRUE(bool(reduction)) << llvm::toString(reduction.takeError());
  if (!llvm::is_contained(kLarge, llvm::StringRef(seed.name)))
    EXPECT_LE(reduction->opsAfter, 10u) << reduction->text;
}

INSTANTIATE_TEST_SUITE_P(Seeds, WrongRewrites, testing::Range(0, 33), nameOf);

/// A reduction of an elementwise op, of random sizes.
std::string reductionOf(unsigned seed) {
  const int rows = 1 + int(seed * 7919 % 37), columns = 1 + int(seed * 104729 % 211);
  const std::string matrix = "tensor<" + std::to_string(rows) + "x" + std::to_string(columns) + "xf32>",
                    vector = "tensor<" + std::to_string(rows) + "xf32>";
  return R"(
#all = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
func.func @main(%a: )" +
         matrix + ", %v: " + vector + ") -> " + vector + R"( {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : )" +
         vector + "\n  %f = linalg.fill ins(%zero : f32) outs(%e : " + vector + ") -> " + vector + R"(
  %m = tensor.empty() : )" +
         matrix + R"(
  %d = linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel"]}
      ins(%a, %v : )" +
         matrix + ", " + vector + ") outs(%m : " + matrix + R"() {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %s = arith.subf %p, %q : f32
    %x = math.exp %s : f32
    linalg.yield %x : f32
  } -> )" +
         matrix + R"(
  %r = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "reduction"]}
      ins(%d : )" +
         matrix + ") outs(%f : " + vector + R"() {
  ^bb0(%p: f32, %o: f32):
    %s = arith.addf %p, %o : f32
    linalg.yield %s : f32
  } -> )" +
         vector + "\n  return %r : " + vector + "\n}\n";
}

// Fused, generalized, its sums in another order (an affine loop that is split), lowered: all of it is right.
TEST(RightRewrites, AreNotBlamed) {
  const char *pipelines[] = {
      "canonicalize,linalg-fuse-elementwise-ops,cse",
      "linalg-generalize-named-ops,canonicalize,linalg-fuse-elementwise-ops,canonicalize",
      "one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map},"
      "func.func(convert-linalg-to-affine-loops,affine-loop-tile{tile-size=8},affine-loop-unroll{unroll-factor=4}),"
      "lower-affine,canonicalize",
      "one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map},"
      "func.func(convert-linalg-to-affine-loops,affine-super-vectorize{virtual-vector-size=8 "
      "vectorize-reductions=true}),canonicalize",
      "",
  };
  for (unsigned seed = 1; seed <= 20; ++seed) {
    const std::string pipeline = pipelines[seed % 5];
    Program program(reductionOf(seed));
    RecordOptions recorded;
    recorded.pipeline = pipeline.empty() ? "" : "builtin.module(" + pipeline + ",test-wrong-rewrite)";
    auto recording = fuselage::record(program.session, *program.module, recorded);
    ASSERT_TRUE(bool(recording)) << llvm::toString(recording.takeError());
    ASSERT_FALSE(recording->steps.back().failed) << recording->steps.back().name;
    auto culprit = findCulprit(*recording, BlameOptions());
    ASSERT_TRUE(bool(culprit)) << llvm::toString(culprit.takeError());
    EXPECT_FALSE(culprit->step) << seed << ": " << culprit->why;
    EXPECT_EQ(culprit->undecided, "") << seed;
    EXPECT_TRUE(culprit->notJudged.empty()) << seed << ": " << culprit->notJudged.front();
  }
}

} // namespace
} // namespace fuselage::test

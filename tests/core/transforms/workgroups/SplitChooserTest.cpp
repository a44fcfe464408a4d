// Which reductions are split, in which way, and to which sizes, for devices and extents whose best sizes are known.
#include "core/codegen/Targets.h"
#include "core/ir/Session.h"
#include "core/registration/Registration.h"
#include "core/transforms/workgroups/reductions/ApplySplit.h"
#include "core/transforms/workgroups/reductions/ChooseSplit.h"
#include "core/transforms/workgroups/sizes/TilingConfig.h"
#include "mlir/IR/Verifier.h"
#include <gtest/gtest.h>

using namespace mlir;

namespace fuselage {
namespace {

std::unique_ptr<TargetStrategy> strategyOfTarget(llvm::StringRef name) {
  return strategyFor(llvm::cantFail(targetNamed(name)));
}

std::string tensorOf(llvm::ArrayRef<int64_t> shape, const std::string &element) {
  std::string text = "tensor<";
  for (int64_t size : shape)
    text += std::to_string(size) + "x";
  return text + element + ">";
}

class SplitChooserTest : public testing::Test {
protected:
  linalg::LinalgOp parse(const std::string &text) {
    module_ = llvm::cantFail(session_.parse(text, "op.mlir"));
    linalg::LinalgOp last;
    (*module_)->walk([&](linalg::LinalgOp op) { last = op; });
    return last;
  }
  /// A reduction of a matrix along `dimension`.
  linalg::LinalgOp reduce(int64_t rows, int64_t columns, int dimension, const std::string &element = "f32") {
    std::string in = tensorOf({rows, columns}, element), out = tensorOf({dimension == 1 ? rows : columns}, element);
    return parse("func.func @f(%a: " + in + ", %c: " + out + ") { %r = linalg.reduce { arith.addf } ins(%a : " + in +
                 ") outs(%c : " + out + ") dimensions = [" + std::to_string(dimension) + "] return }");
  }
  linalg::LinalgOp matmul(int64_t m, int64_t n, int64_t k) {
    std::string a = tensorOf({m, k}, "f32"), b = tensorOf({k, n}, "f32"), c = tensorOf({m, n}, "f32");
    return parse("func.func @f(%a: " + a + ", %b: " + b + ", %c: " + c + ") { %r = linalg.matmul ins(%a, %b : " + a +
                 ", " + b + ") outs(%c : " + c + ") -> " + c + " return }");
  }
  int64_t countOps() {
    int64_t ops = 0;
    (*module_)->walk([&](linalg::GenericOp) { ++ops; });
    return ops;
  }

  Session session_{allDialects()};
  OwningOpRef<ModuleOp> module_;
};

TEST_F(SplitChooserTest, TheLayoutOfTheInputDecides) {
  auto wide = strategyOfTarget("h100");
  EXPECT_TRUE(canSplit(reduce(512, 512, 1), SplitKind::Rows, *wide));
  EXPECT_FALSE(canSplit(reduce(512, 512, 1), SplitKind::Columns, *wide));
  EXPECT_FALSE(canSplit(reduce(512, 512, 0), SplitKind::Rows, *wide));
  EXPECT_TRUE(canSplit(reduce(512, 512, 0), SplitKind::Columns, *wide));
  EXPECT_FALSE(canSplit(reduce(512, 63, 1), SplitKind::Rows, *wide)) << "a thread computes 63 iterations alone";
  EXPECT_TRUE(canSplit(matmul(8, 512, 512), SplitKind::Columns, *wide)) << "skinny";
  EXPECT_FALSE(canSplit(matmul(9, 512, 512), SplitKind::Columns, *wide)) << "has tiles in workgroup memory";
}

TEST_F(SplitChooserTest, RequestedSizesKeepColumnsWhole) {
  linalg::LinalgOp op = reduce(512, 512, 0);
  writeTilingConfig(op, {.workgroup = {32, 0}, .reduction = {}});
  EXPECT_FALSE(canSplit(op, SplitKind::Columns, *strategyOfTarget("h100")));
}

TEST_F(SplitChooserTest, EachStrategyListsItsWays) {
  EXPECT_EQ(strategyOfTarget("h100")->reductionSplits().size(), 3u);
  for (llvm::StringRef name : {"lavapipe", "rdna3", "spirv"}) {
    llvm::ArrayRef<SplitKind> kinds = strategyOfTarget(name)->reductionSplits();
    ASSERT_EQ(kinds.size(), 1u) << name.str();
    EXPECT_EQ(kinds.front(), SplitKind::Strided);
  }
}

TEST_F(SplitChooserTest, ExtentsOfAColumnReduction) {
  ReductionExtents extents = extentsOf(reduce(4096, 1000, 0, "f16"), SplitKind::Columns);
  EXPECT_EQ(extents.iterations, 4096);
  EXPECT_EQ(extents.columns, 1000);
  EXPECT_EQ(extents.results, 1) << "all other results have other columns";
  EXPECT_EQ(extents.elementBytes, 2);
  EXPECT_EQ(extents.perRead, 8) << "16 bytes";
  EXPECT_EQ(extentsOf(reduce(4096, 1001, 0), SplitKind::Columns).perRead, 1) << "rows start between vectors";
}

TEST_F(SplitChooserTest, Rows) {
  auto wide = strategyOfTarget("h100");
  ReductionSplit one =
      chooseSplit({.iterations = 1 << 20, .results = 1, .elementBytes = 4, .perRead = 4}, SplitKind::Rows, *wide);
  EXPECT_EQ(one.workgroups, 512);
  EXPECT_EQ(one.threads, 128);
  EXPECT_EQ(one.steps, 4);
  EXPECT_EQ(one.covered(), 1 << 20);
  ReductionSplit many =
      chooseSplit({.iterations = 1024, .results = 4096, .elementBytes = 4, .perRead = 4}, SplitKind::Rows, *wide);
  EXPECT_EQ(many.workgroups, 1) << "there are rows for all multiprocessors";
  EXPECT_EQ(many.threads, 64) << "four steps of 16 bytes a thread";
  EXPECT_EQ(many.tile, 2) << "a workgroup has two rows for 128 threads";
  ReductionSplit odd =
      chooseSplit({.iterations = 1003, .results = 4096, .elementBytes = 4, .perRead = 1}, SplitKind::Rows, *wide);
  EXPECT_LT(odd.covered(), 1003);
  EXPECT_LT(1003 - odd.covered(), odd.threads) << "less than one step is left";
}

TEST_F(SplitChooserTest, Columns) {
  ReductionSplit split =
      chooseSplit({.iterations = 4096, .results = 1, .columns = 4096, .elementBytes = 4, .perRead = 4},
                  SplitKind::Columns, *strategyOfTarget("h100"));
  EXPECT_EQ(split.tile, 128) << "32 threads by 16 bytes";
  EXPECT_EQ(split.threads, 4) << "the subgroups of a workgroup";
  EXPECT_EQ(split.workgroups, 16);
  EXPECT_EQ(split.covered(), 4096);
}

TEST_F(SplitChooserTest, FewResults) {
  ReductionExtents extents{.iterations = 1 << 20, .results = 1};
  ReductionSplit any = chooseSplit(extents, SplitKind::Strided, *strategyOfTarget("spirv"));
  EXPECT_EQ(any.threads, 256);
  EXPECT_EQ(any.tile, 64);
  EXPECT_EQ(any.workgroups, 128);
  ReductionSplit lanes = chooseSplit(extents, SplitKind::Strided, *strategyOfTarget("lavapipe"));
  EXPECT_EQ(lanes.threads, 512) << "64 accumulators for each of 8 lanes";
  EXPECT_EQ(lanes.workgroups, 16);
  extents = {.iterations = 1024, .results = 8};
  EXPECT_EQ(chooseSplit(extents, SplitKind::Strided, *strategyOfTarget("spirv")).threads, 128) << "eight steps each";
}

TEST_F(SplitChooserTest, RunsForThreadsOfTheHost) {
  std::optional<ReductionSplit> split = chooseRuns(reduce(1, 1 << 20, 1), 4);
  ASSERT_TRUE(split);
  EXPECT_EQ(split->threads, 16);
  EXPECT_EQ(split->covered(), 1 << 20);
  EXPECT_FALSE(chooseRuns(reduce(1, 1 << 20, 1), 1)) << "a single thread";
  EXPECT_FALSE(chooseRuns(reduce(8, 1 << 20, 1), 4)) << "two rows for each thread";
  EXPECT_FALSE(chooseRuns(reduce(1, 1 << 14, 1), 4)) << "too short";
}

TEST_F(SplitChooserTest, TheRewriteTakesAnySizes) {
  linalg::LinalgOp op = reduce(3, 1003, 1);
  IRRewriter rewriter(op->getContext());
  FailureOr<SplitOps> made =
      applySplit(rewriter, op, {.kind = SplitKind::Rows, .threads = 8, .steps = 31, .perRead = 4, .tile = 1});
  ASSERT_TRUE(succeeded(made));
  EXPECT_EQ(cast<RankedTensorType>(made->partial.getResult(0).getType()).getShape(), (llvm::ArrayRef<int64_t>{3, 8}));
  ASSERT_TRUE(made->rest);
  EXPECT_EQ(made->rest.getStaticLoopRanges().back(), 1003 - 8 * 31 * 4);
  EXPECT_EQ(countOps(), 3) << "partial results, their combination, the rest";
  EXPECT_TRUE(succeeded(verify(*module_)));
}

TEST_F(SplitChooserTest, TheRewriteRefusesWhatIsNoSplit) {
  linalg::LinalgOp op = reduce(3, 1000, 1);
  IRRewriter rewriter(op->getContext());
  EXPECT_TRUE(failed(applySplit(rewriter, op, {.kind = SplitKind::Runs, .threads = 1, .steps = 1000})));
}

} // namespace
} // namespace fuselage

#include "core/tuning/space/ScheduleTile.h"
#include "core/ir/Session.h"
#include "core/registration/Registration.h"
#include "core/schedules/script/Script.h"
#include "core/tuning/space/ScheduleTiling.h"
#include "gtest/gtest.h"

using namespace fuselage;
using namespace fuselage::tune;

namespace {

/// What a schedule makes of a product of 30 rows, 24 columns and a depth of 16, where `rows` is 4 and `columns` 8.
class ScheduleTileTest : public testing::Test {
protected:
  std::vector<int64_t> tileOf(const std::string &transforms) {
    auto payload = llvm::cantFail(session.parse(R"mlir(
func.func @mm(%a: tensor<30x16xf32>, %b: tensor<16x24xf32>, %c: tensor<30x24xf32>) -> tensor<30x24xf32> {
  %matmul = linalg.matmul ins(%a, %b : tensor<30x16xf32>, tensor<16x24xf32>) outs(%c : tensor<30x24xf32>) -> tensor<30x24xf32>
  return %matmul : tensor<30x24xf32>
})mlir",
                                                "mm.mlir"));
    Script script = llvm::cantFail(parseScript(session, R"mlir(
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.consumed}) {
    %rows = transform.tune.knob<"rows"> = 4 from options = [2, 4, 8] -> !transform.param<i64>
    %columns = transform.tune.knob<"columns"> = 8 from options = [8, 24] -> !transform.param<i64>
    %three = transform.param.constant 3 : i64 -> !transform.param<i64>
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %module : (!transform.any_op) -> !transform.any_op
)mlir" + transforms + "    transform.yield\n  }\n}\n",
                                               "s.mlir"));
    ScriptSpace space = llvm::cantFail(readSpace(*script.module));
    auto tile = scheduleTile(*script.module, space, *payload->getOps<mlir::func::FuncOp>().begin());
    std::vector<int64_t> sizes;
    if (tile)
      for (const Expression &size : tile->sizes)
        sizes.push_back(size.evaluate({4, 8}).value_or(-1));
    return sizes;
  }
  Session session{allDialects()};
};

using Sizes = std::vector<int64_t>;

TEST_F(ScheduleTileTest, IsOfTheOutermostLoops) {
  EXPECT_EQ(tileOf(R"mlir(
    %tile, %blocks = transform.structured.tile_using_forall %matmul tile_sizes [0, %columns] : (!transform.any_op, !transform.param<i64>) -> (!transform.any_op, !transform.any_op)
    %inner, %loops:3 = transform.structured.tile_using_for %tile tile_sizes [%rows, 2, %three] : (!transform.any_op, !transform.param<i64>, !transform.param<i64>)
        -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
)mlir"),
            (Sizes{4, 8, 3}));
}

TEST_F(ScheduleTileTest, IsOfNumbersOfThreadsAndOfWhatIsFused) {
  EXPECT_EQ(tileOf(R"mlir(
    %tile, %blocks = transform.structured.tile_using_forall %matmul num_threads [%rows, %three] : (!transform.any_op, !transform.param<i64>, !transform.param<i64>)
        -> (!transform.any_op, !transform.any_op)
)mlir"),
            (Sizes{8, 8, 0})); // 30 rows for 4
  EXPECT_EQ(tileOf(R"mlir(
    %tile, %loops:2 = transform.structured.fuse %matmul tile_sizes [%rows, %columns] : (!transform.any_op, !transform.param<i64>, !transform.param<i64>)
        -> (!transform.any_op, !transform.any_op, !transform.any_op)
)mlir"),
            (Sizes{4, 8, 0}));
}

TEST_F(ScheduleTileTest, IsOfTheLoopsThatTheOpHadBeforeTheyWereInterchanged) {
  EXPECT_EQ(tileOf(R"mlir(
    %generic = transform.structured.generalize %matmul : (!transform.any_op) -> !transform.any_op
    %turned = transform.structured.interchange %generic iterator_interchange = [2, 0, 1] : (!transform.any_op) -> !transform.any_op
    %tile, %blocks:2 = transform.structured.tile_using_for %turned tile_sizes [%three, %rows] : (!transform.any_op, !transform.param<i64>, !transform.param<i64>)
        -> (!transform.any_op, !transform.any_op, !transform.any_op)
    %again = transform.structured.interchange %tile iterator_interchange = [2, 1, 0] : (!transform.any_op) -> !transform.any_op
    %inner, %loops:3 = transform.structured.tile_using_for %again tile_sizes [%columns, 2, 2] : (!transform.any_op, !transform.param<i64>)
        -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
)mlir"),
            (Sizes{4, 8, 3}));
}

TEST_F(ScheduleTileTest, IsNotKnownOfSizesThatAreNoneByLoop) {
  EXPECT_EQ(tileOf(R"mlir(
    %tile, %loops:2 = transform.structured.tile_using_for %matmul tile_sizes [%rows, [4]] : (!transform.any_op, !transform.param<i64>)
        -> (!transform.any_op, !transform.any_op, !transform.any_op)
)mlir"),
            Sizes());
}

} // namespace

#include "core/run/OnePass.h"
#include "core/registration/Registration.h"
#include "tests/core/run/RunTestSupport.h"

using namespace fuselage;
using namespace fuselage::test;

namespace {

struct OnePass : testing::Test {
  Session session{allDialects()};
  std::vector<Diagnostic> remarks;

  RunProgram form(const char *text, llvm::StringRef function) {
    auto module = parse(session, text);
    EXPECT_TRUE(module);
    return valueOf(formRunProgram(std::move(module), function, remarks));
  }
};

TEST_F(OnePass, countsTheCallsOfEachDispatchButOfWhatFollowsFromWeights) {
  RunProgram program = form(R"(
    func.func @f(%a: tensor<8x8xf32>, %w: tensor<8x8xf32> {fuselage.parameter = "model::w"}) -> tensor<8x8xf32> {
      %e = tensor.empty() : tensor<8x8xf32>
      %t = linalg.transpose ins(%w : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) permutation = [1, 0]
      %m = linalg.matmul ins(%a, %t : tensor<8x8xf32>, tensor<8x8xf32>) outs(%a : tensor<8x8xf32>) -> tensor<8x8xf32>
      %n = linalg.matmul ins(%m, %t : tensor<8x8xf32>, tensor<8x8xf32>) outs(%m : tensor<8x8xf32>) -> tensor<8x8xf32>
      return %n : tensor<8x8xf32>
    })",
                            "f");
  auto calls = callsOfOnePass(program);
  ASSERT_TRUE(calls);
  unsigned sum = 0;
  for (auto [dispatch, count] : *calls) {
    EXPECT_NE(mlir::func::FuncOp(dispatch).getName().find("matmul"), llvm::StringRef::npos)
        << "the transpose is computed once";
    sum += count;
  }
  EXPECT_EQ(sum, 2u);
}

TEST_F(OnePass, loopsAndHostCodeAreKnownOnlyWhenTheyRun) {
  RunProgram loop = form(R"(
    func.func @f(%a: tensor<8xf32>, %n: index) -> tensor<8xf32> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> (tensor<8xf32>) {
        %s = linalg.add ins(%x, %a : tensor<8xf32>, tensor<8xf32>) outs(%x : tensor<8xf32>) -> tensor<8xf32>
        scf.yield %s : tensor<8xf32>
      }
      return %r : tensor<8xf32>
    })",
                         "f");
  EXPECT_FALSE(callsOfOnePass(loop));
  RunProgram scalar = form(R"(
    func.func @f(%a: tensor<8xf32>) -> f32 {
      %c0 = arith.constant 0 : index
      %s = linalg.add ins(%a, %a : tensor<8xf32>, tensor<8xf32>) outs(%a : tensor<8xf32>) -> tensor<8xf32>
      %r = tensor.extract %s[%c0] : tensor<8xf32>
      return %r : f32
    })",
                           "f");
  EXPECT_FALSE(callsOfOnePass(scalar));
}

} // namespace

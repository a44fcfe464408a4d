// Loops that are longer than a device makes them: llvmpipe leaves them after 65535 rounds.
#include "CodegenTestSupport.h"
#include "core/ir/Session.h"
#include "core/registration/Registration.h"
#include <gtest/gtest.h>

using namespace fuselage;
using namespace fuselage::test;

namespace {

class LoopRounds : public testing::Test {
protected:
  void SetUp() override {
    if (!testDevice())
      GTEST_SKIP() << "no device";
    options = testDevice()->targetOptions();
  }
  llvm::Expected<CompiledDispatch> compile(llvm::StringRef source) {
    module = llvm::cantFail(session.parse(source, "loops.mlir"));
    function = *module->getOps<mlir::func::FuncOp>().begin();
    return compileDispatch(function, options);
  }
  /// The sums of rows of ones.
  void expectSums(llvm::StringRef source, int64_t sum) {
    auto compiled = compile(source);
    ASSERT_TRUE(bool(compiled)) << llvm::toString(compiled.takeError());
    auto ones = llvm::cantFail(HostTensor::create(function.getArgumentTypes()[0]));
    for (int64_t i = 0; i < ones.elementCount(); ++i)
      ones.setInteger(i, 1);
    auto results = runOn(*testDevice(), *compiled, function.getFunctionType(), ones);
    ASSERT_TRUE(bool(results)) << llvm::toString(results.takeError());
    for (int64_t i = 0; i < results->front().elementCount(); ++i)
      EXPECT_EQ(results->front().integerAt(i), sum);
  }
  Session session{allDialects()};
  mlir::OwningOpRef<mlir::ModuleOp> module;
  mlir::func::FuncOp function;
  TargetOptions options;
};

} // namespace

TEST_F(LoopRounds, ALongLoopGoesToItsEnd) {
  expectSums(R"(
func.func @f(%a: tensor<2x70001xi32>) -> tensor<2xi32> {
  %c = arith.constant dense<0> : tensor<2xi32>
  %r = linalg.reduce {arith.addi} ins(%a : tensor<2x70001xi32>) outs(%c : tensor<2xi32>) dimensions = [1]
  return %r : tensor<2xi32>
})",
             70001);
}

TEST_F(LoopRounds, NestedLoopsCountTogether) {
  expectSums(R"(
func.func @f(%a: tensor<3x301x307xi32>) -> tensor<3xi32> {
  %c = arith.constant dense<0> : tensor<3xi32>
  %r = linalg.reduce {arith.addi} ins(%a : tensor<3x301x307xi32>) outs(%c : tensor<3xi32>) dimensions = [1, 2]
  return %r : tensor<3xi32>
})",
             301 * 307);
}

TEST_F(LoopRounds, AnEndlessOneIsRefusedWithItsLine) {
  if (options.device.maxLoopRounds.value == 0)
    GTEST_SKIP() << "the device goes on for ever";
  // What is no sum of parts: one thread has it all.
  auto compiled = compile(R"(
func.func @f(%a: tensor<1x2000000000xi8>) -> tensor<1xi8> {
  %c = arith.constant dense<0> : tensor<1xi8>
  %r = linalg.reduce {arith.subi} ins(%a : tensor<1x2000000000xi8>) outs(%c : tensor<1xi8>) dimensions = [1]
  return %r : tensor<1xi8>
})");
  ASSERT_FALSE(bool(compiled));
  Failure failure = takeFailure(compiled.takeError());
  EXPECT_NE(failure.message.find("rounds here, and the device leaves loops after 65535"), std::string::npos)
      << failure.message;
  ASSERT_FALSE(failure.diagnostics.empty());
  EXPECT_EQ(failure.diagnostics.front().line, 4u);
}

#include "core/bisect/Fault.h"
#include "core/ir/Session.h"
#include "core/registration/Registration.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/Pass.h"
#include <csignal>
#include <gtest/gtest.h>

namespace fuselage::test {
namespace {

using namespace mlir;

/// Overflows any stack.
[[gnu::noinline]] int recurse(int depth, volatile bool &goesOn) {
  volatile char room[1 << 16];
  room[0] = char(depth);
  return goesOn ? recurse(depth + 1, goesOn) + room[0] : 0;
}

/// Fails on every arith.addf as its option says.
struct FaultyPass : public PassWrapper<FaultyPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(FaultyPass)
  FaultyPass() = default;
  FaultyPass(const FaultyPass &other) : PassWrapper(other) {}
  StringRef getArgument() const final { return "test-faulty"; }
  StringRef getDescription() const final { return "fails on arith.addf"; }
  void runOnOperation() final {
    getOperation().walk([&](arith::AddFOp op) { failOn(op); });
  }
  void failOn(arith::AddFOp op) {
    if (how == "abort")
      std::abort();
    if (how == "fatal")
      llvm::report_fatal_error("cannot select");
    if (how == "segv")
      std::raise(SIGSEGV);
    if (volatile bool goesOn = true; how == "recursion")
      recurse(0, goesOn);
    if (how == "hang")
      for (volatile int i = 0;; i = i + 1)
        ;
    if (how == "exit")
      _exit(3);
    if (how == "fail") {
      op.emitError("no such type: ") << op.getType();
      signalPassFailure();
    }
    if (how == "invalid")
      op->setOperands({op.getLhs()});
  }
  Option<std::string> how{*this, "how", llvm::cl::init("")};
};

Fault faultFor(const std::string &how, const std::string &type = "f32", unsigned seconds = 10) {
  [[maybe_unused]] static const bool isRegistered = (PassRegistration<FaultyPass>(), true);
  Session session(allDialects());
  auto module = session.parse("func.func @f(%a: " + type + ") -> " + type + " {\n  %s = arith.addf %a, %a : " + type +
                                  "\n  return %s : " + type + "\n}\n",
                              "input.mlir");
  auto passes = parsePipeline("cse,test-faulty{how=" + how + "},canonicalize", session.context());
  if (!module || !passes) {
    ADD_FAILURE() << llvm::toString(joinErrors(module.takeError(), passes.takeError()));
    return {};
  }
  auto fault = faultOf(**module, *passes, {.seconds = seconds});
  if (!fault) {
    ADD_FAILURE() << llvm::toString(fault.takeError());
    return {};
  }
  return *fault;
}

TEST(Fault, TellsKindStepAndMessage) {
  EXPECT_EQ(faultFor("none").kind, FaultKind::None);
  Fault fault = faultFor("fail");
  EXPECT_EQ(fault.kind, FaultKind::PassFails);
  EXPECT_EQ(fault.step, 1u);
  EXPECT_EQ(fault.pass, "test-faulty");
  EXPECT_EQ(fault.message, "no such type: 'f32'");
  fault = faultFor("invalid");
  EXPECT_EQ(fault.kind, FaultKind::DoesNotVerify);
  EXPECT_NE(fault.message.find("expected 2 operands"), std::string::npos) << fault.message;
  EXPECT_EQ(describe(fault), "the IR after test-faulty does not verify: " + fault.message);
}

TEST(Fault, SurvivesCrashesAndHangs) {
  Fault fault = faultFor("abort");
  EXPECT_EQ(fault.kind, FaultKind::Crash);
  EXPECT_EQ(fault.signal, SIGABRT);
  EXPECT_EQ(fault.step, 1u);
  EXPECT_FALSE(fault.place.empty());
  EXPECT_TRUE(isSameFault(fault, faultFor("abort")));
  Fault fatal = faultFor("fatal");
  EXPECT_EQ(fatal.signal, SIGABRT);
  EXPECT_EQ(fatal.message, "LLVM ERROR: cannot select");
  EXPECT_FALSE(isSameFault(fault, fatal));
  EXPECT_EQ(faultFor("segv").signal, SIGSEGV);
  Fault recursion = faultFor("recursion");
  EXPECT_EQ(recursion.signal, SIGSEGV);
  EXPECT_EQ(recursion.place, "recursion");
  Fault exited = faultFor("exit");
  EXPECT_EQ(exited.kind, FaultKind::Crash);
  EXPECT_EQ(exited.signal, 0);
  EXPECT_EQ(faultFor("hang", "f32", 1).kind, FaultKind::Hang);
}

TEST(Fault, IsTheSameForOtherSizesAndTypes) {
  EXPECT_TRUE(isSameFault(faultFor("fail"), faultFor("fail", "f64")));
  EXPECT_TRUE(isSameFault(faultFor("fail", "vector<4xf32>"), faultFor("fail", "vector<2x8xf64>")));
  EXPECT_FALSE(isSameFault(faultFor("fail"), faultFor("invalid")));
  EXPECT_EQ(messageShape("'tensor<4x?xf32, affine_map<(d0) -> (d0)>>' and %12 at 128 of @f_1"),
            "'tensor<>' and % at # of @");
  EXPECT_EQ(messageShape("fold 1: 'i32' if f16x"), "fold #: 'T' if Tx");
  EXPECT_EQ(messageShape("a < b"), "a < b");
}

TEST(Fault, GivesTheOutput) {
  Session session(allDialects());
  auto module = session.parse("func.func @f(%a: f32) -> f32 {\n  %b = arith.addf %a, %a : f32\n  return %a : f32\n}\n",
                              "input.mlir");
  ASSERT_TRUE(bool(module));
  auto passes = parsePipeline("canonicalize", session.context());
  ASSERT_TRUE(bool(passes));
  auto end = tryPasses(**module, *passes, {}, /*wantsOutput=*/true);
  ASSERT_TRUE(bool(end));
  auto output = parseSourceString<ModuleOp>(end->output, &session.context());
  ASSERT_TRUE(output);
  unsigned additions = 0;
  output->walk([&](arith::AddFOp) { ++additions; });
  EXPECT_EQ(additions, 0u);
  additions = 0;
  (*module)->walk([&](arith::AddFOp) { ++additions; });
  EXPECT_EQ(additions, 1u);
}

} // namespace
} // namespace fuselage::test

#include "tests/core/reduce/FaultyPlugin.h"
#include <csignal>

namespace fuselage::test {
namespace {

using namespace mlir;

/// Loops, branches, memory, calls and a second function.
constexpr const char *kProgram = R"(
memref.global "private" constant @table : memref<64xf32> = dense<0.5>
func.func private @helper(%x: f32, %y: f32) -> f32 {
  %s = arith.addf %x, %y : f32
  %p = arith.mulf %s, %y : f32
  return %p : f32
}
func.func @unrelated(%a: tensor<8x64xf32>) -> tensor<8x64xf32> {
  %e = tensor.empty() : tensor<8x64xf32>
  %r = linalg.exp ins(%a : tensor<8x64xf32>) outs(%e : tensor<8x64xf32>) -> tensor<8x64xf32>
  return %r : tensor<8x64xf32>
}
func.func @main(%m: memref<64xf32>, %n: memref<64xf32>, %k: index, %c: i1) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  %t = memref.get_global @table : memref<64xf32>
  %sum = scf.for %i = %c0 to %c64 step %c1 iter_args(%acc = %zero) -> (f32) {
    %x = memref.load %m[%i] : memref<64xf32>
    %y = memref.load %t[%i] : memref<64xf32>
    %h = func.call @helper(%x, %y) : (f32, f32) -> f32
    %q = scf.if %c -> (f32) {
      %l = math.log %h : f32
      %d = arith.divf %l, %x : f32
      scf.yield %d : f32
    } else {
      scf.yield %h : f32
    }
    %next = arith.addf %acc, %q : f32
    memref.store %next, %n[%i] : memref<64xf32>
    scf.yield %next : f32
  }
  %e = math.exp %sum : f32
  return %e : f32
}
)";

struct FaultCase {
  const char *name, *pass;
  FaultKind kind;
  int signal;
  const char *message;
};

const FaultCase kCases[] = {
    {"Abort", "faulty-abort", FaultKind::Crash, SIGABRT, "LLVM ERROR: cannot lower this op"},
    {"Segv", "faulty-segv", FaultKind::Crash, SIGSEGV, ""},
    {"Hang", "faulty-hang", FaultKind::Hang, 0, ""},
    {"Fail", "faulty-fail", FaultKind::PassFails, 0, "has no lowering for 'f32'"},
    {"Invalid", "faulty-invalid", FaultKind::DoesNotVerify, 0, "'arith.divf' op expected 2 operands, but found 1"},
};

class ReduceFaults : public testing::TestWithParam<FaultCase> {};

TEST_P(ReduceFaults, KeepsTheFault) {
  const FaultCase &wanted = GetParam();
  Reduced reduced;
  reduced.open(reduced.session.parse(kProgram, "input.mlir"));
  ReduceOptions options;
  options.symptom.limits.seconds = 2;
  reduced.run("canonicalize,cse," + std::string(wanted.pass) + "{verbosity=2 on=arith.divf of=math.log},canonicalize",
              options);
  ASSERT_EQ(reduced.error, "");
  // arith.divf, the function and its return.
  EXPECT_EQ(reduced.reduction.opsAfter, 3u) << reduced.text();
  EXPECT_TRUE(reduced.reduction.isComplete);
  EXPECT_EQ(reduced.pipeline(), "builtin.module(" + std::string(wanted.pass) + "{on=arith.divf})");
  auto fault = faultOf(*reduced.reduction.module, reduced.reduction.passes, options.symptom.limits);
  ASSERT_TRUE(bool(fault));
  EXPECT_EQ(fault->kind, wanted.kind) << describe(*fault);
  EXPECT_EQ(fault->signal, wanted.signal);
  EXPECT_EQ(fault->message, wanted.message);
}

INSTANTIATE_TEST_SUITE_P(Kinds, ReduceFaults, testing::ValuesIn(kCases),
                         [](const auto &info) { return std::string(info.param.name); });

} // namespace
} // namespace fuselage::test

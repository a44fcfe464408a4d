#include "core/reduce/Reducer.h"
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

/// The same op so many times.
std::string divisions(unsigned count) {
  std::string text = "func.func @main(%x: f32) -> f32 {\n", last = "%x";
  for (unsigned i = 0; i < count; ++i) {
    const std::string next = "%v" + std::to_string(i);
    text += "  " + next + " = arith.divf " + last + ", %x : f32\n";
    last = next;
  }
  return text + "  return " + last + " : f32\n}\n";
}

unsigned divisionsIn(ModuleOp module) {
  unsigned count = 0;
  module.walk([&](Operation *op) { count += op->getName().getStringRef() == "arith.divf"; });
  return count;
}

// With fewer than three, the pass ends with another message, signal or kind.
TEST(Reduce, TakesNoFaultForAnother) {
  for (const char *pass : {"faulty-abort", "faulty-segv", "faulty-fail", "faulty-invalid"}) {
    Reduced reduced;
    reduced.open(reduced.session.parse(divisions(9), "input.mlir"));
    reduced.run(std::string(pass) + "{on=arith.divf:3}");
    ASSERT_EQ(reduced.error, "");
    EXPECT_EQ(divisionsIn(*reduced.reduction.module), 3u) << pass << reduced.text();
    auto fault = faultOf(*reduced.reduction.module, reduced.reduction.passes);
    ASSERT_TRUE(bool(fault));
    EXPECT_TRUE(isSameFault(*fault, reduced.reduction.symptom.fault)) << pass << ": " << describe(*fault);
  }
}

/// A test of modules that lets none pass that does not verify, and otherwise any with enough divisions.
class Counting : public SymptomTest {
public:
  llvm::Expected<bool> shows(ModuleOp module, llvm::ArrayRef<PassUnit> passes) override {
    auto end = tryPasses(module, passes, {});
    if (!end)
      return end.takeError();
    asked += 1;
    return end->verifies && divisionsIn(module) >= 2;
  }
  unsigned asked = 0;
};

TEST(Reduce, TakesOnlyWhatVerifiesAndIsSmaller) {
  Reduced reduced;
  reduced.open(reduced.session.parse(divisions(5), "input.mlir"));
  Counting test;
  ReduceOptions options;
  Reducer reducer(reduced.module->clone(), {}, test, options);
  OwningOpRef<ModuleOp> invalid(reduced.module->clone());
  invalid->walk([](Operation *op) {
    if (op->getName().getStringRef() == "arith.divf")
      op->eraseOperands(1, 1);
  });
  EXPECT_FALSE(reducer.tryModule(std::move(invalid), "invalid"));
  EXPECT_EQ(test.asked, 1u);
  EXPECT_FALSE(reducer.tryModule(OwningOpRef<ModuleOp>(reduced.module->clone()), "as large"));
  EXPECT_EQ(test.asked, 1u);
  EXPECT_TRUE(reducer.tryPlaced(sliceCut({})));
  EXPECT_EQ(divisionsIn(reducer.module()), 2u);
  EXPECT_TRUE(succeeded(verify(reducer.module())));
  // What was judged before is not judged again.
  const unsigned asked = test.asked;
  EXPECT_FALSE(reducer.tryPlaced(sliceCut({})));
  EXPECT_LE(test.asked, asked + 3);
}

TEST(Reduce, GivesTheBestSoFarWhenCancelled) {
  Reduced reduced;
  reduced.open(reduced.session.parse(divisions(40), "input.mlir"));
  std::atomic<bool> cancelled = false;
  ReduceOptions options;
  options.symptom.limits.cancelled = &cancelled;
  options.progress = [&](const ReduceProgress &progress) { cancelled = progress.taken >= 2; };
  reduced.run("canonicalize,faulty-abort{on=arith.divf}", options);
  ASSERT_EQ(reduced.error, "");
  EXPECT_FALSE(reduced.reduction.isComplete);
  EXPECT_NE(reduced.reduction.note.find("cancelled"), std::string::npos) << reduced.reduction.note;
  EXPECT_LT(reduced.reduction.opsAfter, reduced.reduction.opsBefore);
  EXPECT_FALSE(reduced.reduction.text.empty());
}

TEST(Reduce, KeepsTheNextPassesOutAndNeededOnesIn) {
  // The fault shows only in what the first pass leaves: the module that it leaves is taken.
  Reduced reduced;
  reduced.open(reduced.session.parse(R"(
func.func @main(%x: vector<4xf32>) -> vector<4xf32> {
  %a = math.exp2 %x : vector<4xf32>
  %b = math.absf %a : vector<4xf32>
  return %b : vector<4xf32>
})",
                                     "input.mlir"));
  reduced.run("math-expand-ops{ops=exp2},cse,faulty-fail{on=math.exp},canonicalize");
  ASSERT_EQ(reduced.error, "");
  EXPECT_EQ(reduced.pipeline(), "builtin.module(faulty-fail{on=math.exp})");
  EXPECT_NE(reduced.text().find("math.exp "), std::string::npos) << reduced.text();
  EXPECT_EQ(reduced.reduction.opsAfter, 3u) << reduced.text();
}

// Of a pass that does not come to its end, the patterns are known up to there.
TEST(Reduce, LeavesOutPatternsOfCrashesAndHangs) {
  for (const char *wrong : {"crash", "cycle"}) {
    Reduced reduced;
    reduced.open(reduced.session.parse(divisions(5), "input.mlir"));
    ReduceOptions options;
    options.symptom.limits.seconds = 1;
    reduced.run("canonicalize,faulty-rewrite{wrong=" + std::string(wrong) + " on=arith.divf}", options);
    ASSERT_EQ(reduced.error, "");
    EXPECT_EQ(reduced.reduction.opsAfter, 3u) << reduced.text();
    EXPECT_EQ(reduced.pipeline(), "builtin.module(faulty-rewrite{wrong=" + std::string(wrong) +
                                      " on=arith.divf enable-patterns=WrongPattern})");
  }
}

TEST(Reduce, CutsDynamicSizesRanksAndAttributes) {
  Reduced reduced;
  reduced.open(reduced.session.parse(R"(
#id = affine_map<(i, j, k) -> (i, j, k)>
func.func @main(%x: tensor<?x?x8xf16>) -> tensor<?x?x8xf16> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c0 : tensor<?x?x8xf16>
  %m = tensor.dim %x, %c1 : tensor<?x?x8xf16>
  %e = tensor.empty(%n, %m) : tensor<?x?x8xf16>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x : tensor<?x?x8xf16>) outs(%e : tensor<?x?x8xf16>) {
  ^bb0(%p: f16, %o: f16):
    %q = arith.divf %p, %p fastmath<contract> : f16
    linalg.yield %q : f16
  } -> tensor<?x?x8xf16>
  return %r : tensor<?x?x8xf16>
})",
                                     "input.mlir"));
  // What is around the division has to stay: it fails on linalg.generic.
  reduced.run("faulty-fail{on=linalg.generic}");
  ASSERT_EQ(reduced.error, "");
  EXPECT_EQ(reduced.text().find('?'), std::string::npos) << reduced.text();
  EXPECT_EQ(reduced.text().find("fastmath"), std::string::npos) << reduced.text();
  EXPECT_NE(reduced.text().find("tensor<f32>"), std::string::npos) << reduced.text();
  EXPECT_LE(reduced.reduction.opsAfter, 4u) << reduced.text();
}

/// Judges other than results: an edge that is lost, and bytes.
TEST(Reduce, KeepsALostFusionAndMoreBytes) {
  Reduced reduced;
  reduced.open(reduced.session.open(sample("softmax")));
  ReduceOptions options;
  options.symptom.producer = "softmax.mlir:25";
  options.symptom.consumer = "softmax.mlir:38";
  reduced.run("canonicalize,func.func(fuselage-form-dispatches),cse", options);
  ASSERT_EQ(reduced.error, "");
  EXPECT_EQ(reduced.reduction.symptom.kind, SymptomKind::LostFusion);
  EXPECT_EQ(reduced.pipeline(), "builtin.module(func.func(fuselage-form-dispatches))");
  EXPECT_LE(reduced.reduction.opsAfter, 10u) << reduced.reduction.text;
  EXPECT_NE(reduced.reduction.text.find("%producer ="), std::string::npos) << reduced.reduction.text;
  EXPECT_NE(reduced.reduction.text.find("%consumer ="), std::string::npos) << reduced.reduction.text;
  EXPECT_EQ(reduced.reduction.note, "");

  Reduced bytes;
  bytes.open(bytes.session.open(sample("matmul_transpose_bias")));
  options.symptom.producer = options.symptom.consumer = "";
  options.symptom.worse = Worse::Bytes;
  bytes.run("canonicalize,func.func(linalg-block-pack-matmul{block-factors=32,16,64}),cse", options);
  ASSERT_EQ(bytes.error, "");
  EXPECT_EQ(bytes.reduction.symptom.kind, SymptomKind::MoreBytes);
  EXPECT_LE(bytes.reduction.opsAfter, 6u) << bytes.reduction.text;
  bytes.run("canonicalize,cse", options);
  EXPECT_NE(bytes.error.find("there is nothing to reduce"), std::string::npos) << bytes.error;
}

TEST(Reduce, SaysThatNothingIsWrong) {
  Reduced reduced;
  reduced.open(reduced.session.parse(divisions(3), "input.mlir"));
  reduced.run("canonicalize,cse");
  EXPECT_NE(reduced.error.find("there is nothing to reduce"), std::string::npos) << reduced.error;
}

TEST(Reduce, LeavesNoSplitFileAround) {
  Reduced reduced;
  reduced.open(reduced.session.parse(divisions(3) + "// -----\n" + divisions(2), "input.mlir"));
  reduced.run("faulty-abort{on=arith.divf}");
  ASSERT_EQ(reduced.error, "");
  EXPECT_EQ(reduced.reduction.opsAfter, 3u) << reduced.text();
}

} // namespace
} // namespace fuselage::test

#include "core/registration/Registration.h"
#include "core/run/reference/HostProgram.h"
#include "tests/core/run/RunTestSupport.h"

using namespace fuselage;
using namespace fuselage::test;

namespace {

/// Loops of all kinds; each iteration writes its own place.
constexpr llvm::StringLiteral loops = R"(
  func.func @f(%a: memref<40x8xi64>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c8 = arith.constant 8 : index
    %c40 = arith.constant 40 : index
    scf.parallel (%i, %j) = (%c1, %c0) to (%c40, %c8) step (%c3, %c2) {
      %v = arith.index_cast %i : index to i64
      memref.store %v, %a[%i, %j] : memref<40x8xi64>
      scf.reduce
    }
    scf.for %i = %c0 to %c8 step %c1 {
      scf.forall (%k) in (40) {
        %v = arith.index_cast %k : index to i64
        memref.store %v, %a[%k, %c1] : memref<40x8xi64>
      }
    }
    scf.for %i = %c0 to %c40 step %c1 {
      %v = arith.index_cast %i : index to i64
      memref.store %v, %a[%i, %c3] : memref<40x8xi64>
    }
    scf.forall (%k) in (1) {
      %v = arith.index_cast %k : index to i64
      memref.store %v, %a[%k, %c2] : memref<40x8xi64>
    }
    %sum = arith.constant 0 : i64
    %total = scf.parallel (%i) = (%c0) to (%c40) step (%c1) init (%sum) -> i64 {
      %v = memref.load %a[%i, %c3] : memref<40x8xi64>
      scf.reduce(%v : i64) {
      ^bb0(%x: i64, %y: i64):
        %z = arith.addi %x, %y : i64
        scf.reduce.return %z : i64
      }
    }
    memref.store %total, %a[%c0, %c2] : memref<40x8xi64>
    return
  })";

} // namespace

TEST(OneThreadWork, isWhatNoParallelLoopHas) {
  Session session(allDialects());
  auto module = parse(session, loops);
  ASSERT_TRUE(module);
  HostKernels made = runLoopsOnThreads(*module, 4);
  EXPECT_EQ(made.calls.size(), 3u);
  std::vector<std::string> ops;
  for (const OneThreadWork &work : workOnOneThread(*module, made.calls))
    ops.push_back(work.op);
  EXPECT_EQ(ops, (std::vector<std::string>{"scf.for", "a single task", "scf.parallel"}))
      << "a sum is not known to be in any order";
  for (mlir::func::FuncOp function : module->getOps<mlir::func::FuncOp>())
    EXPECT_TRUE(function.getName() == "f" || isHostKernel(function.getName()));
}

TEST(OneThreadWork, loopsOnThreadsDoWhatTheyDidBefore) {
  std::string source = loops.str();
  source.replace(source.find("%a: memref<40x8xi64>"), 20, "%t: tensor<40x8xi64>");
  source.replace(source.find(") {"), 3,
                 ") -> tensor<40x8xi64> {\n    %a = memref.alloc() : memref<40x8xi64>\n    %t0 = "
                 "bufferization.to_buffer %t : tensor<40x8xi64> to memref<40x8xi64>\n"
                 "    memref.copy %t0, %a : memref<40x8xi64> to memref<40x8xi64>\n");
  source.replace(source.rfind("    return"), 10,
                 "    %r = bufferization.to_tensor %a restrict : memref<40x8xi64> to tensor<40x8xi64>\n    return %r : "
                 "tensor<40x8xi64>");
  Session session(allDialects());
  auto module = parse(session, source);
  ASSERT_TRUE(module) << source;
  HostTensor argument =
      valueOf(HostTensor::create(module->lookupSymbol<mlir::func::FuncOp>("f").getArgumentTypes()[0]));
  std::vector<std::vector<int64_t>> results;
  for (HostThreading threads : {HostThreading::None, HostThreading::ParallelLoops, HostThreading::Kernels}) {
    auto program = valueOf(HostProgram::compile(*module, {.compile = {.threads = threads, .checks = false}}));
    ASSERT_TRUE(program);
    EXPECT_EQ(program->usesThreads(), threads != HostThreading::None);
    auto values = valueOf(program->call("f", {argument}));
    ASSERT_EQ(values.size(), 1u);
    std::vector<int64_t> &numbers = results.emplace_back();
    for (int64_t i = 0; i < values[0].elementCount(); ++i)
      numbers.push_back(values[0].integerAt(i));
  }
  EXPECT_EQ(results[0][4 * 8 + 4], 4);
  EXPECT_EQ(results[1], results[0]);
  EXPECT_EQ(results[2], results[0]);
}

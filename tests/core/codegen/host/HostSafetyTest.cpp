// Somebody else's module on the host: it computes, or it is stopped with a sentence, and nothing else.
#include "core/codegen/host/safety/HostSafety.h"
#include "core/executable/HostSymbols.h"
#include "core/registration/Registration.h"
#include "core/run/HostCheck.h"
#include "core/run/Run.h"
#include "core/run/reference/HostProgram.h"
#include "core/support/Confine.h"
#include "core/support/TrialRun.h"
#include "tests/core/run/RunTestSupport.h"
#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>

using namespace fuselage;
using namespace fuselage::test;
using testing::HasSubstr;

namespace {

/// Why @f of the module does not run to its end.
std::string whyNot(llvm::StringRef source, llvm::ArrayRef<float> values = {}, const HostProgramOptions &options = {}) {
  Session session(allDialects());
  auto module = parse(session, source);
  if (!module)
    return "";
  auto program = HostProgram::compile(*module, options);
  if (!program)
    return llvm::toString(program.takeError());
  std::vector<HostTensor> arguments;
  if (!values.empty())
    arguments.push_back(floats(session.context(), {int64_t(values.size())}, values));
  return errorOf((*program)->call("f", arguments));
}

} // namespace

TEST(HostSafety, NothingOutsideOfTheModuleIsCalled) {
  EXPECT_THAT(whyNot(R"(
    func.func private @system(%a: tensor<4xf32>) -> tensor<4xf32>
    func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {
      %r = func.call @system(%a) : (tensor<4xf32>) -> tensor<4xf32>
      return %r : tensor<4xf32>
    })"),
              HasSubstr("a call of @system, which has no body in the module (test.mlir:4:"));
  EXPECT_THAT(whyNot(R"(
    llvm.func @getpid() -> i32
    func.func @f() -> i32 {
      %p = llvm.call @getpid() : () -> i32
      return %p : i32
    })"),
              HasSubstr("'llvm.call': it reaches beyond the values of the module (test.mlir:4:"));
  EXPECT_THAT(whyNot(R"(
    func.func @f() {
      llvm.inline_asm has_side_effects "ud2", "" : () -> ()
      return
    })"),
              HasSubstr("'llvm.inline_asm'"));
  EXPECT_THAT(whyNot(R"(
    func.func @f(%a: i64) -> i8 {
      %p = llvm.inttoptr %a : i64 to !llvm.ptr
      %v = llvm.load %p : !llvm.ptr -> i8
      return %v : i8
    })"),
              HasSubstr("'llvm.inttoptr'"));
  EXPECT_THAT(whyNot(R"(
    func.func @f() -> f64 {
      %v = llvm.call_intrinsic "llvm.x86.rdtsc"() : () -> i64
      %w = arith.sitofp %v : i64 to f64
      return %w : f64
    })"),
              HasSubstr("'llvm.call_intrinsic'"));
  EXPECT_THAT(whyNot(R"(
    func.func private @other() -> tensor<4xf32>
    func.func @f() -> tensor<4xf32> {
      %g = func.constant @other : () -> tensor<4xf32>
      %r = func.call_indirect %g() : () -> tensor<4xf32>
      return %r : tensor<4xf32>
    })"),
              HasSubstr("@other, which has no body"));
  // The same on memrefs.
  Session session(allDialects());
  auto module = parse(session, R"(
    func.func private @exit(%code: i32)
    func.func @f(%code: i32) {
      call @exit(%code) : (i32) -> ()
      return
    })");
  EXPECT_THAT(errorOf(compileMemRefsForHost(*module)), HasSubstr("@exit, which has no body"));
}

TEST(HostSafety, WhatIsOnlyDeclaredDoesNoHarm) {
  Session session(allDialects());
  auto module = parse(session, R"(
    module attributes {llvm.module_asm = ["this is no instruction"]} {
      func.func private @unused(%a: tensor<4xf32>) -> tensor<4xf32>
      llvm.func @puts(!llvm.ptr) -> i32
      func.func @f(%a: tensor<2xf32>) -> tensor<2xf32> attributes {passthrough = ["naked"], llvm.linkage = #llvm.linkage<weak>} {
        %r = math.exp2 %a : tensor<2xf32>
        return %r : tensor<2xf32>
      }
    })");
  auto program = valueOf(HostProgram::compile(*module));
  ASSERT_TRUE(program);
  auto results = valueOf(program->call("f", {floats(session.context(), {2}, {3, -1})}));
  ASSERT_EQ(results.size(), 1u);
  EXPECT_EQ(results[0].as<float>()[0], 8);
  EXPECT_EQ(results[0].as<float>()[1], 0.5);
}

TEST(HostSafety, GlobalsWithoutAValueAreNotLookedForInTheProcess) {
  EXPECT_THAT(whyNot(R"(
    memref.global @environ : memref<1xi64>
    func.func @f() -> i64 {
      %c0 = arith.constant 0 : index
      %g = memref.get_global @environ : memref<1xi64>
      %v = memref.load %g[%c0] : memref<1xi64>
      return %v : i64
    })"),
              HasSubstr("a use of @environ, which has no value in the module (test.mlir:5:"));
  Session session(allDialects());
  auto module = parse(session, R"(
    memref.global @stderr : memref<1xi64>
    func.func @f(%v: i64) {
      %c0 = arith.constant 0 : index
      %g = memref.get_global @stderr : memref<1xi64>
      memref.store %v, %g[%c0] : memref<1xi64>
      return
    })");
  EXPECT_THAT(errorOf(compileMemRefsForHost(*module)), HasSubstr("@stderr, which has no value"));
}

TEST(HostSafety, NamesOfLibrariesAreNamesAsOthers) {
  Session session(allDialects());
  auto module = parse(session, R"(
    memref.global @environ : memref<1xi64>
    memref.global @tanf : memref<2xf32> = dense<[1.0, 2.0]>
    memref.global constant @puts : memref<2xf32> = dense<[3.0, 4.0]>
    func.func private @expm1f(%x: f32) -> f32 {
      %two = arith.constant 2.0 : f32
      %r = arith.mulf %x, %two : f32
      return %r : f32
    }
    func.func private @malloc(%x: f32) -> f32 {
      %r = func.call @expm1f(%x) : (f32) -> f32
      return %r : f32
    }
    func.func @f(%a: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>, f32) {
      %c1 = arith.constant 1 : index
      %g = memref.get_global @tanf : memref<2xf32>
      %h = memref.get_global @puts : memref<2xf32>
      %x = memref.load %g[%c1] : memref<2xf32>
      %y = memref.load %h[%c1] : memref<2xf32>
      %holds = arith.cmpf olt, %x, %y : f32
      cf.assert %holds, ""
      %z = func.call @malloc(%y) : (f32) -> f32
      %e = math.expm1 %a : tensor<2xf32>
      %t = math.tan %a : tensor<2xf32>
      return %e, %t, %z : tensor<2xf32>, tensor<2xf32>, f32
    })");
  auto program = valueOf(HostProgram::compile(*module));
  ASSERT_TRUE(program);
  auto results = valueOf(program->call("f", {floats(session.context(), {2}, {0, 1})}));
  ASSERT_EQ(results.size(), 3u);
  EXPECT_NEAR(results[0].as<float>()[1], 1.7182818f, 1e-6);
  EXPECT_NEAR(results[1].as<float>()[1], 1.5574077f, 1e-6);
  EXPECT_EQ(results[2].as<float>()[0], 8);
}

TEST(HostSafety, TheLinkerKnowsMathematicsAndNothingElse) {
  for (const char *name : {"expf", "pow", "sincosf", "exp10", "fmodl", "memcpy", "__udivti3"})
    EXPECT_TRUE(isLibraryFunction(name)) << name;
  for (const char *name : {"system", "environ", "stderr", "malloc", "getenv", "dlsym", "f", "l", "f128", "", "syscall"})
    EXPECT_FALSE(isLibraryFunction(name)) << name;
}

TEST(HostSafety, RecursionIsRefused) {
  EXPECT_THAT(whyNot(R"(
    func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {
      %r = call @g(%a) : (tensor<4xf32>) -> tensor<4xf32>
      return %r : tensor<4xf32>
    }
    func.func private @g(%a: tensor<4xf32>) -> tensor<4xf32> {
      %r = call @f(%a) : (tensor<4xf32>) -> tensor<4xf32>
      return %r : tensor<4xf32>
    })"),
              HasSubstr("calls itself, directly or through others"));
}

TEST(HostSafety, OddIntegersHaveNoFormInMemory) {
  Session session(allDialects());
  auto bytes = [&](unsigned bits) { return hostElementBytes(mlir::IntegerType::get(&session.context(), bits)); };
  EXPECT_EQ(bytes(64), 8u);
  for (unsigned bits = 65; bits < 128; ++bits)
    EXPECT_EQ(bytes(bits), 0u) << bits;
  EXPECT_EQ(bytes(128), 16u);
  EXPECT_THAT(whyNot(R"(
    func.func @f() -> tensor<3xi65> {
      %r = arith.constant dense<1> : tensor<3xi65>
      return %r : tensor<3xi65>
    })"),
              HasSubstr("no form in host memory"));
}

TEST(HostSafety, WhatGoesWrongNamesOpAndLine) {
  EXPECT_EQ(whyNot(R"(
    func.func @f() -> tensor<4xi32> {
      %a = arith.constant dense<7> : tensor<4xi32>
      %z = arith.constant dense<[1, 2, 0, 4]> : tensor<4xi32>
      %r = arith.divsi %a, %z : tensor<4xi32>
      return %r : tensor<4xi32>
    })"),
            "@f stopped on the host: division by zero in 'arith.divsi' (test.mlir:5:12)");
  EXPECT_THAT(whyNot(R"(
    func.func @f() -> tensor<1xi32> {
      %a = arith.constant dense<-2147483648> : tensor<1xi32>
      %b = arith.constant dense<-1> : tensor<1xi32>
      %r = arith.divsi %a, %b : tensor<1xi32>
      return %r : tensor<1xi32>
    })"),
              HasSubstr("a division that overflows in 'arith.divsi' (test.mlir:5:"));
  EXPECT_THAT(whyNot(R"(
    func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {
      %c = arith.constant 99999999999 : index
      %v = arith.constant 1.0 : f32
      %r = tensor.insert %v into %a[%c] : tensor<4xf32>
      return %r : tensor<4xf32>
    })",
                     {1, 2, 3, 4}),
              HasSubstr("out-of-bounds access in 'tensor.insert' (test.mlir:5:"));
  EXPECT_THAT(whyNot(R"(
    func.func @f(%a: tensor<2xf32>) -> tensor<2xf32> {
      %e = tensor.empty() : tensor<2xf32>
      %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
          ins(%a : tensor<2xf32>) outs(%e : tensor<2xf32>) {
      ^bb0(%x: f32, %o: f32):
        %i = arith.fptosi %x : f32 to i64
        %k = arith.index_cast %i : i64 to index
        %v = tensor.extract %a[%k] : tensor<2xf32>
        linalg.yield %v : f32
      } -> tensor<2xf32>
      return %r : tensor<2xf32>
    })",
                     {1, 2}),
              HasSubstr("out-of-bounds access in 'tensor.extract' (test.mlir:9:"));
  EXPECT_THAT(whyNot(R"(
    func.func @f(%a: tensor<8xf32>) -> tensor<?xf32> {
      %n = arith.constant 3 : index
      %e = tensor.empty(%n) : tensor<?xf32>
      %r = tensor.insert_slice %a into %e[0] [8] [1] : tensor<8xf32> into tensor<?xf32>
      return %r : tensor<?xf32>
    })",
                     {1, 2, 3, 4, 5, 6, 7, 8}),
              HasSubstr("in 'tensor.insert_slice' (test.mlir:5:"));
  EXPECT_THAT(whyNot(R"(
    func.func @f(%a: tensor<4xf32>) -> tensor<?xf32> {
      %n = arith.constant -5 : index
      %c = arith.constant 0.0 : f32
      %e = tensor.empty(%n) : tensor<?xf32>
      %r = linalg.fill ins(%c : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
      return %r : tensor<?xf32>
    })",
                     {1, 2, 3, 4}),
              HasSubstr("a negative size in 'tensor.empty' (test.mlir:5:"));
  EXPECT_THAT(whyNot(R"(
    func.func @f(%a: tensor<4xf32>) -> tensor<?x?xf32> {
      %n = arith.constant 3 : index
      %d = tensor.cast %a : tensor<4xf32> to tensor<?xf32>
      %r = tensor.expand_shape %d [[0, 1]] output_shape [%n, %n] : tensor<?xf32> into tensor<?x?xf32>
      return %r : tensor<?x?xf32>
    })",
                     {1, 2, 3, 4}),
              HasSubstr("in 'tensor.expand_shape' (test.mlir:5:"));
  EXPECT_THAT(whyNot(R"(
    func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {
      %c0 = arith.constant 0 : index
      %c9 = arith.constant 9 : index
      %r = scf.for %i = %c0 to %c9 step %c0 iter_args(%x = %a) -> tensor<4xf32> {
        %y = math.absf %x : tensor<4xf32>
        scf.yield %y : tensor<4xf32>
      }
      return %r : tensor<4xf32>
    })",
                     {1, 2, 3, 4}),
              HasSubstr("a step that does not go forward in 'scf.for' (test.mlir:5:"));
}

TEST(HostSafety, CastsMasksAndPlacesStayInTheirMemory) {
  auto loads = [](llvm::StringRef body) {
    return whyNot(("func.func @f(%a: tensor<4xf32>) -> f32 {\n"
                   "  %c0 = arith.constant 0 : index\n  %c2 = arith.constant 2 : index\n"
                   "  %all = arith.constant dense<true> : vector<4xi1>\n"
                   "  %two = arith.constant dense<[true, true, false, false]> : vector<4xi1>\n"
                   "  %zeros = arith.constant dense<0.0> : vector<4xf32>\n"
                   "  %far = arith.constant dense<[0, 1, 2, 300]> : vector<4xi32>\n"
                   "  %m = bufferization.to_buffer %a read_only : tensor<4xf32> to memref<4xf32>\n" +
                   body + "  return %r : f32\n}")
                      .str(),
                  {1, 2, 3, 4});
  };
  auto first = [&](llvm::StringRef access) {
    return loads(("  %v = " + access + "\n  %r = vector.extract %v[0] : f32 from vector<4xf32>\n").str());
  };
  constexpr llvm::StringLiteral masked = " : memref<4xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>";
  EXPECT_THAT(first(("vector.maskedload %m[%c2], %all, %zeros" + masked).str()),
              HasSubstr("out-of-bounds access in 'vector.maskedload'"));
  EXPECT_THAT(first(("vector.expandload %m[%c2], %all, %zeros" + masked).str()),
              HasSubstr("out-of-bounds access in 'vector.expandload'"));
  constexpr llvm::StringLiteral places =
      " : memref<4xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32> into vector<4xf32>";
  EXPECT_THAT(first(("vector.gather %m[%c0] [%far], %all, %zeros" + places).str()),
              HasSubstr("out-of-bounds access in 'vector.gather'"));
  auto cast = [&](llvm::StringRef offset, llvm::StringRef size) {
    return loads(("  %w = memref.reinterpret_cast %m to offset: [" + offset + "], sizes: [" + size +
                  "], strides: [1] : memref<4xf32> to memref<" + size + "xf32, strided<[1], offset: " + offset +
                  ">>\n  %r = memref.load %w[%c0] : memref<" + size + "xf32, strided<[1], offset: " + offset + ">>\n")
                     .str());
  };
  EXPECT_THAT(cast("2", "3"), HasSubstr("a view that reaches beyond its memory in 'memref.reinterpret_cast'"));
  EXPECT_THAT(cast("100000", "1"), HasSubstr("a view that reaches beyond its memory"));
  EXPECT_THAT(loads("  %p = memref.extract_aligned_pointer_as_index %m : memref<4xf32> -> index\n"
                    "  %i = arith.index_cast %p : index to i64\n  %r = arith.sitofp %i : i64 to f32\n"),
              HasSubstr("'memref.extract_aligned_pointer_as_index': addresses are the process's own"));
}

TEST(HostSafety, ACrashIsTheCopysOwn) {
  constexpr llvm::StringLiteral wild = R"(
    func.func @f(%a: tensor<4xf32>) -> f32 {
      %c = arith.constant 99999999999999 : index
      %r = tensor.extract %a[%c] : tensor<4xf32>
      return %r : f32
    })";
  EXPECT_THAT(whyNot(wild, {1, 2, 3, 4}, {.compile = {.checks = false}}),
              HasSubstr("@f stopped on the host: it touched memory outside of its tensors"));
  constexpr llvm::StringLiteral trap = R"(
    func.func @f(%a: tensor<4xf32>) -> i32 {
      %c0 = arith.constant 0 : index
      %x = tensor.extract %a[%c0] : tensor<4xf32>
      %z = arith.fptosi %x : f32 to i32
      %c1 = arith.constant 1 : index
      %y = tensor.extract %a[%c1] : tensor<4xf32>
      %n = arith.fptosi %y : f32 to i32
      %r = arith.divsi %n, %z : i32
      return %r : i32
    })";
  EXPECT_THAT(whyNot(trap, {0, 2, 3, 4}, {.compile = {.checks = false}}), HasSubstr("an integer division by zero"));
}

TEST(HostSafety, TimeAndMemoryAreBounded) {
  constexpr llvm::StringLiteral endless = R"(
    func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %n = arith.constant 9223372036854775807 : index
      %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> tensor<4xf32> {
        %s = math.exp %x : tensor<4xf32>
        scf.yield %s : tensor<4xf32>
      }
      return %r : tensor<4xf32>
    })";
  EXPECT_EQ(whyNot(endless, {1, 2, 3, 4}, {.compile = {.limits = {.seconds = 1}}}),
            "@f stopped on the host: it takes more than 1 s");
  constexpr llvm::StringLiteral greedy = R"(
    func.func @f(%a: tensor<4xf32>) -> tensor<1073741824xf32> {
      %c = arith.constant 1.0 : f32
      %e = tensor.empty() : tensor<1073741824xf32>
      %r = linalg.fill ins(%c : f32) outs(%e : tensor<1073741824xf32>) -> tensor<1073741824xf32>
      return %r : tensor<1073741824xf32>
    })";
  EXPECT_EQ(whyNot(greedy, {1, 2, 3, 4}, {.compile = {.limits = {.bytes = uint64_t(64) << 20}}}),
            "@f stopped on the host: it takes more than 64 MiB");
  std::atomic<bool> cancelled = false;
  std::thread user([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    cancelled = true;
  });
  EXPECT_EQ(whyNot(endless, {1, 2, 3, 4}, {.cancelled = &cancelled}), "cancelled");
  user.join();
}

TEST(HostSafety, TheCopyCanOnlyCompute) {
  int pipe[2];
  ASSERT_EQ(::pipe(pipe), 0);
  auto said = runInCopy({}, [&](llvm::raw_ostream &) {
    confineToComputing({&pipe[1], 1});
    std::vector<char> memory(size_t(8) << 20, 'x');
    std::string text = memory.back() == 'x' ? "computes" : "";
    text += ::open("/dev/null", O_RDONLY) < 0 ? ", opens nothing" : ", OPENS";
    text += ::socket(AF_INET, SOCK_STREAM, 0) < 0 ? ", connects to nothing" : ", CONNECTS";
    text += ::write(STDERR_FILENO, "", 0) < 0 ? ", writes nowhere else" : ", WRITES";
    text += ::fork() < 0 ? ", starts nothing" : ", STARTS";
    (void)!::write(pipe[1], text.data(), text.size());
  });
  ASSERT_TRUE(said);
  EXPECT_EQ(said->death, std::nullopt);
  char buffer[256] = {};
  ASSERT_GT(::read(pipe[0], buffer, sizeof buffer - 1), 0);
  close(pipe[0]);
  close(pipe[1]);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  EXPECT_STREQ(buffer, "computes, opens nothing, connects to nothing, writes nowhere else, starts nothing");
#endif
}

TEST(HostSafety, RepeatsAreTimedInOneCopy) {
  Session session(allDialects());
  auto module = parse(session, R"(
    func.func @f(%a: tensor<4096xf32>) -> tensor<4096xf32> {
      %r = math.exp %a : tensor<4096xf32>
      return %r : tensor<4096xf32>
    })");
  auto program = valueOf(HostProgram::compile(*module));
  ASSERT_TRUE(program);
  RunOptions options;
  options.warmup = 2;
  options.repeat = 5;
  std::vector<float> ones(4096, 1);
  auto results = valueOf(program->measure("f", {floats(session.context(), {4096}, ones)}, RepeatPlan(options.counts()),
                                          {.coldCaches = true}));
  ASSERT_EQ(results.microseconds.size(), 5u);
  for (double time : results.microseconds)
    EXPECT_GT(time, 0);
  ASSERT_EQ(results.values.size(), 1u);
  EXPECT_NEAR(results.values[0].as<float>()[4095], 2.71828f, 1e-4);
}

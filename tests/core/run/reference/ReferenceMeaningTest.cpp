// What the reference computes: the plain meaning of the IR.
#include "core/registration/Registration.h"
#include "core/run/HostCheck.h"
#include "core/run/reference/HostProgram.h"
#include "tests/core/run/RunTestSupport.h"
#include "llvm/Support/FormatVariadic.h"
#include <array>
#include <cmath>
#include <gmock/gmock.h>

using namespace fuselage;
using namespace fuselage::test;
using testing::HasSubstr;

namespace {

/// What @f gives for one tensor.
std::vector<HostTensor> runOn(Session &session, llvm::StringRef source, llvm::ArrayRef<HostTensor> arguments) {
  auto module = parse(session, source);
  auto program = module ? valueOf(HostProgram::compile(*module)) : nullptr;
  return program ? valueOf(program->call("f", arguments)) : std::vector<HostTensor>();
}

HostTensor filled(mlir::Type element, int64_t count, double value) {
  HostTensor tensor = valueOf(HostTensor::create(mlir::RankedTensorType::get({count}, element)));
  for (int64_t i = 0; i < count; ++i)
    tensor.setFloat(i, value);
  return tensor;
}

} // namespace

TEST(ReferenceMeaning, EachOpOnBf16Rounds) {
  Session session(allDialects());
  auto bf16 = mlir::BFloat16Type::get(&session.context());
  auto results = runOn(session, R"(
    #id = affine_map<(i) -> (i)>
    func.func @f(%a: tensor<1xbf16>) -> tensor<1xi32> {
      %e = tensor.empty() : tensor<1xi32>
      %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
          ins(%a : tensor<1xbf16>) outs(%e : tensor<1xi32>) {
      ^bb0(%x: bf16, %o: i32):
        %k = arith.constant 100.0 : bf16
        %m = arith.mulf %x, %k : bf16
        %i = arith.fptosi %m : bf16 to i32
        linalg.yield %i : i32
      } -> tensor<1xi32>
      return %r : tensor<1xi32>
    })",
                       {filled(bf16, 1, -0.96875)});
  ASSERT_EQ(results.size(), 1u);
  // -96.875 lies half way between -96.5 and -97 in steps of 0.5, nearer to -97.
  EXPECT_EQ(results[0].integerAt(0), -97);
}

TEST(ReferenceMeaning, SumsAreRoundedOnce) {
  Session session(allDialects());
  auto f16 = mlir::Float16Type::get(&session.context());
  auto sum = [&](llvm::StringRef type, int64_t count) {
    return (R"(
    func.func @f(%a: tensor<)" +
            std::to_string(count) + "x" + type + R"(>) -> tensor<)" + type + R"(> {
      %zero = arith.constant 0.0 : )" +
            type + R"(
      %e = tensor.empty() : tensor<)" +
            type + R"(>
      %z = linalg.fill ins(%zero : )" +
            type + ") outs(%e : tensor<" + type + ">) -> tensor<" + type + R"(>
      %r = linalg.reduce ins(%a : tensor<)" +
            std::to_string(count) + "x" + type + ">) outs(%z : tensor<" + type + R"(>)
          dimensions = [0] (%x: )" +
            type + ", %s: " + type + R"() {
        %t = arith.addf %x, %s : )" +
            type + R"(
        linalg.yield %t : )" +
            type + R"(
      }
      return %r : tensor<)" +
            type + R"(>
    })")
        .str();
  };
  // Added one by one in f16, 2048 + 1 stays 2048.
  auto results = runOn(session, sum("f16", 4096), {filled(f16, 4096, 1)});
  ASSERT_EQ(results.size(), 1u);
  EXPECT_EQ(results[0].floatAt(0), 4096);
  // In f32, 2^24 + 1 stays 2^24.
  auto f32 = mlir::Float32Type::get(&session.context());
  constexpr int64_t many = (1 << 24) + 64;
  results = runOn(session, sum("f32", many), {filled(f32, many, 1)});
  ASSERT_EQ(results.size(), 1u);
  EXPECT_EQ(results[0].floatAt(0), many);
}

TEST(ReferenceMeaning, FloatsOfEightBitsAndFewer) {
  Session session(allDialects());
  for (llvm::StringRef type : {"f8E4M3FN", "f8E5M2", "f8E4M3FNUZ", "f8E5M2FNUZ", "f4E2M1FN"}) {
    auto module = parse(session, (R"(
    func.func @f(%x: tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2x2x)" +
                                  type + R"(>) {
      %n = arith.truncf %x : tensor<2x2xf32> to tensor<2x2x)" +
                                  type + R"(>
      %p = arith.mulf %n, %n : tensor<2x2x)" +
                                  type + R"(>
      %w = arith.extf %p : tensor<2x2x)" +
                                  type + R"(> to tensor<2x2xf32>
      return %w, %p : tensor<2x2xf32>, tensor<2x2x)" +
                                  type + R"(>
    })")
                                     .str());
    ASSERT_TRUE(module) << type.str();
    auto program = HostProgram::compile(*module);
    ASSERT_TRUE(static_cast<bool>(program)) << type.str() << ": " << llvm::toString(program.takeError());
    auto results = valueOf((*program)->call("f", {floats(session.context(), {2, 2}, {0.5, 1.5, -2, 1})}));
    ASSERT_EQ(results.size(), 2u);
    // All exact in each of them, but for 2.25, which has a tie in some.
    EXPECT_EQ(results[0].as<float>()[2], 4) << type.str();
    EXPECT_EQ(results[0].as<float>()[3], 1) << type.str();
    EXPECT_NEAR(results[0].as<float>()[1], 2.25, 0.26) << type.str();
    for (int i = 0; i < 4; ++i)
      EXPECT_EQ(results[0].as<float>()[i], results[1].floatAt(i)) << type.str();
  }
}

TEST(ReferenceMeaning, UninitialisedMemoryIsNobodysFault) {
  Session session(allDialects());
  auto before = parse(session, R"(
    func.func @f(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>) -> tensor<8x8xf32> {
      %e = tensor.empty() : tensor<8x8xf32>
      %0 = linalg.matmul ins(%a, %b : tensor<8x8xf32>, tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
      return %0 : tensor<8x8xf32>
    })");
  ASSERT_TRUE(before);
  EXPECT_EQ(errorOf(checkOnHost(*before, *before, {})),
            "the module reads uninitialised memory: 'linalg.matmul' (test.mlir:4:12) reads what "
            "the 'tensor.empty' "
            "at test.mlir:3:12 holds by chance; the results show nothing");
}

namespace {

/// What checking an elementwise op against itself says, for arguments that are all of the same
/// number; empty: it is ok.
std::string whyNotCompared(llvm::StringRef argument, llvm::StringRef result, llvm::StringRef body) {
  Session session(allDialects());
  auto module = parse(session, llvm::formatv(R"(
    #id = affine_map<(i) -> (i)>
    func.func @f(%a: tensor<8x{0}>) -> tensor<8x{1}> {{
      %e = tensor.empty() : tensor<8x{1}>
      %r = linalg.generic {{indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%a : tensor<8x{0}>) outs(%e : tensor<8x{1}>) {{
      ^bb0(%x: {0}, %o: {1}):
        {2}
        linalg.yield %y : {1}
      } -> tensor<8x{1}>
      return %r : tensor<8x{1}>
    })",
                                             argument, result, body)
                                   .str());
  if (!module)
    return "it does not parse";
  auto check = checkOnHost(*module, *module, {});
  return check ? check->ok ? "" : "wrong" : takeFailure(check.takeError()).message;
}

} // namespace

TEST(ReferenceMeaning, PoisonIsNobodysFault) {
  // What the message says, then an argument's and the result's type, and the body; %k is a number
  // of the argument's type.
  const std::array<std::string, 4> programs[] = {
      {"arith.shrui by 40 on i32 is poison (test.mlir:7:", "i32", "i32",
       "%k = arith.constant 40 : i32 %y = arith.shrui %x, %k : i32"},
      {"arith.shli by 32 on i32 is poison", "i32", "i32", "%k = arith.constant 32 : i32 %y = arith.shli %x, %k : i32"},
      {"arith.shrsi by 255 on i8 is poison", "i8", "i8", "%k = arith.constant -1 : i8 %y = arith.shrsi %x, %k : i8"},
      {"arith.shli by 64 on index is poison", "i64", "index",
       "%k = arith.constant 64 : index %i = arith.index_cast %x : i64 to index %y = arith.shli %i, "
       "%k : index"},
      {"arith.shli with nsw, which overflows, on i32", "i32", "i32",
       "%k = arith.constant 31 : i32 %l = arith.ori %x, %k : i32 %y = arith.shli %l, %k "
       "overflow<nsw> : i32"},
      {"arith.addi with nsw, which overflows, on i32", "i32", "i32",
       "%k = arith.constant 2147483647 : i32 %l = arith.ori %x, %k : i32 %m = arith.andi %l, %k : "
       "i32 %y = arith.addi %m, %m overflow<nsw> : i32"},
      {"arith.addi with nuw, which overflows, on i16", "i16", "i16",
       "%k = arith.constant -1 : i16 %l = arith.ori %x, %k : i16 %y = arith.addi %l, %k "
       "overflow<nuw> : i16"},
      {"arith.subi with nuw, which overflows, on i16", "i16", "i16",
       "%k = arith.constant -1 : i16 %z = arith.constant 0 : i16 %l = arith.ori %x, %k : i16 %y = "
       "arith.subi %z, %l overflow<nuw> : i16"},
      {"arith.subi with nsw, which overflows, on i64", "i64", "i64",
       "%k = arith.constant 9223372036854775807 : i64 %m = arith.constant -2 : i64 %l = arith.ori "
       "%x, %k : i64 %n = arith.andi %l, %k : i64 %y = arith.subi %m, %n overflow<nsw> : i64"},
      {"arith.muli with nsw, which overflows, on i32", "i32", "i32",
       "%k = arith.constant 65536 : i32 %l = arith.ori %x, %k : i32 %m = arith.constant 131071 : "
       "i32 %n = arith.andi %l, %m : i32 %y = arith.muli %n, %n overflow<nsw> : i32"},
      {"arith.muli with nuw, which overflows, on index", "i64", "index",
       "%k = arith.constant -1 : i64 %l = arith.ori %x, %k : i64 %i = arith.index_cast %l : i64 to "
       "index %y = arith.muli %i, %i overflow<nuw> : index"},
      {"arith.trunci with nuw, which overflows, on i32", "i32", "i8",
       "%k = arith.constant 256 : i32 %l = arith.ori %x, %k : i32 %y = arith.trunci %l "
       "overflow<nuw> : i32 to i8"},
      {"arith.shrui with exact, which loses bits, on i32", "i32", "i32",
       "%k = arith.constant 1 : i32 %l = arith.ori %x, %k : i32 %y = arith.shrui %l, %k exact : "
       "i32"},
      {"arith.divui with exact, which leaves a remainder, on i32", "i32", "i32",
       "%k = arith.constant 2 : i32 %one = arith.constant 1 : i32 %l = arith.ori %x, %one : i32 %y = "
       "arith.divui %l, %k exact : i32"},
      {"arith.fptosi of 1e+10 on f32 is poison", "f32", "i32",
       "%k = arith.constant 1.0e10 : f32 %z = arith.constant 0.0 : f32 %n = arith.mulf %x, %z : "
       "f32 %l = arith.addf %n, %k : f32 %y = arith.fptosi %l : f32 to i32"},
      {"arith.fptoui of -1 on f64 is poison", "f64", "i64",
       "%k = arith.constant -1.0 : f64 %z = arith.constant 0.0 : f64 %n = arith.mulf %x, %z : f64 "
       "%l = arith.addf %n, %k : f64 %y = arith.fptoui %l : f64 to i64"},
      {"arith.addf of an infinity with ninf on f32 is poison", "f32", "f32",
       "%k = arith.constant 0x7F800000 : f32 %y = arith.addf %x, %k fastmath<ninf> : f32"},
      {"math.sqrt of NaN with nnan on f32 is poison", "f32", "f32",
       "%k = arith.constant -1.0e6 : f32 %l = arith.addf %x, %k : f32 %y = math.sqrt %l "
       "fastmath<nnan> : f32"},
      {"ub.poison on i32 is poison", "i32", "i32", "%k = ub.poison : i32 %y = arith.addi %x, %k : i32"},
      {"division by zero in 'math.ipowi'", "i32", "i32",
       "%z = arith.constant 0 : i32 %k = arith.constant -1 : i32 %n = arith.andi %x, %z : i32 %y = "
       "math.ipowi %n, %k : i32"},
  };
  for (const auto &[why, argument, result, body] : programs)
    EXPECT_THAT(whyNotCompared(argument, result, body), HasSubstr(why)) << body;
}

TEST(ReferenceMeaning, PoisonThatNobodySeesDoesNoHarm) {
  // Shifts by the width or more are zero, as in StableHLO; the least and greatest numbers fit.
  for (llvm::StringRef body :
       {"%k = arith.constant 40 : i32 %w = arith.constant 32 : i32 %z = arith.constant 0 : i32 %s "
        "= arith.shli %x, %k : i32 "
        "%c = arith.cmpi ult, %k, %w : i32 %y = arith.select %c, %s, %z : i32",
        "%k = arith.constant 31 : i32 %y = arith.shrui %x, %k : i32",
        "%k = arith.constant -2147483648.9 : f64 %f = arith.sitofp %x : i32 to f64 %l = "
        "arith.minimumf %f, %k : f64 %y = arith.fptosi %l : f64 to i32",
        "%m = arith.constant 15 : i32 %l = arith.andi %x, %m : i32 %y = arith.muli %l, %l "
        "overflow<nsw, nuw> : i32",
        "%p = ub.poison : i32 %z = arith.constant true %y = arith.select %z, %x, %p : i32"})
    EXPECT_EQ(whyNotCompared("i32", "i32", body), "") << body.str();
}

TEST(ReferenceMeaning, TheFirstPoisonOfEqualOpsIsNamedByItsLine) {
  // Two ops that are one program: only the second is given too large an amount.
  Session session(allDialects());
  auto module = parse(session, R"(
    func.func @f(%a: tensor<4xi32>) -> tensor<4xi32> {
      %one = arith.constant dense<1> : tensor<4xi32>
      %many = arith.constant dense<[1, 2, 33, 4]> : tensor<4xi32>
      %0 = arith.shli %a, %one : tensor<4xi32>
      %1 = arith.shli %0, %many : tensor<4xi32>
      return %1 : tensor<4xi32>
    })");
  ASSERT_TRUE(module);
  EXPECT_THAT(errorOf(checkOnHost(*module, *module, {})), HasSubstr("arith.shli by 33 on i32 is poison (test.mlir:6:"));
}

TEST(ReferenceMeaning, VectorsThatLeaveTheirTensorAreRefused) {
  Session session(allDialects());
  for (llvm::StringRef read :
       {"%v = vector.transfer_read %a[%i], %z {in_bounds = [true]} : tensor<8xf32>, vector<4xf32>",
        "%m = bufferization.to_buffer %a : tensor<8xf32> to memref<8xf32> %v = vector.load %m[%i] "
        ": memref<8xf32>, vector<4xf32>"}) {
    auto module = parse(session, (R"(
    func.func @f(%a: tensor<8xf32>) -> f32 {
      %i = arith.constant 5 : index
      %z = arith.constant 0.0 : f32
      )" + read + R"(
      %s = vector.reduction <add>, %v : vector<4xf32> into f32
      return %s : f32
    })")
                                     .str());
    ASSERT_TRUE(module);
    EXPECT_THAT(errorOf(checkOnHost(*module, *module, {})), HasSubstr("out-of-bounds access in 'vector."))
        << read.str();
  }
}

TEST(ReferenceMeaning, MemoryThatLoopsFillIsInitialised) {
  Session session(allDialects());
  auto before = parse(session, R"(
    func.func @f(%a: tensor<8xf32>) -> tensor<8xf32> {
      %c0 = arith.constant 0 : index
      %c2 = arith.constant 2 : index
      %c8 = arith.constant 8 : index
      %e = tensor.empty() : tensor<8xf32>
      %r = scf.for %i = %c0 to %c8 step %c2 iter_args(%o = %e) -> tensor<8xf32> {
        %s = tensor.extract_slice %a[%i] [2] [1] : tensor<8xf32> to tensor<2xf32>
        %d = tensor.extract_slice %o[%i] [2] [1] : tensor<8xf32> to tensor<2xf32>
        %x = linalg.exp ins(%s : tensor<2xf32>) outs(%d : tensor<2xf32>) -> tensor<2xf32>
        %n = tensor.insert_slice %x into %o[%i] [2] [1] : tensor<2xf32> into tensor<8xf32>
        scf.yield %n : tensor<8xf32>
      }
      %z = linalg.negf ins(%r : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
      return %z : tensor<8xf32>
    })");
  ASSERT_TRUE(before);
  auto check = valueOf(checkOnHost(*before, *before, {}));
  EXPECT_TRUE(check.ok);
}

TEST(ReferenceMeaning, ADimensionIsCutIntoSizesThatAreComputed) {
  Session session(allDialects());
  auto results = runOn(session, R"(
    func.func @f(%a: tensor<6xf32>) -> tensor<?x?xf32> {
      %two = arith.constant 2 : index
      %three = arith.constant 3 : index
      %d = tensor.cast %a : tensor<6xf32> to tensor<?xf32>
      %r = tensor.expand_shape %d [[0, 1]] output_shape [%two, %three] : tensor<?xf32> into tensor<?x?xf32>
      return %r : tensor<?x?xf32>
    })",
                       {floats(session.context(), {6}, {0, 1, 2, 3, 4, 5})});
  ASSERT_EQ(results.size(), 1u);
  EXPECT_EQ(results[0].shape(), llvm::ArrayRef<int64_t>({2, 3}));
  EXPECT_EQ(results[0].as<float>()[5], 5);
}

TEST(ReferenceMeaning, FunctionsNearZeroKeepTheirDigits) {
  Session session(allDialects());
  auto results = runOn(session, R"(
    func.func @f(%a: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xi1>, tensor<2xf32>) {
      %inf = arith.constant dense<[0x7F800000, 1.0]> : tensor<2xf32>
      %low = arith.constant dense<-0.5> : tensor<2xf32>
      %high = arith.constant dense<0.0005> : tensor<2xf32>
      %e = math.expm1 %a : tensor<2xf32>
      %l = math.log1p %a : tensor<2xf32>
      %i = math.isinf %inf : tensor<2xf32>
      %c = math.clampf %a to [%low, %high] : tensor<2xf32>
      return %e, %l, %i, %c : tensor<2xf32>, tensor<2xf32>, tensor<2xi1>, tensor<2xf32>
    })",
                       {floats(session.context(), {2}, {0.001f, -0.75f})});
  ASSERT_EQ(results.size(), 4u);
  EXPECT_NEAR(results[0].as<float>()[0], 1.0005002e-3, 2e-10);
  EXPECT_NEAR(results[1].as<float>()[0], 9.995003e-4, 2e-10);
  EXPECT_EQ(results[2].integerAt(0), 1);
  EXPECT_EQ(results[2].integerAt(1), 0);
  EXPECT_EQ(results[3].as<float>()[0], 0.0005f);
  EXPECT_EQ(results[3].as<float>()[1], -0.5f);
}

TEST(ReferenceMeaning, AModulesOwnNamesDoNotAnswerForTheLibrary) {
  Session session(allDialects());
  auto module = parse(session, R"(
    func.func @powf(%a: tensor<1xf32>) -> tensor<1xf32> {
      %r = math.powf %a, %a : tensor<1xf32>
      return %r : tensor<1xf32>
    }
    func.func @f(%a: tensor<1xf32>) -> tensor<1xf32> {
      %r = call @powf(%a) : (tensor<1xf32>) -> tensor<1xf32>
      return %r : tensor<1xf32>
    })");
  auto program = valueOf(HostProgram::compile(*module));
  ASSERT_TRUE(program);
  for (const char *name : {"f", "powf"}) {
    auto results = valueOf(program->call(name, {floats(session.context(), {1}, {3})}));
    ASSERT_EQ(results.size(), 1u);
    EXPECT_EQ(results[0].as<float>()[0], 27);
  }
}

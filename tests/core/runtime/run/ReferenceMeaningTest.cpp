// What the reference computes: the plain meaning of the IR.
#include "core/registration/Registration.h"
#include "core/runtime/host/HostJit.h"
#include "core/runtime/run/HostCheck.h"
#include "tests/core/runtime/RuntimeTestSupport.h"
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
    func.func @f(%a: tensor<)" + std::to_string(count) + "x" + type + R"(>) -> tensor<)" + type + R"(> {
      %zero = arith.constant 0.0 : )" + type + R"(
      %e = tensor.empty() : tensor<)" + type + R"(>
      %z = linalg.fill ins(%zero : )" + type + ") outs(%e : tensor<" + type + ">) -> tensor<" + type + R"(>
      %r = linalg.reduce ins(%a : tensor<)" + std::to_string(count) + "x" + type + ">) outs(%z : tensor<" + type + R"(>)
          dimensions = [0] (%x: )" + type + ", %s: " + type + R"() {
        %t = arith.addf %x, %s : )" + type + R"(
        linalg.yield %t : )" + type + R"(
      }
      return %r : tensor<)" + type + R"(>
    })").str();
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
    func.func @f(%x: tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2x2x)" + type + R"(>) {
      %n = arith.truncf %x : tensor<2x2xf32> to tensor<2x2x)" + type + R"(>
      %p = arith.mulf %n, %n : tensor<2x2x)" + type + R"(>
      %w = arith.extf %p : tensor<2x2x)" + type + R"(> to tensor<2x2xf32>
      return %w, %p : tensor<2x2xf32>, tensor<2x2x)" + type + R"(>
    })").str());
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
            "the module reads uninitialised memory: 'linalg.matmul' (test.mlir:4:12) reads what the 'tensor.empty' "
            "at test.mlir:3:12 holds by chance; no two results of it can be compared");
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

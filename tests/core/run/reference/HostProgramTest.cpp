#include "core/run/reference/HostProgram.h"
#include "core/registration/Registration.h"
#include "core/runtime/host/NarrowFloatFunctions.h"
#include "tests/core/run/RunTestSupport.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/bit.h"
#include <cmath>
#include <random>

using namespace fuselage;
using namespace fuselage::test;

/// A module of functions on memrefs, as it is called in this process.
static std::unique_ptr<HostCode> loadMemRefs(mlir::ModuleOp module) {
  auto compiled = compileMemRefsForHost(module);
  if (!compiled) {
    ADD_FAILURE() << llvm::toString(compiled.takeError());
    return nullptr;
  }
  return valueOf(HostCode::load(compiled->object, compiled->form));
}

static Status callOf(HostCode &code, const char *function, std::vector<void *> arguments,
                     std::vector<void *> results = {}) {
  return code.call(function, arguments, results);
}

TEST(HostCode, RunsLoopsAndLinalgOnMemRefs) {
  Session session(allDialects());
  auto module = parse(session, R"(
    func.func @scale(%x: memref<4xf32, 3>, %factor: f32, %y: memref<?xf32>) -> f32 {
      %c0 = arith.constant 0 : index
      scf.forall (%i) in (4) {
        %v = memref.load %x[%i] : memref<4xf32, 3>
        %w = arith.mulf %v, %factor : f32
        memref.store %w, %y[%i] : memref<?xf32>
      }
      %first = memref.load %y[%c0] : memref<?xf32>
      return %first : f32
    })");
  auto code = loadMemRefs(*module);
  ASSERT_TRUE(code);
  float x[] = {1, 2, 3, 4}, y[4] = {}, factor = 2.5f, first = 0;
  const int64_t size = 4;
  MemRefDescriptor dx(x, {&size, 1}), dy(y, {&size, 1});
  EXPECT_FALSE(callOf(*code, "scale", {dx.data(), &factor, dy.data()}, {&first}));
  EXPECT_EQ(y[3], 10.0f);
  EXPECT_EQ(first, 2.5f);
  EXPECT_NE(errorOf(callOf(*code, "scal", {}, {})).find("no function @scal"), std::string::npos);
  EXPECT_NE(errorOf(callOf(*code, "scale", {}, {})).find("takes 3 arguments"), std::string::npos);
}

TEST(HostCode, ReturnsMemRefsAndScalarsTogether) {
  Session session(allDialects());
  auto module = parse(session, R"(
    func.func @make(%n: index) -> (i8, memref<?xi16>, f64) {
      %c7 = arith.constant 7 : i8
      %c9 = arith.constant 9 : i16
      %pi = arith.constant 3.25 : f64
      %m = memref.alloc(%n) : memref<?xi16>
      linalg.fill ins(%c9 : i16) outs(%m : memref<?xi16>)
      return %c7, %m, %pi : i8, memref<?xi16>, f64
    })");
  auto code = loadMemRefs(*module);
  ASSERT_TRUE(code);
  int64_t n = 5;
  int8_t seven = 0;
  double pi = 0;
  MemRefDescriptor made(1);
  EXPECT_FALSE(callOf(*code, "make", {&n}, {&seven, made.data(), &pi}));
  EXPECT_EQ(seven, 7);
  EXPECT_EQ(pi, 3.25);
  ASSERT_EQ(made.sizes()[0], 5);
  EXPECT_EQ(static_cast<int16_t *>(made.aligned())[4], 9);
}

TEST(HostCode, AssertionsEndTheCallNotTheProcess) {
  Session session(allDialects());
  auto module = parse(session, R"(
    func.func @check(%ok: i1) {
      cf.assert %ok, "sizes differ"
      return
    })");
  auto code = loadMemRefs(*module);
  ASSERT_TRUE(code);
  bool yes = true, no = false;
  EXPECT_FALSE(callOf(*code, "check", {&yes}));
  EXPECT_NE(errorOf(callOf(*code, "check", {&no})).find("sizes differ"), std::string::npos);
}

TEST(HostCode, CancelStopsALongLoop) {
  Session session(allDialects());
  auto module = parse(session, R"(
    func.func @spin(%m: memref<f32>) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %many = arith.constant 1000000000 : index
      scf.for %i = %c0 to %many step %c1 {
        scf.for %j = %c0 to %many step %c1 {
          %v = memref.load %m[] : memref<f32>
          %s = math.sin %v : f32
          memref.store %s, %m[] : memref<f32>
        }
      }
      return
    })");
  std::atomic<bool> cancelled = true;
  auto code = loadMemRefs(*module);
  ASSERT_TRUE(code);
  code->useCancel(&cancelled);
  float value = 1;
  MemRefDescriptor m(&value, {});
  EXPECT_NE(errorOf(callOf(*code, "spin", {m.data()})).find("cancelled"), std::string::npos);
}

TEST(HostCode, SaysWhatCannotBeLowered) {
  Session session(allDialects());
  auto module = parse(session, R"(
    func.func @f() {
      "acme.launch_rocket"() : () -> ()
      return
    })");
  EXPECT_NE(errorOf(compileMemRefsForHost(*module)).find("acme.launch_rocket"), std::string::npos);
}

TEST(HostProgram, ReductionsOfVectorsOfSeveralDimensionsAndMasks) {
  Session session(allDialects());
  auto module = parse(session, R"(
    func.func @f(%a: tensor<2x3xf32>, %n: index) -> (tensor<2xf32>, tensor<2xf32>) {
      %c0 = arith.constant 0 : index
      %c2 = arith.constant 2 : index
      %z = arith.constant 0.0 : f32
      %zeros = arith.constant dense<0.0> : vector<2xf32>
      %v = vector.transfer_read %a[%c0, %c0], %z {in_bounds = [true, true]} : tensor<2x3xf32>, vector<2x3xf32>
      %most = vector.multi_reduction <maximumf>, %v, %zeros [1] : vector<2x3xf32> to vector<2xf32>
      %mask = vector.create_mask %c2, %n : vector<2x3xi1>
      %part = vector.mask %mask { vector.multi_reduction <add>, %v, %zeros [1] : vector<2x3xf32> to vector<2xf32> } : vector<2x3xi1> -> vector<2xf32>
      %e = tensor.empty() : tensor<2xf32>
      %r = vector.transfer_write %most, %e[%c0] {in_bounds = [true]} : vector<2xf32>, tensor<2xf32>
      %s = vector.transfer_write %part, %e[%c0] {in_bounds = [true]} : vector<2xf32>, tensor<2xf32>
      return %r, %s : tensor<2xf32>, tensor<2xf32>
    })");
  ASSERT_TRUE(module);
  auto program = valueOf(HostProgram::compile(*module));
  ASSERT_TRUE(program);
  HostTensor two = valueOf(HostTensor::create(mlir::IndexType::get(&session.context())));
  two.setInteger(0, 2);
  auto results = valueOf(program->call("f", {floats(session.context(), {2, 3}, {1, 2, 4, 8, 16, 32}), two}));
  ASSERT_EQ(results.size(), 2u);
  EXPECT_EQ(results[0].as<float>().vec(), (std::vector<float>{4, 32}));
  EXPECT_EQ(results[1].as<float>().vec(), (std::vector<float>{3, 24}));
}

TEST(HostProgram, MatmulSoftmaxAndReturnedArguments) {
  Session session(allDialects());
  auto module = parse(session, R"(
    func.func @f(%a: tensor<2x3xf32>, %b: tensor<3x2xf32>) -> (tensor<2x2xf32>, tensor<2x3xf32>, tensor<2x3xf32>) {
      %zero = arith.constant 0.0 : f32
      %e = tensor.empty() : tensor<2x2xf32>
      %z = linalg.fill ins(%zero : f32) outs(%e : tensor<2x2xf32>) -> tensor<2x2xf32>
      %c = linalg.matmul ins(%a, %b : tensor<2x3xf32>, tensor<3x2xf32>) outs(%z : tensor<2x2xf32>) -> tensor<2x2xf32>
      %s = tensor.empty() : tensor<2x3xf32>
      %p = linalg.softmax dimension(1) ins(%a : tensor<2x3xf32>) outs(%s : tensor<2x3xf32>) -> tensor<2x3xf32>
      return %c, %p, %a : tensor<2x2xf32>, tensor<2x3xf32>, tensor<2x3xf32>
    })");
  auto program = valueOf(HostProgram::compile(*module));
  ASSERT_TRUE(program);
  auto &context = session.context();
  HostTensor a = floats(context, {2, 3}, {1, 2, 3, 4, 5, 6});
  HostTensor b = floats(context, {3, 2}, {1, 0, 0, 1, 1, 1});
  auto results = valueOf(program->call("f", {a, b}));
  ASSERT_EQ(results.size(), 3u);
  EXPECT_EQ(results[0].as<float>()[0], 4);
  EXPECT_EQ(results[0].as<float>()[3], 11);
  EXPECT_NEAR(results[1].as<float>()[2], 0.66524f, 1e-5);
  EXPECT_EQ(results[2].as<float>(), a.as<float>());
  EXPECT_NE(errorOf(program->call("f", {a, a})).find("argument 1 of @f is a tensor<3x2xf32>"), std::string::npos);
}

TEST(HostProgram, ArgumentsAreNotWrittenAndResultsOutliveTheProgram) {
  Session session(allDialects());
  auto module = parse(session, R"(
    func.func @bump(%a: tensor<?xf32>) -> (tensor<?xf32>, tensor<2xbf16>) {
      %one = arith.constant 1.0 : f32
      %c0 = arith.constant 0 : index
      %k = arith.constant dense<[1.5, 2.5]> : tensor<2xbf16>
      %r = tensor.insert %one into %a[%c0] : tensor<?xf32>
      return %r, %k : tensor<?xf32>, tensor<2xbf16>
    })");
  HostTensor a = floats(session.context(), {3}, {7, 8, 9});
  std::vector<HostTensor> results;
  {
    auto program = valueOf(HostProgram::compile(*module));
    ASSERT_TRUE(program);
    results = valueOf(program->call("bump", {a}));
  }
  ASSERT_EQ(results.size(), 2u);
  EXPECT_EQ(a.as<float>()[0], 7);
  EXPECT_EQ(results[0].as<float>()[0], 1);
  EXPECT_EQ(results[0].as<float>()[2], 9);
  EXPECT_EQ(results[1].floatAt(1), 2.5);
}

TEST(HostProgram, HalfPrecisionAndSmallIntegers) {
  Session session(allDialects());
  auto module = parse(session, R"(
    func.func @f(%h: tensor<4xf16>, %q: tensor<4xi4>) -> (tensor<4xf16>, tensor<4xf32>) {
      %t = math.tanh %h : tensor<4xf16>
      %e = tensor.empty() : tensor<4xf32>
      %w = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
        ins(%q : tensor<4xi4>) outs(%e : tensor<4xf32>) {
      ^bb0(%in: i4, %out: f32):
        %x = arith.extsi %in : i4 to i32
        %y = arith.sitofp %x : i32 to f32
        linalg.yield %y : f32
      } -> tensor<4xf32>
      return %t, %w : tensor<4xf16>, tensor<4xf32>
    })");
  auto program = valueOf(HostProgram::compile(*module));
  ASSERT_TRUE(program);
  auto &context = session.context();
  HostTensor h = valueOf(HostTensor::create(mlir::RankedTensorType::get({4}, mlir::Float16Type::get(&context))));
  HostTensor q = valueOf(HostTensor::create(mlir::RankedTensorType::get({4}, mlir::IntegerType::get(&context, 4))));
  for (int i = 0; i < 4; ++i) {
    h.setFloat(i, 0.25 * i);
    q.setInteger(i, i * 5 - 8);
  }
  auto results = valueOf(program->call("f", {h, q}));
  ASSERT_EQ(results.size(), 2u);
  EXPECT_NEAR(results[0].floatAt(2), 0.462, 1e-3);
  EXPECT_EQ(results[1].as<float>()[0], -8);
  EXPECT_EQ(results[1].as<float>()[3], 7);
}

/// What LLVM calls on processors without an instruction for it, beside APFloat, ties and their neighbours among the
/// values.
TEST(NarrowFloats, NarrowToBf16AsAPFloatDoes) {
  auto expected = [](double value) {
    llvm::APFloat number(value);
    bool inexact = false;
    number.convert(llvm::APFloat::BFloat(), llvm::APFloat::rmNearestTiesToEven, &inexact);
    return uint16_t(number.bitcastToAPInt().getZExtValue());
  };
  auto low = [](float value) { return uint16_t(llvm::bit_cast<uint32_t>(value)); };
  std::mt19937_64 random(5);
  for (int i = 0; i < 100000; ++i) {
    float single = llvm::bit_cast<float>(uint32_t(random()) & (i % 3 ? 0xffffffffu : 0xffff8000u)); // each third a tie
    if (std::isnan(single))
      continue;
    EXPECT_EQ(low(truncateToBf16(single)), expected(single)) << single;
    for (double value :
         {double(single), std::nextafter(double(single), INFINITY), std::nextafter(double(single), -INFINITY)})
      EXPECT_EQ(low(truncateWideToBf16(value)), expected(value)) << value;
  }
  EXPECT_EQ(low(truncateToBf16(INFINITY)), 0x7f80);
  EXPECT_EQ(low(truncateWideToBf16(-INFINITY)), 0xff80);
  EXPECT_GT(low(truncateWideToBf16(std::nan(""))) & 0x7fff, 0x7f80);
  EXPECT_EQ(low(truncateWideToBf16(1e300)), 0x7f80);
}

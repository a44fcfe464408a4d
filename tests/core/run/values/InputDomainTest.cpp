#include "core/run/values/InputDomain.h"
#include "core/registration/Registration.h"
#include "core/run/values/RandomInputs.h"
#include "mlir/IR/Builders.h"
#include "tests/core/run/RunTestSupport.h"
#include <cmath>
#include <gmock/gmock.h>
#include <set>

using namespace fuselage;
using namespace fuselage::test;
using namespace mlir;

/// What the function @f of a module is given with seed 1.
static std::vector<HostTensor> argumentsOf(Session &session, llvm::StringRef source) {
  auto module = parse(session, source);
  if (!module)
    return {};
  return valueOf(randomArguments(module->lookupSymbol<func::FuncOp>("f"), 1));
}

TEST(RandomInputs, DependOnSeedAndIndexAlone) {
  Session session(allDialects());
  Builder b(&session.context());
  Type type = RankedTensorType::get({1000}, b.getF32Type());
  HostTensor one = valueOf(randomTensor(type, 1, 0)), again = valueOf(randomTensor(type, 1, 0));
  EXPECT_EQ(one.as<float>(), again.as<float>());
  EXPECT_NE(one.as<float>(), valueOf(randomTensor(type, 2, 0)).as<float>());
  EXPECT_NE(one.as<float>(), valueOf(randomTensor(type, 1, 1)).as<float>());
  // Fixed for all platforms and versions.
  EXPECT_EQ(one.as<float>()[0], valueOf(randomTensor(b.getF32Type(), 1, 0)).floatAt(0));
}

TEST(RandomInputs, FloatsAreNormallyDistributed) {
  Session session(allDialects());
  Builder b(&session.context());
  for (Type element : {Type(b.getF32Type()), Type(b.getF64Type()), Type(b.getBF16Type()), Type(b.getF16Type())}) {
    HostTensor tensor = valueOf(randomTensor(RankedTensorType::get({20000}, element), 3, 0));
    double sum = 0, squares = 0;
    int within = 0;
    for (int64_t i = 0; i < 20000; ++i) {
      double value = tensor.floatAt(i);
      sum += value;
      squares += value * value;
      within += std::abs(value) < 1;
    }
    EXPECT_NEAR(sum / 20000, 0, 0.03);
    EXPECT_NEAR(squares / 20000, 1, 0.05);
    EXPECT_NEAR(within / 20000.0, 0.683, 0.02);
  }
}

TEST(RandomInputs, IntegersTakeTheWholeRangeWithItsEdges) {
  Session session(allDialects());
  Builder b(&session.context());
  auto range = [&](Type element) {
    HostTensor tensor = valueOf(randomTensor(RankedTensorType::get({4000}, element), 7, 0));
    std::set<int64_t> seen;
    for (int64_t i = 0; i < 4000; ++i)
      seen.insert(tensor.integerAt(i));
    for (int64_t edge : {0, 1})
      EXPECT_TRUE(seen.count(edge)) << textOf(element);
    return std::pair(*seen.begin(), *seen.rbegin());
  };
  using Range = std::pair<int64_t, int64_t>;
  EXPECT_EQ(range(b.getIntegerType(4)), Range(-8, 7));
  EXPECT_EQ(range(b.getIntegerType(8)), Range(-128, 127));
  EXPECT_EQ(range(b.getI1Type()), Range(0, 1));
  EXPECT_EQ(range(b.getI32Type()), Range(INT32_MIN, INT32_MAX));
  EXPECT_EQ(range(b.getI64Type()), Range(INT64_MIN, INT64_MAX));
  EXPECT_EQ(range(b.getIndexType()), Range(0, 7));
}

TEST(InputDomain, FloatsSuitTheFunctionsThatReadThem) {
  Session session(allDialects());
  auto arguments = argumentsOf(session, R"(
    #id = affine_map<(i) -> (i)>
    func.func @f(%a: tensor<500xf32>, %b: tensor<500xf32>, %c: tensor<500xf32>, %d: tensor<500xf32>) -> tensor<500xf32> {
      %e = tensor.empty() : tensor<500xf32>
      %0 = linalg.generic {indexing_maps = [#id, #id, #id, #id, #id], iterator_types = ["parallel"]}
        ins(%a, %b, %c, %d : tensor<500xf32>, tensor<500xf32>, tensor<500xf32>, tensor<500xf32>) outs(%e : tensor<500xf32>) {
      ^bb0(%w: f32, %x: f32, %y: f32, %z: f32, %o: f32):
        %s = math.sqrt %w : f32
        %t = arith.divf %s, %x : f32
        %u = math.acos %y : f32
        %v = arith.mulf %t, %u : f32
        %r = arith.addf %v, %z : f32
        linalg.yield %r : f32
      } -> tensor<500xf32>
      return %0 : tensor<500xf32>
    })");
  ASSERT_EQ(arguments.size(), 4u);
  bool negativeDivisor = false, negative = false;
  for (int i = 0; i < 500; ++i) {
    EXPECT_GT(arguments[0].as<float>()[i], 0);
    EXPECT_GE(std::abs(arguments[1].as<float>()[i]), 0.25);
    EXPECT_LE(std::abs(arguments[2].as<float>()[i]), 1);
    negativeDivisor |= arguments[1].as<float>()[i] < 0;
    negative |= arguments[3].as<float>()[i] < 0;
  }
  EXPECT_TRUE(negativeDivisor);
  EXPECT_TRUE(negative);
}

/// The arguments of a function on a and b whose elementwise payload, of %x and %y, gives %r.
static std::vector<HostTensor> argumentsOfPayload(Session &session, const std::string &payload) {
  return argumentsOf(session, R"(
    #id = affine_map<(i) -> (i)>
    func.func @f(%a: tensor<500xf32>, %b: tensor<500xf32>) -> tensor<500xf32> {
      %e = tensor.empty() : tensor<500xf32>
      %0 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
        ins(%a, %b : tensor<500xf32>, tensor<500xf32>) outs(%e : tensor<500xf32>) {
      ^bb0(%x: f32, %y: f32, %o: f32):
        %c = arith.constant 3.0 : f32
        )" + payload + R"(
        linalg.yield %r : f32
      } -> tensor<500xf32>
      return %0 : tensor<500xf32>
    })");
}

static bool anyNegative(const HostTensor &tensor) {
  return llvm::any_of(tensor.as<float>(), [](float number) { return number < 0; });
}

TEST(InputDomain, RootsOfWhatIsComputedWantPositiveArguments) {
  Session session(allDialects());
  struct {
    std::string payload;
    bool first, second; ///< may be negative
  } cases[] = {
      {"%p = arith.mulf %x, %y : f32\n%r = math.sqrt %p : f32", false, false},
      {"%p = arith.divf %x, %y : f32\n%q = arith.addf %p, %c : f32\n%r = math.log %q : f32", false, false},
      {"%p = arith.mulf %x, %x : f32\n%q = arith.addf %p, %y : f32\n%r = math.rsqrt %q : f32", true, false},
      {"%p = math.exp %x : f32\n%q = arith.addf %p, %c : f32\n%s = math.log %q : f32\n%r = arith.addf %s, %y : f32",
       true, true},
      {"%p = arith.subf %x, %y : f32\n%r = math.sqrt %p : f32", true, true},
      {"%p = arith.mulf %x, %y : f32\n%r = math.powf %p, %c : f32", true, true},
      {"%p = math.powf %x, %c : f32\n%r = arith.addf %p, %y : f32", true, true},
      {"%p = arith.addf %x, %c : f32\n%r = math.powf %p, %y : f32", false, true},
  };
  for (const auto &wanted : cases) {
    auto arguments = argumentsOfPayload(session, wanted.payload);
    ASSERT_EQ(arguments.size(), 2u);
    EXPECT_EQ(anyNegative(arguments[0]), wanted.first) << wanted.payload;
    EXPECT_EQ(anyNegative(arguments[1]), wanted.second) << wanted.payload;
  }
}

TEST(InputDomain, NormalizationsLeaveTheirInputAsItIs) {
  Session session(allDialects());
  auto arguments = argumentsOf(session, R"(
    #id = affine_map<(i, j) -> (i, j)>
    #row = affine_map<(i, j) -> (i)>
    func.func @f(%a: tensor<50x10xf32>) -> tensor<50x10xf32> {
      %zero = arith.constant 0.0 : f32
      %ten = arith.constant 10.0 : f32
      %eps = arith.constant 1.0e-5 : f32
      %e = tensor.empty() : tensor<50xf32>
      %z = linalg.fill ins(%zero : f32) outs(%e : tensor<50xf32>) -> tensor<50xf32>
      %n = tensor.empty() : tensor<50x10xf32>
      %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%a : tensor<50x10xf32>) outs(%z : tensor<50xf32>) {
      ^bb0(%x: f32, %o: f32):
        %s = arith.addf %x, %o : f32
        linalg.yield %s : f32
      } -> tensor<50xf32>
      %squares = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]} ins(%a, %sum : tensor<50x10xf32>, tensor<50xf32>) outs(%z : tensor<50xf32>) {
      ^bb0(%x: f32, %m: f32, %o: f32):
        %mean = arith.divf %m, %ten : f32
        %d = arith.subf %x, %mean : f32
        %q = arith.mulf %d, %d : f32
        %s = arith.addf %q, %o : f32
        linalg.yield %s : f32
      } -> tensor<50xf32>
      %r = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%a, %squares : tensor<50x10xf32>, tensor<50xf32>) outs(%n : tensor<50x10xf32>) {
      ^bb0(%x: f32, %v: f32, %o: f32):
        %w = arith.divf %v, %ten : f32
        %p = arith.addf %w, %eps : f32
        %q = math.rsqrt %p : f32
        %s = arith.mulf %x, %q : f32
        linalg.yield %s : f32
      } -> tensor<50x10xf32>
      return %r : tensor<50x10xf32>
    })");
  ASSERT_EQ(arguments.size(), 1u);
  EXPECT_TRUE(anyNegative(arguments[0]));
}

TEST(InputDomain, IndicesStayWithinWhatTheyIndex) {
  Session session(allDialects());
  // Through a slice, a cast and a payload; the table has 30 rows. %n is a size, %o an offset, %k a shift.
  auto arguments = argumentsOf(session, R"(
    #id = affine_map<(i) -> (i)>
    func.func @f(%t: tensor<30xf32>, %i: tensor<600xi64>, %n: index, %o: index, %k: tensor<100xi32>, %q: tensor<100xi32>) -> (tensor<500xf32>, tensor<?xf32>, tensor<4xf32>, tensor<100xi32>, tensor<100xi32>) {
      %e = tensor.empty() : tensor<500xf32>
      %s = tensor.extract_slice %i[0] [500] [1] : tensor<600xi64> to tensor<500xi64>
      %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%s : tensor<500xi64>) outs(%e : tensor<500xf32>) {
      ^bb0(%x: i64, %out: f32):
        %c30 = arith.constant 30 : i64
        %c0 = arith.constant 0 : i64
        %less = arith.cmpi slt, %x, %c0 : i64
        %wrapped = arith.addi %x, %c30 : i64
        %chosen = arith.select %less, %wrapped, %x : i64
        %row = arith.index_cast %chosen : i64 to index
        %v = tensor.extract %t[%row] : tensor<30xf32>
        linalg.yield %v : f32
      } -> tensor<500xf32>
      %d = tensor.empty(%n) : tensor<?xf32>
      %1 = tensor.insert_slice %t into %d[5] [30] [1] : tensor<30xf32> into tensor<?xf32>
      %2 = tensor.extract_slice %t[%o] [4] [2] : tensor<30xf32> to tensor<4xf32>
      %three = arith.constant dense<3> : tensor<100xi32>
      %3 = arith.shli %three, %k : tensor<100xi32>
      %4 = arith.remsi %three, %q : tensor<100xi32>
      return %0, %1, %2, %3, %4 : tensor<500xf32>, tensor<?xf32>, tensor<4xf32>, tensor<100xi32>, tensor<100xi32>
    })");
  ASSERT_EQ(arguments.size(), 6u);
  std::set<int64_t> rows;
  for (int64_t row : arguments[1].as<int64_t>())
    rows.insert(row);
  EXPECT_EQ(*rows.begin(), 0);
  EXPECT_EQ(*rows.rbegin(), 29);
  EXPECT_GE(arguments[2].integerAt(0), 35);
  EXPECT_LE(arguments[3].integerAt(0), 22);
  EXPECT_GE(arguments[3].integerAt(0), 0);
  bool negative = false;
  for (int i = 0; i < 100; ++i) {
    EXPECT_GE(arguments[4].as<int32_t>()[i], 0);
    EXPECT_LT(arguments[4].as<int32_t>()[i], 32);
    EXPECT_NE(arguments[5].as<int32_t>()[i], 0);
    EXPECT_NE(arguments[5].as<int32_t>()[i], -1);
    negative |= arguments[5].as<int32_t>()[i] < 0;
  }
  EXPECT_TRUE(negative);
}

TEST(InputDomain, WeightsKeepSumsNearOne) {
  Session session(allDialects());
  auto module = parse(session, R"(
    func.func @f(%a: tensor<4x100xf32>, %b: tensor<100x4xf32>, %c: tensor<4x4xf32>) -> tensor<4x4xf32> {
      %0 = linalg.matmul ins(%a, %b : tensor<4x100xf32>, tensor<100x4xf32>) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
      return %0 : tensor<4x4xf32>
    })");
  std::vector<InputDomain> domains = inputDomainsOf(module->lookupSymbol<func::FuncOp>("f"));
  EXPECT_EQ(domains[0].deviation, 1);
  EXPECT_NEAR(domains[1].deviation, 0.1, 1e-12);
  EXPECT_NE(domains[1].note.find("linalg.matmul"), std::string::npos) << domains[1].note;
  EXPECT_EQ(domains[2].deviation, 1);

  // Whatever the order of the operands, and where fusing has left a dispatch with a transposed copy.
  module = parse(session, R"(
    #a = affine_map<(i, j, k) -> (i, k)>
    #b = affine_map<(i, j, k) -> (k, j)>
    #c = affine_map<(i, j, k) -> (i, j)>
    func.func @f(%a: tensor<4x100xf32>, %b: tensor<4x100xf32>, %c: tensor<4x4xf32>) -> tensor<4x4xf32> {
      %e = tensor.empty() : tensor<100x4xf32>
      %t = linalg.transpose ins(%b : tensor<4x100xf32>) outs(%e : tensor<100x4xf32>) permutation = [1, 0]
      %0 = flow.dispatch.region -> (tensor<4x4xf32>) {
        %1 = linalg.generic {indexing_maps = [#b, #a, #c], iterator_types = ["parallel", "parallel", "reduction"]}
          ins(%t, %a : tensor<100x4xf32>, tensor<4x100xf32>) outs(%c : tensor<4x4xf32>) {
        ^bb0(%x: f32, %y: f32, %o: f32):
          %p = arith.mulf %y, %x : f32
          %s = arith.addf %o, %p : f32
          linalg.yield %s : f32
        } -> tensor<4x4xf32>
        flow.return %1 : tensor<4x4xf32>
      }
      return %0 : tensor<4x4xf32>
    })");
  domains = inputDomainsOf(module->lookupSymbol<func::FuncOp>("f"));
  EXPECT_EQ(domains[0].deviation, 1);
  EXPECT_NEAR(domains[1].deviation, 0.1, 1e-12);
}

TEST(InputDomain, MasksAreBetweenZeroAndOne) {
  Session session(allDialects());
  auto arguments = argumentsOf(session, R"(
    #id = affine_map<(i) -> (i)>
    func.func @f(%mask: tensor<256xf32>, %scores: tensor<256xf32>, %tokens: tensor<256xi64>)
        -> (tensor<256xf32>, tensor<256xf32>) {
      %lowest = arith.constant -3.40282347E+38 : f32
      %one = arith.constant 1.0 : f32
      %e = tensor.empty() : tensor<256xf32>
      %padding = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
          ins(%mask : tensor<256xf32>) outs(%e : tensor<256xf32>) {
      ^bb0(%m: f32, %o: f32):
        %p = arith.subf %one, %m : f32
        linalg.yield %p : f32
      } -> tensor<256xf32>
      %masked = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
          ins(%padding, %scores : tensor<256xf32>, tensor<256xf32>) outs(%e : tensor<256xf32>) {
      ^bb0(%p: f32, %s: f32, %o: f32):
        %w = arith.mulf %p, %lowest : f32
        %r = arith.addf %s, %w : f32
        linalg.yield %r : f32
      } -> tensor<256xf32>
      %penalties = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
          ins(%tokens : tensor<256xi64>) outs(%e : tensor<256xf32>) {
      ^bb0(%t: i64, %o: f32):
        %x = arith.sitofp %t : i64 to f32
        %p = arith.subf %one, %x : f32
        %w = arith.mulf %p, %lowest : f32
        linalg.yield %w : f32
      } -> tensor<256xf32>
      return %masked, %penalties : tensor<256xf32>, tensor<256xf32>
    })");
  ASSERT_EQ(arguments.size(), 3u);
  for (int64_t i = 0; i < 256; ++i)
    EXPECT_EQ(arguments[2].integerAt(i) & ~int64_t(1), 0);
  for (float value : arguments[0].as<float>()) {
    EXPECT_GE(value, 0);
    EXPECT_LE(value, 1);
  }
  EXPECT_TRUE(llvm::any_of(arguments[1].as<float>(), [](float value) { return value < 0; }));
}

/// The least, mean and greatest number, and the deviation.
struct Spread {
  double least, mean, most, deviation;
};
static Spread spreadOf(const HostTensor &tensor) {
  llvm::ArrayRef<float> numbers = tensor.as<float>();
  double sum = 0, squares = 0;
  for (float number : numbers)
    sum += number, squares += double(number) * number;
  double mean = sum / numbers.size();
  return {*llvm::min_element(numbers), mean, *llvm::max_element(numbers),
          std::sqrt(squares / numbers.size() - mean * mean)};
}

/// A linear layer and a batch normalization, as exporters write them: every weight is what it is used as.
TEST(InputDomains, ParametersAreWhatModelsStartWith) {
  Session session(allDialects());
  auto arguments = argumentsOf(session, R"(
    #rows = affine_map<(i, j) -> (i, j)>
    #columns = affine_map<(i, j) -> (j)>
    #id = affine_map<(i) -> (i)>
    func.func @f(%x: tensor<8x400xf32>, %w: tensor<400x400xf32> {fuselage.parameter = "w"},
                 %var: tensor<400xf32> {fuselage.parameter = "var"}, %gamma: tensor<400xf32> {fuselage.parameter = "gamma"},
                 %beta: tensor<400xf32> {fuselage.parameter = "beta"}, %table: tensor<50x400xf32> {fuselage.parameter = "table"})
        -> (tensor<8x400xf32>, tensor<50x400xf32>) {
      %zero = arith.constant 0.0 : f32
      %eps = arith.constant 1.0e-5 : f64
      %e = tensor.empty() : tensor<8x400xf32>
      %z = linalg.fill ins(%zero : f32) outs(%e : tensor<8x400xf32>) -> tensor<8x400xf32>
      %y = linalg.matmul ins(%x, %w : tensor<8x400xf32>, tensor<400x400xf32>) outs(%z : tensor<8x400xf32>) -> tensor<8x400xf32>
      %v = tensor.empty() : tensor<400xf32>
      %shifted = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%var : tensor<400xf32>) outs(%v : tensor<400xf32>) {
      ^bb0(%in: f32, %out: f32):
        %narrow = arith.truncf %eps : f64 to f32
        %s = arith.addf %in, %narrow : f32
        linalg.yield %s : f32
      } -> tensor<400xf32>
      %root = linalg.rsqrt ins(%shifted : tensor<400xf32>) outs(%v : tensor<400xf32>) -> tensor<400xf32>
      %r = linalg.generic {indexing_maps = [#rows, #columns, #columns, #columns, #rows], iterator_types = ["parallel", "parallel"]}
          ins(%y, %root, %gamma, %beta : tensor<8x400xf32>, tensor<400xf32>, tensor<400xf32>, tensor<400xf32>) outs(%e : tensor<8x400xf32>) {
      ^bb0(%a: f32, %b: f32, %c: f32, %d: f32, %out: f32):
        %0 = arith.mulf %a, %b : f32
        %1 = arith.mulf %0, %c : f32
        %2 = arith.addf %1, %d : f32
        linalg.yield %2 : f32
      } -> tensor<8x400xf32>
      return %r, %table : tensor<8x400xf32>, tensor<50x400xf32>
    })");
  ASSERT_EQ(arguments.size(), 6u);
  EXPECT_NEAR(spreadOf(arguments[0]).deviation, 1, 0.1) << "an input is no weight";
  EXPECT_NEAR(spreadOf(arguments[1]).deviation, 0.05, 0.005) << "1/sqrt(400) terms";
  EXPECT_GE(spreadOf(arguments[2]).least, 0.5) << "a variance";
  EXPECT_LE(spreadOf(arguments[2]).most, 1.5);
  EXPECT_NEAR(spreadOf(arguments[3]).mean, 1, 0.05) << "a scale";
  EXPECT_NEAR(spreadOf(arguments[3]).deviation, 0.1, 0.02);
  EXPECT_NEAR(spreadOf(arguments[4]).mean, 0, 0.05) << "a bias";
  EXPECT_NEAR(spreadOf(arguments[4]).deviation, 0.1, 0.02);
  EXPECT_NEAR(spreadOf(arguments[5]).deviation, 0.05, 0.005) << "a table of rows of 400";
}

TEST(InputDomains, WhatIsComparedWithZeroIsAMask) {
  Session session(allDialects());
  auto arguments = argumentsOf(session, R"(
    func.func @f(%mask: tensor<64xi64>, %ids: tensor<64xi64> {fuselage.bounds = array<i64: 3, 9>}) -> (tensor<64xi1>, tensor<64xi64>) {
      %zeros = arith.constant dense<0> : tensor<64xi64>
      %0 = arith.cmpi ne, %mask, %zeros : tensor<64xi64>
      return %0, %ids : tensor<64xi1>, tensor<64xi64>
    })");
  ASSERT_EQ(arguments.size(), 2u);
  std::set<int64_t> masks(arguments[0].as<int64_t>().begin(), arguments[0].as<int64_t>().end());
  EXPECT_EQ(masks, (std::set<int64_t>{0, 1}));
  for (int64_t id : arguments[1].as<int64_t>()) {
    EXPECT_GE(id, 3);
    EXPECT_LE(id, 9);
  }
}

TEST(InputDomains, PositionsCountUp) {
  Session session(allDialects());
  auto arguments = argumentsOf(session, R"(
    #r = affine_map<(b, s, d) -> (b, s)>
    #c = affine_map<(b, s, d) -> (d)>
    #i = affine_map<(b, s, d) -> (b, s, d)>
    #v = affine_map<(s, d) -> (s)>
    #w = affine_map<(s, d) -> (s, d)>
    func.func @f(%positions: tensor<2x5xi64>, %frequencies: tensor<3xf32>, %lone: tensor<i32>, %lengths: tensor<4xi32>, %any: tensor<64xi64>)
        -> (tensor<2x5x3xf32>, tensor<f32>, tensor<4x6xi1>, tensor<64xf32>) {
      %e = tensor.empty() : tensor<2x5x3xf32>
      %angles = linalg.generic {indexing_maps = [#r, #c, #i], iterator_types = ["parallel", "parallel", "parallel"]}
          ins(%positions, %frequencies : tensor<2x5xi64>, tensor<3xf32>) outs(%e : tensor<2x5x3xf32>) {
      ^bb0(%p: i64, %f: f32, %o: f32):
        %x = arith.sitofp %p : i64 to f32
        %y = arith.mulf %x, %f : f32
        linalg.yield %y : f32
      } -> tensor<2x5x3xf32>
      %cosines = math.cos %angles : tensor<2x5x3xf32>
      %float = arith.sitofp %lone : tensor<i32> to tensor<f32>
      %sine = math.sin %float : tensor<f32>
      %m = tensor.empty() : tensor<4x6xi1>
      %mask = linalg.generic {indexing_maps = [#v, #w], iterator_types = ["parallel", "parallel"]}
          ins(%lengths : tensor<4xi32>) outs(%m : tensor<4x6xi1>) {
      ^bb0(%l: i32, %o: i1):
        %d = linalg.index 1 : index
        %n = arith.index_cast %d : index to i32
        %b = arith.cmpi sge, %l, %n : i32
        linalg.yield %b : i1
      } -> tensor<4x6xi1>
      %floats = arith.sitofp %any : tensor<64xi64> to tensor<64xf32>
      return %cosines, %sine, %mask, %floats : tensor<2x5x3xf32>, tensor<f32>, tensor<4x6xi1>, tensor<64xf32>
    })");
  ASSERT_EQ(arguments.size(), 5u);
  EXPECT_THAT(arguments[0].as<int64_t>(), testing::ElementsAre(0, 1, 2, 3, 4, 0, 1, 2, 3, 4));
  EXPECT_GE(arguments[2].integerAt(0), 0);
  EXPECT_LT(arguments[2].integerAt(0), 16);
  EXPECT_THAT(arguments[3].as<int32_t>(), testing::ElementsAre(0, 1, 2, 3));
  // What is only converted may be anything.
  EXPECT_TRUE(llvm::any_of(arguments[4].as<int64_t>(), [](int64_t number) { return number < 0; }));
}

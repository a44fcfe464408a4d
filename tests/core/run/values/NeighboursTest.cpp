#include "core/run/values/Neighbours.h"
#include "core/registration/Registration.h"
#include "core/run/values/Compare.h"
#include "mlir/IR/Builders.h"
#include "tests/core/run/RunTestSupport.h"
#include <cmath>
#include <numeric>
#include <random>

using namespace fuselage;
using namespace fuselage::test;
using namespace mlir;

static HostTensor copyOf(const HostTensor &tensor) {
  HostTensor copy = valueOf(HostTensor::create(tensor.type()));
  std::copy_n(tensor.data(), tensor.byteCount(), copy.data());
  return copy;
}

static HostTensor moved(const HostTensor &tensor, uint64_t seed = 1) {
  HostTensor copy = copyOf(tensor);
  moveToNeighbours(copy.elementType(), copy.data(), copy.elementCount(), seed);
  return copy;
}

TEST(Neighbours, FloatsMoveByOneRoundingToEitherSide) {
  Session session(allDialects());
  std::vector<float> values(1000);
  for (size_t i = 0; i < values.size(); ++i)
    values[i] = (i % 2 ? -0.7f : 1.3f) * float(i + 1) / 1024;
  HostTensor before = floats(session.context(), {1000}, values), after = moved(before);
  int up = 0;
  for (auto [was, is] : llvm::zip_equal(before.as<float>(), after.as<float>())) {
    EXPECT_TRUE(is == std::nextafter(was, INFINITY) || is == std::nextafter(was, -INFINITY)) << was;
    up += is > was;
  }
  EXPECT_GT(up, 400);
  EXPECT_LT(up, 600);
  EXPECT_NE(moved(before, 2).as<float>(), after.as<float>());
}

TEST(Neighbours, WholeNumbersInfinitiesAndIntegersStay) {
  Session session(allDialects());
  HostTensor special = floats(session.context(), {6}, {0, -0.0f, 3, -1e20f, INFINITY, NAN});
  HostTensor after = moved(special);
  EXPECT_EQ(std::memcmp(special.data(), after.data(), special.byteCount()), 0);
  HostTensor integers =
      valueOf(HostTensor::create(RankedTensorType::get({4}, IntegerType::get(&session.context(), 32))));
  EXPECT_EQ(moved(integers).as<int32_t>(), integers.as<int32_t>());
}

TEST(Neighbours, NarrowAndWideFloatsMoveToo) {
  Session session(allDialects());
  Builder builder(&session.context());
  for (FloatType type :
       {FloatType(builder.getF16Type()), FloatType(builder.getBF16Type()), FloatType(builder.getF64Type())}) {
    HostTensor before = valueOf(HostTensor::create(RankedTensorType::get({64}, type)));
    for (int i = 0; i < 64; ++i)
      before.setFloat(i, 1.5 + i / 128.0);
    HostTensor after = moved(before);
    double ulp = std::ldexp(1.0, 1 - int(llvm::APFloat::semanticsPrecision(type.getFloatSemantics())));
    for (int i = 0; i < 63; ++i) // from 1.5 to below 2
      EXPECT_DOUBLE_EQ(std::abs(after.floatAt(i) - before.floatAt(i)), ulp) << i;
  }
}

TEST(Neighbours, SumsThatCancelTellTheSizeOfTheirTerms) {
  Session session(allDialects());
  constexpr int rows = 256, length = 512;
  std::mt19937 random(7);
  std::normal_distribution<float> normal;
  std::vector<float> terms(rows * length), sums(rows), otherSums(rows);
  for (int row = 0; row < rows; ++row) {
    float *first = &terms[row * length];
    std::generate_n(first, length, [&] { return normal(random); });
    double mean = std::accumulate(first, first + length, 0.0) / length;
    for (int i = 0; i < length; ++i)
      first[i] -= float(mean);
  }
  HostTensor inputs = floats(session.context(), {rows, length}, terms), others = moved(inputs);
  for (int row = 0; row < rows; ++row) {
    sums[row] = float(std::accumulate(&terms[row * length], &terms[row * length] + length, 0.0));
    otherSums[row] =
        float(std::accumulate(&others.as<float>()[row * length], &others.as<float>()[row * length] + length, 0.0));
  }
  HostTensor expected = floats(session.context(), {rows}, sums), other = floats(session.context(), {rows}, otherSums);
  double size = sizeOfTerms(expected, other, std::ldexp(1.0, -24));
  double root = std::sqrt(double(length)); // of the sum of the squares of the terms
  EXPECT_GT(size, 0.7 * root);
  EXPECT_LT(size, 2 * 1.3 * root);
  EXPECT_GT(size, 1e4 * std::abs(sums[0]));
}

TEST(Neighbours, FewJumpsTellNothing) {
  Session session(allDialects());
  HostTensor expected = floats(session.context(), {100}, std::vector<float>(100, 1)), other = copyOf(expected);
  for (int i = 0; i < 5; ++i)
    other.as<float>()[i] = 2;
  EXPECT_EQ(sizeOfTerms(expected, other, std::ldexp(1.0, -24)), 0);
  EXPECT_EQ(sizeOfTerms(expected, expected, std::ldexp(1.0, -24)), 0);
}

TEST(Neighbours, OnlyWhatIsCalledWrongIsComparedAgain) {
  Session session(allDialects());
  HostTensor expected = floats(session.context(), {64}, std::vector<float>(64, 1e-8f));
  HostTensor actual = floats(session.context(), {64}, std::vector<float>(64, 3e-8f));
  int asked = 0;
  auto compare = [&](const HostTensor &is, double terms) {
    return compareResults(is, expected, {{.relative = 1e-6, .ofTypical = 1e-6}},
                          [&] {
                            ++asked;
                            return OtherReference{.sizesOfTerms = {{.terms = terms}}};
                          })
        .front();
  };
  EXPECT_TRUE(compare(expected, 0).ok());
  EXPECT_EQ(asked, 0);
  EXPECT_EQ(compare(actual, 0).verdict, CheckVerdict::Wrong);
  EXPECT_EQ(compare(actual, 1e-3).verdict, CheckVerdict::Wrong);
  Comparison known = compare(actual, 1); // as large as what it is held to: neither wrong nor shown
  EXPECT_EQ(known.verdict, CheckVerdict::NotComparable);
  EXPECT_DOUBLE_EQ(known.tolerance.absolute, 1e-6);
  EXPECT_EQ(asked, 3);
}

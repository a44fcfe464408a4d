#include "core/run/values/Compare.h"
#include "core/registration/Registration.h"
#include "mlir/IR/Builders.h"
#include "tests/core/run/RunTestSupport.h"
#include <cmath>

using namespace fuselage;
using namespace fuselage::test;
using namespace mlir;

static const float nan32 = std::nanf(""), inf32 = INFINITY;

/// 1000 elements, mostly ones.
static HostTensor thousand(MLIRContext &context, float value, int count) {
  std::vector<float> values(1000, 1);
  std::fill_n(values.begin(), count, value);
  return floats(context, {1000}, values);
}

TEST(Compare, ErrorsCountByElement) {
  Session session(allDialects());
  auto &context = session.context();
  // One large element must not hide that a small one is off: only the typical size counts.
  HostTensor b = thousand(context, 1, 0), a = thousand(context, 1, 0);
  b.as<float>()[7] = 1000;
  a.as<float>()[7] = 1000;
  a.as<float>()[3] = 1.1f;
  Comparison result = compareTensors(a, b, {.relative = 1e-3, .ofTypical = 1e-3});
  EXPECT_EQ(result.verdict, CheckVerdict::Wrong);
  EXPECT_EQ(result.wrong, 1);
  EXPECT_EQ(result.worst, 3);
  EXPECT_NEAR(result.maxAbsError, 0.1, 1e-6);
  EXPECT_NE(result.why.find("1 of 1000 elements"), std::string::npos) << result.why;
  EXPECT_TRUE(compareTensors(a, b, {.relative = 1e-2, .ofTypical = 1e-2}).ok());
  EXPECT_TRUE(compareTensors(b, b, {}).ok());
  EXPECT_EQ(compareTensors(b, b, {}).worst, -1);
}

TEST(Compare, ToleranceIsRelativeAndOfTheTypicalSize) {
  Session session(allDialects());
  std::vector<float> values(100, 3);
  Tolerance tolerance =
      toleranceFor(floats(session.context(), {100}, values), {.relative = 1e-3, .ofTypical = 1e-3, .smallest = 1e-9});
  EXPECT_DOUBLE_EQ(tolerance.relative, 1e-3);
  EXPECT_NEAR(tolerance.absolute, 3e-3, 1e-8);
  // A single sum may be near 0 by chance.
  EXPECT_NEAR(toleranceFor(floats(session.context(), {1}, {3}), {.ofTypical = 1e-3}).absolute, 12e-3, 1e-8);
  EXPECT_EQ(toleranceFor(floats(session.context(), {1}, {0}), {.ofTypical = 1e-3, .smallest = 1e-9}).absolute, 1e-9);
}

TEST(Compare, AToleranceThatLetsZeroPassShowsNothing) {
  Session session(allDialects());
  auto &context = session.context();
  HostTensor ones = thousand(context, 1, 0), some = thousand(context, 0.1f, 251), few = thousand(context, 0.1f, 250);
  Comparison loose = compareTensors(ones, ones, {.relative = 0.5, .ofTypical = 0.5});
  EXPECT_EQ(loose.verdict, CheckVerdict::NotComparable);
  EXPECT_NE(loose.why.find("1000 of 1000 elements (100.0 %) could be 0 or twice as large"), std::string::npos)
      << loose.why;
  EXPECT_EQ(compareTensors(ones, ones, {.relative = 0.9}).verdict, CheckVerdict::Ok);
  EXPECT_EQ(compareTensors(some, some, {.ofTypical = 0.2}).verdict,
            CheckVerdict::NotComparable); // more than a quarter
  EXPECT_EQ(compareTensors(few, few, {.ofTypical = 0.2}).verdict, CheckVerdict::Ok);
  HostTensor zeros = thousand(context, 0, 1000);
  EXPECT_EQ(compareTensors(zeros, zeros, {.relative = 2, .ofTypical = 2}).verdict,
            CheckVerdict::Ok); // nothing else would pass
  EXPECT_EQ(compareTensors(ones, zeros, {.relative = 2, .ofTypical = 2}).verdict, CheckVerdict::Wrong);
}

TEST(Compare, WhatRoundingMovesIsMeasuredWhereTheBoundIsLoose) {
  Session session(allDialects());
  auto &context = session.context();
  HostTensor is = thousand(context, 1, 0), was = thousand(context, 1, 0);
  is.as<float>()[3] = 1.1f;
  auto verdict = [&](double terms, double moved) {
    return compareResults({is}, {was}, {{.relative = 0.6, .ofTypical = 0.6}},
                          [&] {
                            return OtherReference{.sizesOfTerms = {{terms, moved}}};
                          })
        .front();
  };
  EXPECT_EQ(verdict(1, 0).verdict, CheckVerdict::NotComparable); // nothing is known
  Comparison measured = verdict(1, 0.01);
  EXPECT_EQ(measured.verdict, CheckVerdict::Ok);
  EXPECT_NEAR(measured.tolerance.absolute, 0.08, 1e-6);
  EXPECT_EQ(verdict(1, 0.2).verdict, CheckVerdict::NotComparable); // as loose
  EXPECT_EQ(verdict(1, 0.001).verdict,
            CheckVerdict::NotComparable); // beyond what was measured, within what is possible
}

TEST(Compare, NotANumberAndInfinityMustAgree) {
  Session session(allDialects());
  auto &context = session.context();
  auto compare = [&](float a, float b) {
    return compareTensors(thousand(context, a, 5), thousand(context, b, 5), {.relative = 1e-4});
  };
  EXPECT_TRUE(compare(nan32, nan32).ok());
  EXPECT_TRUE(compare(-inf32, -inf32).ok());
  EXPECT_EQ(compare(nan32, nan32).nonfinite.actual, 5);
  for (auto [a, b] :
       {std::pair{inf32, -inf32}, {nan32, 1.f}, {1.f, nan32}, {1.f, inf32}, {inf32, 1.f}, {nan32, inf32}}) {
    Comparison result = compare(a, b);
    EXPECT_EQ(result.verdict, CheckVerdict::Wrong) << a << " " << b;
    EXPECT_EQ(result.nonfinite.differ, 5);
    EXPECT_EQ(result.maxAbsError, INFINITY);
  }
}

TEST(Compare, ManyNonFiniteElementsShowNothing) {
  Session session(allDialects());
  auto &context = session.context();
  auto verdict = [&](float value, int count, ErrorBound bound = {}) {
    HostTensor tensor = thousand(context, value, count);
    return compareTensors(tensor, tensor, bound).verdict;
  };
  EXPECT_EQ(verdict(nan32, 10), CheckVerdict::Ok); // 1 %
  EXPECT_EQ(verdict(nan32, 11), CheckVerdict::NotComparable);
  EXPECT_EQ(verdict(inf32, 990), CheckVerdict::Ok); // in the same places
  EXPECT_EQ(verdict(inf32, 991), CheckVerdict::NotComparable);
  EXPECT_EQ(verdict(nan32, 1000), CheckVerdict::NotComparable);
  // What the program masks with is meant; NaN never is.
  EXPECT_EQ(verdict(-inf32, 500, {.intended = {.infinities = true}}), CheckVerdict::Ok);
  EXPECT_EQ(verdict(nan32, 500, {.intended = {.infinities = true}}), CheckVerdict::NotComparable);
  EXPECT_EQ(verdict(nan32, 500, {.intended = {.nans = true}}), CheckVerdict::Ok);
  // NaN on one side is wrong, however many.
  EXPECT_EQ(compareTensors(thousand(context, nan32, 1000), thousand(context, 1, 0), {}).verdict, CheckVerdict::Wrong);
}

TEST(Compare, ResultsMayTakeDenormalNumbersForZero) {
  Session session(allDialects());
  auto &context = session.context();
  HostTensor kept = thousand(context, 3, 2), flushed = thousand(context, nan32, 2);
  auto verdict = [&](const HostTensor &actual) {
    return compareResults(actual, kept, {ErrorBound{.relative = 1e-6}},
                          [&] { return OtherReference{.sizesOfTerms = {TermSizes()}, .flushed = {flushed}}; })
        .front()
        .verdict;
  };
  EXPECT_EQ(verdict(kept), CheckVerdict::Ok);
  EXPECT_EQ(verdict(flushed), CheckVerdict::Ok);
  HostTensor mixed = thousand(context, nan32, 1);
  mixed.as<float>()[1] = 3;
  EXPECT_EQ(verdict(mixed), CheckVerdict::Ok);
  mixed.as<float>()[1] = 4;
  EXPECT_EQ(verdict(mixed), CheckVerdict::Wrong);
  EXPECT_EQ(verdict(thousand(context, nan32, 3)), CheckVerdict::Wrong);
}

TEST(Compare, IntegersAreExact) {
  Session session(allDialects());
  Builder b(&session.context());
  HostTensor x = valueOf(HostTensor::create(RankedTensorType::get({2}, b.getIntegerType(4))));
  HostTensor y = valueOf(HostTensor::create(x.type()));
  x.setInteger(1, -3);
  EXPECT_FALSE(compareTensors(x, y, {.relative = 1}).ok());
  EXPECT_EQ(compareTensors(x, y, {.relative = 1}).maxAbsError, 3);
  y.setInteger(1, -3);
  EXPECT_TRUE(compareTensors(x, y, {}).ok());
  // A double takes these for the same.
  HostTensor i = valueOf(HostTensor::create(RankedTensorType::get({2}, b.getI64Type())));
  HostTensor j = valueOf(HostTensor::create(i.type()));
  i.setInteger(1, (int64_t(1) << 62) + 1);
  j.setInteger(1, int64_t(1) << 62);
  Comparison result = compareTensors(i, j, {.relative = 1});
  EXPECT_EQ(result.verdict, CheckVerdict::Wrong);
  EXPECT_EQ(result.maxAbsError, 1);
  EXPECT_EQ(result.worst, 1);
  i.setInteger(1, INT64_MAX);
  j.setInteger(1, INT64_MIN);
  EXPECT_DOUBLE_EQ(compareTensors(i, j, {}).maxAbsError, std::ldexp(1.0, 64));
}

TEST(Compare, TypesMustAgree) {
  Session session(allDialects());
  Builder b(&session.context());
  HostTensor x = valueOf(HostTensor::create(RankedTensorType::get({2}, b.getI32Type())));
  Comparison result = compareTensors(x, floats(session.context(), {2}, {0, 0}), {.relative = 1});
  EXPECT_EQ(result.verdict, CheckVerdict::Wrong);
  EXPECT_NE(result.why.find("tensor<2xi32> instead of a tensor<2xf32>"), std::string::npos) << result.why;
}

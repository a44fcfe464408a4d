#include "core/tuning/space/Affine.h"
#include "core/tuning/space/Domain.h"
#include "gtest/gtest.h"
#include <random>

using namespace fuselage::tune;

TEST(Expression, DividesAsSmtLibDoes) {
  Expression e;
  int a = e.knob(0), b = e.knob(1);
  Expression quotient = e.part(e.make(ExprOp::Div, a, b)), rest = e.part(e.make(ExprOp::Mod, a, b));
  for (int64_t x = -7; x <= 7; ++x)
    for (int64_t y : {-3, -2, -1, 1, 2, 3}) {
      int64_t q = *quotient.evaluate({x, y}), r = *rest.evaluate({x, y});
      EXPECT_EQ(x, q * y + r);
      EXPECT_TRUE(r >= 0 && r < std::abs(y)) << x << " " << y;
    }
  EXPECT_EQ(quotient.evaluate({INT64_MIN, 2}), INT64_MIN / 2);
  EXPECT_EQ(quotient.evaluate({INT64_MIN, -1}), std::nullopt); // 2^63, which does not fit
  EXPECT_EQ(rest.evaluate({-1, INT64_MIN}), INT64_MAX);
  EXPECT_EQ(rest.evaluate({5, 0}), std::nullopt);
}

TEST(Expression, KnowsWhatDoesNotDependOnADivisionByZero) {
  Expression e;
  int a = e.knob(0), b = e.knob(1), zero = e.constant(0);
  int divides = e.make(ExprOp::Equal, e.make(ExprOp::Mod, a, b), zero), isZero = e.make(ExprOp::Equal, b, zero);
  Expression either = e.part(e.make(ExprOp::Or, isZero, divides)),
             implied = e.part(e.make(ExprOp::Implies, e.make(ExprOp::Not, isZero), divides));
  Expression both = e.part(e.make(ExprOp::And, e.make(ExprOp::Not, isZero), divides));
  EXPECT_TRUE(either.holds({8, 0}));
  EXPECT_TRUE(implied.holds({8, 0}));
  EXPECT_EQ(both.evaluate({8, 0}), 0);
  EXPECT_FALSE(e.part(divides).holds({8, 0}));
  EXPECT_TRUE(both.holds({8, 4}));
}

TEST(Expression, HasNoBounds) {
  Expression e;
  int product = e.knob(0);
  for (int i = 0; i < 4; ++i)
    product = e.make(ExprOp::Mul, product, e.knob(0));
  Expression isLarge = e.part(e.make(ExprOp::Less, e.constant(INT64_MAX), product));
  EXPECT_TRUE(isLarge.holds({1'000'000}));
  EXPECT_FALSE(isLarge.holds({1000}));
  Expression back = e.part(e.make(ExprOp::Mod, product, e.constant(7)));
  EXPECT_EQ(back.evaluate({1'000'000}), 1); // 10^30 = 1 mod 7
}

TEST(Expression, IsWrittenAsPeopleDo) {
  Expression e;
  int m = e.knob(0), n = e.knob(1);
  int sum = e.make(ExprOp::Add, m, n);
  int fits = e.make(ExprOp::AtMost, e.make(ExprOp::Mul, sum, e.constant(4)), e.constant(1024));
  int node =
      e.make(ExprOp::And, fits, e.make(ExprOp::Not, e.make(ExprOp::Equal, e.make(ExprOp::Mod, m, n), e.constant(0))));
  EXPECT_EQ(e.part(node).text([](unsigned knob) { return knob == 0 ? "m" : "n"; }),
            "(m + n) * 4 <= 1024 and not (m mod n = 0)");
}

TEST(Expression, IsALineWhereItIsOne) {
  Expression e;
  int m = e.knob(0), n = e.knob(1), k = e.knob(2);
  // (m * k + k * n) * 4 - 7, the footprint of two tiles
  int bytes = e.make(
      ExprOp::Sub,
      e.make(ExprOp::Mul, e.make(ExprOp::Add, e.make(ExprOp::Mul, m, k), e.make(ExprOp::Mul, k, n)), e.constant(4)),
      e.constant(7));
  auto line = lineIn(e, bytes, 2);
  ASSERT_TRUE(line);
  EXPECT_EQ(e.part(line->slope).evaluate({3, 5, 0}), 32);
  EXPECT_EQ(e.part(line->base).evaluate({3, 5, 0}), -7);
  EXPECT_FALSE(lineIn(e, e.make(ExprOp::Mul, k, k), 2));
  EXPECT_FALSE(lineIn(e, e.make(ExprOp::Div, k, m), 2));
}

TEST(Domain, IsAListOrEveryMultiple) {
  Domain list = Domain::of({16, 4, 16, 8});
  EXPECT_EQ(list.size(), 3u);
  EXPECT_EQ(list.at(0), 4);
  EXPECT_TRUE(list.contains(8));
  EXPECT_FALSE(list.contains(5));
  Domain multiples = Domain::multiples(-5, 10, 4);
  ASSERT_EQ(multiples.size(), 4u); // -4 0 4 8
  EXPECT_EQ(multiples.front(), -4);
  EXPECT_EQ(multiples.back(), 8);
  EXPECT_EQ(multiples.lowerBound(1), 2u);
  EXPECT_EQ(multiples.lowerBound(9), 4u);
  EXPECT_TRUE(Domain::multiples(5, 4).empty());
  EXPECT_TRUE(Domain::multiples(5, 6, 10).empty());
  EXPECT_EQ(Domain::multiples(INT64_MIN, INT64_MAX, 1).size(), UINT64_MAX); // as many as can be counted
}

#include "core/tuning/enumerate/Feasible.h"
#include "tests/core/tuning/enumerate/RandomSpace.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"
#include <set>

using namespace fuselage::test;
using namespace fuselage::tune;

namespace {

TEST(Feasible, ListsTheValuesOfAllPoints) {
  for (uint64_t seed = 0; seed < 500; ++seed) {
    Space space = RandomSpace(seed, false).make();
    std::vector<std::set<int64_t>> expected(space.knobs.size());
    for (const Point &point : allPoints(space))
      for (auto [values, value] : llvm::zip_equal(expected, point))
        values.insert(value);
    FeasibleValues found = feasibleValues(space);
    ASSERT_TRUE(found.isComplete);
    for (auto [knob, values] : llvm::enumerate(expected))
      EXPECT_EQ(found.byKnob[knob], std::vector<int64_t>(values.begin(), values.end()))
          << "seed " << seed << ", knob " << knob;
  }
}

/// Of what is too much to look at, values are found all over the domain, and each is in a point.
TEST(Feasible, SpreadsOverLargeDomains) {
  Space space;
  for (const char *name : {"a", "b", "c"})
    space.knobs.push_back({.name = name, .domain = Domain::multiples(1, 100'000)});
  Expression e;
  int sum = e.make(ExprOp::Add, e.knob(0), e.make(ExprOp::Add, e.knob(1), e.knob(2)));
  space.add(e, e.make(ExprOp::AtMost, sum, e.constant(150'000)), Origin::Schedule);
  FeasibleValues found = feasibleValues(space, /*steps=*/10'000);
  EXPECT_FALSE(found.isComplete);
  ASSERT_EQ(found.byKnob.size(), 3u);
  for (const std::vector<int64_t> &values : found.byKnob) {
    EXPECT_GT(values.size(), 20u);
    EXPECT_GT(values.back(), 90'000);
  }
}

TEST(Feasible, MovesAsFewOthersAsItCan) {
  unsigned moved = 0;
  for (uint64_t seed = 0; seed < 4000; ++seed) {
    Space space = RandomSpace(seed, false).make();
    std::vector<Point> points = allPoints(space);
    if (points.empty())
      continue;
    std::mt19937_64 random(seed);
    Point wanted = points[random() % points.size()];
    unsigned knob = random() % space.knobs.size();
    wanted[knob] = points[random() % points.size()][knob]; // a value that some point has
    std::optional<Point> found = nearestPoint(space, wanted, knob);
    ASSERT_TRUE(found) << "seed " << seed;
    ASSERT_TRUE(space.contains(*found)) << "seed " << seed;
    EXPECT_EQ((*found)[knob], wanted[knob]);
    auto different = [&](const Point &point) {
      size_t many = 0;
      for (auto [a, b] : llvm::zip_equal(point, wanted))
        many += a != b;
      return many;
    };
    size_t least = SIZE_MAX;
    for (const Point &point : points)
      if (point[knob] == wanted[knob])
        least = std::min(least, different(point));
    EXPECT_LE(different(*found), least < 3 ? least : space.knobs.size()) << "seed " << seed;
    moved += least > 0;
  }
  EXPECT_GT(moved, 50u); // or it says nothing
}

TEST(Feasible, SaysWhereNoPointHasTheValue) {
  Space space;
  space.knobs.push_back({.name = "a", .domain = Domain::of({1, 2, 3})});
  space.knobs.push_back({.name = "b", .domain = Domain::of({1, 2})});
  Expression e;
  space.add(e, e.make(ExprOp::AtMost, e.knob(0), e.knob(1)), Origin::Schedule);
  EXPECT_FALSE(nearestPoint(space, {3, 1}, 0));
  EXPECT_EQ(nearestPoint(space, {3, 1}), (Point{1, 1}));
  EXPECT_EQ(nearestPoint(space, {2, 1}, 0), (Point{2, 2}));
}

} // namespace

// What each strategy proposes, without anything that measures.
#include "core/tuning/search/Strategy.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"
#include <cmath>
#include <set>

using namespace fuselage::tune;

namespace {

class StrategyTest : public testing::Test {
protected:
  StrategyTest() {
    for (const char *name : {"x", "y"})
      space.knobs.push_back({.name = name, .domain = Domain::multiples(0, 9)});
    points = PointSet::of(space);
  }
  size_t at(int64_t x, int64_t y) const { return *points.find({x, y}); }
  int64_t distance(size_t a, size_t b) const {
    return std::abs(points[a][0] - points[b][0]) + std::abs(points[a][1] - points[b][1]);
  }
  Space space;
  PointSet points;
};

TEST_F(StrategyTest, NeighboursAreOneStepAway) {
  std::set<size_t> expected{at(1, 2), at(3, 2), at(2, 1), at(2, 3), at(1, 3), at(3, 1)};
  EXPECT_EQ(points.neighbours(at(2, 2)), std::vector<size_t>(expected.begin(), expected.end()))
      << "by one knob, or by two of which one goes up and one down";
  expected = {at(0, 1), at(1, 0)};
  EXPECT_EQ(points.neighbours(at(0, 0)), std::vector<size_t>(expected.begin(), expected.end()));
}

TEST_F(StrategyTest, NeighboursAreTheNextOnesThatThereAre) {
  PointSet some = PointSet::these(space, {{0, 0}, {4, 0}, {9, 0}, {0, 7}});
  EXPECT_EQ(some.neighbours(0), (std::vector<size_t>{1, 3}));
  EXPECT_EQ(some.neighbours(1), (std::vector<size_t>{0, 2, 3})) << "the last one by a step down and one up";
}

TEST_F(StrategyTest, ChoicesWithoutOrderAreAllNeighbours) {
  Space choice;
  choice.knobs.push_back({.name = "c", .domain = Domain::multiples(0, 3), .labels = {"a", "b", "c", "d"}});
  PointSet all = PointSet::of(choice);
  EXPECT_EQ(all.neighbours(0).size(), 3u);
}

TEST_F(StrategyTest, LocalGoesDownhill) {
  auto local = makeStrategy(points, {.kind = StrategyKind::Local});
  size_t start = at(8, 8), goal = at(2, 3);
  auto costOf = [&](size_t number) { return 1.0 + double(distance(number, goal)); };
  local->told(start, costOf(start));
  size_t best = start, tried = 0;
  while (best != goal && tried < points.size()) {
    auto next = local->next();
    ASSERT_TRUE(next);
    EXPECT_LE(distance(*next, best), 2) << "a neighbour of the best point so far";
    local->told(*next, costOf(*next));
    best = costOf(*next) < costOf(best) ? *next : best;
    ++tried;
  }
  EXPECT_EQ(best, goal);
  EXPECT_LT(tried, points.size() / 2);
}

TEST_F(StrategyTest, TheLastTrialsAreBesideTheBest) {
  for (StrategyKind kind : {StrategyKind::Local, StrategyKind::Model}) {
    constexpr size_t budget = 24; // a quarter of it is for the 6 neighbours
    auto strategy = makeStrategy(points, {.kind = kind, .budget = budget});
    std::set<size_t> tried;
    for (size_t i = 0; i + 6 < budget; ++i) {
      auto next = strategy->next();
      ASSERT_TRUE(next);
      tried.insert(*next);
      strategy->told(*next, 10); // all the same
    }
    std::optional<size_t> goal; // far from all of them
    for (size_t number = 0; number < points.size() && !goal; ++number) {
      std::vector<size_t> around = points.neighbours(number);
      if (around.size() == 6 && !tried.count(number) && llvm::none_of(around, [&](size_t n) { return tried.count(n); }))
        goal = number;
    }
    ASSERT_TRUE(goal);
    strategy->told(*goal, 1);
    for (unsigned i = 0; i < 5; ++i) {
      auto next = strategy->next();
      ASSERT_TRUE(next);
      EXPECT_TRUE(llvm::is_contained(points.neighbours(*goal), *next)) << nameOf(kind).str();
      strategy->told(*next, 10);
    }
  }
}

TEST_F(StrategyTest, TheModelGoesWhereFeaturesSayTheCostIsLow) {
  // Nothing in x or y tells which points are fast; the feature does.
  auto isFast = [](const Point &point) { return (point[0] * 7 + point[1] * 3) % 5 == 0; };
  StrategyOptions options{.kind = StrategyKind::Model, .features = [&](const Point &point) {
                            return std::vector<double>{isFast(point) ? 1.0 : 0.0};
                          }};
  auto fastOf = [&](const StrategyOptions &options) {
    auto strategy = makeStrategy(points, options);
    size_t fast = 0;
    for (size_t i = 0; i < 40; ++i) {
      size_t number = *strategy->next();
      strategy->told(number, isFast(points[number]) ? 1.0 : 10.0);
      fast += i >= 20 && isFast(points[number]);
    }
    return fast;
  };
  size_t all = 0;
  for (size_t number = 0; number < points.size(); ++number)
    all += isFast(points[number]);
  ASSERT_EQ(all, 20u);
  EXPECT_GE(fastOf(options), 9u);
  options.features = {};
  EXPECT_LT(fastOf(options), 9u) << "the feature says something that nothing else does";
}

TEST_F(StrategyTest, TheModelLeavesWhatFails) {
  auto strategy = makeStrategy(points, {.kind = StrategyKind::Model});
  size_t failed = 0;
  for (size_t i = 0; i < 60; ++i) {
    size_t number = *strategy->next();
    bool fails = points[number][0] >= 5;
    strategy->told(number, fails ? Cost() : Cost(10 + double(points[number][1])));
    failed += i >= 20 && fails;
  }
  EXPECT_LT(failed, 10u) << "half of the points do";
}

TEST_F(StrategyTest, WhatOthersMeasuredIsNotProposed) {
  for (StrategyKind kind : {StrategyKind::Exhaustive, StrategyKind::Random, StrategyKind::Local, StrategyKind::Model}) {
    auto strategy = makeStrategy(points, {.kind = kind});
    std::set<size_t> known;
    for (size_t number = 0; number < points.size(); number += 2) {
      strategy->told(number, 5);
      known.insert(number);
    }
    while (auto next = strategy->next()) {
      EXPECT_TRUE(known.insert(*next).second) << nameOf(kind).str();
      strategy->told(*next, 6);
    }
    EXPECT_EQ(known.size(), points.size()) << nameOf(kind).str();
  }
}

} // namespace

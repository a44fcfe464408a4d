#include "core/tuning/search/Tuner.h"
#include "core/tuning/enumerate/Enumerate.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"
#include <cmath>
#include <random>
#include <set>

using namespace fuselage;
using namespace fuselage::tune;

namespace {

/// Tiles with threads inside: sizes and who divides whom as a GPU's matmul has them.
Space tiles() {
  Space space;
  for (const char *name : {"m", "n", "k"})
    space.knobs.push_back({.name = name, .domain = Domain::of({4, 8, 16, 32, 64, 128})});
  for (const char *name : {"x", "y"})
    space.knobs.push_back({.name = name, .domain = Domain::of({1, 2, 4, 8, 16, 32})});
  Expression e;
  int m = e.knob(0), n = e.knob(1), k = e.knob(2), x = e.knob(3), y = e.knob(4), zero = e.constant(0);
  space.add(e, e.make(ExprOp::Equal, e.make(ExprOp::Mod, m, y), zero), Origin::Schedule);
  space.add(e, e.make(ExprOp::Equal, e.make(ExprOp::Mod, n, x), zero), Origin::Schedule);
  int footprint =
      e.make(ExprOp::Mul, e.constant(4), e.make(ExprOp::Add, e.make(ExprOp::Mul, m, k), e.make(ExprOp::Mul, k, n)));
  space.add(e, e.make(ExprOp::AtMost, footprint, e.constant(32768)), Origin::Device);
  return space;
}

/// A cost with a valley, a cliff and some noise that is the same each time.
double costAt(const Point &p) {
  double m = std::log2(p[0]), n = std::log2(p[1]), k = std::log2(p[2]), x = std::log2(p[3]), y = std::log2(p[4]);
  double cost = 100 + 9 * std::pow(m - 5, 2) + 7 * std::pow(n - 6, 2) + 3 * std::pow(k - 4, 2) +
                5 * std::pow(x + y - 6, 2) + 2 * std::pow(x - 4, 2);
  if (p[3] * p[4] > 256)
    cost *= 1.8;
  return cost * (1 + 0.02 * std::sin(static_cast<double>(p[0] * 7 + p[1] * 3 + p[2] * 11 + p[3] * 5 + p[4])));
}

Measurement ok(double us) { return {.status = TrialStatus::Ok, .microseconds = {us, us, us}}; }

class TunerTest : public testing::Test {
protected:
  TunerTest() : space(tiles()), points(PointSet::of(space)) {
    for (size_t i = 0; i < points.size(); ++i)
      optimum = std::min(optimum, costAt(points[i]));
  }
  Space space;
  PointSet points;
  double optimum = 1e30;
};

constexpr StrategyKind kAll[] = {StrategyKind::Exhaustive, StrategyKind::Random, StrategyKind::Local,
                                 StrategyKind::Model};

TEST_F(TunerTest, EachStrategyTriesEveryPointOnce) {
  Space small = space;
  Expression e;
  small.add(e, e.make(ExprOp::AtMost, e.make(ExprOp::Mul, e.knob(0), e.knob(1)), e.constant(64)), Origin::User);
  PointSet some = PointSet::of(small);
  ASSERT_GT(some.size(), 50u);
  for (StrategyKind kind : kAll) {
    std::set<Point> seen;
    Tuned tuned = tunePoints(some, {.strategy = {.kind = kind}, .trials = 100'000},
                             [&](const Point &point, const MeasurePlan &) -> llvm::Expected<Measurement> {
                               EXPECT_TRUE(small.contains(point));
                               EXPECT_TRUE(seen.insert(point).second)
                                   << nameOf(kind).str() << " tries " << small.textOf(point) << " again";
                               return ok(costAt(point));
                             });
    EXPECT_EQ(seen.size(), some.size()) << nameOf(kind).str();
    EXPECT_TRUE(tuned.isExhausted);
    double least = 1e30;
    for (const Point &point : seen)
      least = std::min(least, costAt(point));
    ASSERT_TRUE(tuned.best);
    EXPECT_EQ(costAt(*tuned.best), least) << nameOf(kind).str();
  }
}

TEST_F(TunerTest, PointsOverABoundComeLast) {
  Space small = space;
  Expression e;
  small.add(e, e.make(ExprOp::AtMost, e.make(ExprOp::Mul, e.knob(0), e.knob(1)), e.constant(64)), Origin::User);
  small.addBound(e, e.make(ExprOp::AtMost, e.knob(2), e.constant(16)), Origin::Device, {}, "k is small");
  PointSet some = PointSet::of(small);
  for (StrategyKind kind : kAll) {
    bool isOver = false;
    size_t within = 0, over = 0;
    tunePoints(some, {.strategy = {.kind = kind}, .trials = 100'000},
               [&](const Point &point, const MeasurePlan &) -> llvm::Expected<Measurement> {
                 isOver |= !small.over(point).empty();
                 ++(small.over(point).empty() ? within : over);
                 EXPECT_EQ(isOver, point[2] > 16) << nameOf(kind).str() << ": " << small.textOf(point);
                 return ok(costAt(point));
               });
    EXPECT_GT(within, 10u);
    EXPECT_EQ(within + over, some.size()) << nameOf(kind).str();
  }
  EXPECT_EQ(small.over({4, 4, 32, 1, 1}), std::vector<std::string>{"k is small"});
  EXPECT_TRUE(small.contains({4, 4, 32, 1, 1}));
}

TEST_F(TunerTest, WhatIsGivenBackComesNext) {
  TunerOptions options{.trials = 2};
  PointTuner tuner(points, options);
  std::optional<size_t> first = tuner.next();
  ASSERT_TRUE(first);
  tuner.giveBack(*first);
  EXPECT_FALSE(tuner.isOver());
  EXPECT_EQ(tuner.next(), first);
  EXPECT_NE(tuner.next(), first);
  EXPECT_TRUE(tuner.isOver());
  EXPECT_FALSE(tuner.next());
}

TEST_F(TunerTest, FindsGoodPointsSoon) {
  // At most 5 % of the points, within 5 % of the optimum, in the median of some seeds.
  for (StrategyKind kind : {StrategyKind::Local, StrategyKind::Model}) {
    std::vector<double> found;
    for (uint64_t seed = 0; seed < 5; ++seed) {
      Tuned tuned = tunePoints(
          points, {.strategy = {.kind = kind, .seed = seed}, .trials = points.size() / 20},
          [&](const Point &point, const MeasurePlan &) -> llvm::Expected<Measurement> { return ok(costAt(point)); });
      ASSERT_TRUE(tuned.best);
      found.push_back(optimum / costAt(*tuned.best));
    }
    llvm::sort(found);
    EXPECT_GT(found[2], 0.95) << nameOf(kind).str();
  }
}

TEST_F(TunerTest, NeverPicksWhatDidNotRunOrIsWrong) {
  std::mt19937_64 random(7);
  Tuned tuned =
      tunePoints(points, {.strategy = {.kind = StrategyKind::Model}, .trials = 80},
                 [&](const Point &point, const MeasurePlan &) -> llvm::Expected<Measurement> {
                   constexpr TrialStatus bad[] = {TrialStatus::Wrong, TrialStatus::Crashed, TrialStatus::Hung,
                                                  TrialStatus::Failed, TrialStatus::CutShort};
                   if (costAt(point) < 1.3 * optimum || random() % 3 == 0)
                     return Measurement{.status = bad[random() % 5], .why = "it is bad", .microseconds = {0.001}};
                   return ok(costAt(point));
                 });
  ASSERT_TRUE(tuned.best);
  EXPECT_EQ(tuned.measured.status, TrialStatus::Ok);
  EXPECT_GE(costAt(*tuned.best), 1.3 * optimum);
  EXPECT_EQ(tuned.trials.size(), 80u);
}

TEST_F(TunerTest, MeasuresOneKernelOnce) {
  size_t ran = 0;
  Tuned tuned = tunePoints(points, {.strategy = {.kind = StrategyKind::Random}, .trials = 200},
                           [&](const Point &point, const MeasurePlan &plan) -> llvm::Expected<Measurement> {
                             std::string kernel = std::to_string(point[0]); // the other knobs make no difference
                             if (plan.known.count(kernel))
                               return Measurement{.status = TrialStatus::Duplicate, .kernel = kernel};
                             ++ran;
                             Measurement measured = ok(static_cast<double>(point[0]));
                             measured.kernel = kernel;
                             return measured;
                           });
  EXPECT_EQ(ran, 6u);
  ASSERT_TRUE(tuned.best);
  EXPECT_EQ((*tuned.best)[0], 4);
  ASSERT_FALSE(tuned.trials.empty());
  for (const auto &[point, measured] : tuned.trials)
    EXPECT_EQ(measured.microseconds.front(), static_cast<double>(point[0]));
}

TEST_F(TunerTest, StartsWithWhatIsKnown) {
  std::vector<Point> seen;
  Point first = points[17], known = points[5];
  auto measure = [&](const Point &point, const MeasurePlan &) -> llvm::Expected<Measurement> {
    return seen.push_back(point), ok(costAt(point));
  };
  Tuned tuned = tunePoints(points, {.strategy = {.kind = StrategyKind::Random}, .trials = 30, .first = {known, first}},
                           measure, {{known, ok(0.5)}});
  ASSERT_EQ(seen.size(), 30u);
  EXPECT_EQ(seen.front(), first);
  EXPECT_FALSE(llvm::is_contained(seen, known));
  EXPECT_EQ(tuned.reused, 1u);
  EXPECT_EQ(tuned.best, known);
}

TEST_F(TunerTest, GivesTheSameForTheSameSeed) {
  for (StrategyKind kind : kAll) {
    auto order = [&](uint64_t seed) {
      std::vector<Point> seen;
      tunePoints(points, {.strategy = {.kind = kind, .seed = seed}, .trials = 40},
                 [&](const Point &point, const MeasurePlan &) -> llvm::Expected<Measurement> {
                   return seen.push_back(point), ok(costAt(point));
                 });
      return seen;
    };
    EXPECT_EQ(order(3), order(3));
    EXPECT_EQ(order(3) == order(4), kind == StrategyKind::Exhaustive);
  }
}

TEST_F(TunerTest, TakesAnswersInAnyOrder) {
  for (StrategyKind kind : kAll) {
    std::mt19937_64 random(3);
    TunerOptions options{.strategy = {.kind = kind}, .trials = 120, .first = {points[9]}};
    PointTuner tuner(points, options);
    std::vector<size_t> underWay;
    std::set<size_t> asked;
    while (true) {
      std::optional<size_t> number = underWay.size() < 5 ? tuner.next() : std::nullopt;
      if (number) {
        EXPECT_TRUE(asked.insert(*number).second) << nameOf(kind).str() << " asks twice";
        underWay.push_back(*number);
        continue;
      }
      if (underWay.empty())
        break;
      auto some = underWay.begin() + static_cast<ptrdiff_t>(random() % underWay.size());
      tuner.told(*some, ok(costAt(points[*some])));
      underWay.erase(some);
    }
    EXPECT_EQ(tuner.tuned().trials.size(), 120u) << nameOf(kind).str();
    double least = 1e30;
    for (size_t number : asked)
      least = std::min(least, costAt(points[number]));
    ASSERT_TRUE(tuner.tuned().best);
    EXPECT_EQ(costAt(*tuner.tuned().best), least);
  }
}

TEST_F(TunerTest, CountsWhatOthersMeasuredTogether) {
  TunerOptions options{.strategy = {.kind = StrategyKind::Random}, .trials = 10, .countsKnown = true};
  PointTuner tuner(points, options);
  for (unsigned i = 0; i < 4; ++i)
    tuner.know({{points[i], ok(costAt(points[i]))}});
  auto left = tuner.next();
  ASSERT_TRUE(left);
  tuner.leave(*left); // to somebody else, who tells
  tuner.know({{points[*left], ok(0.5)}});
  unsigned mine = 0;
  while (auto number = tuner.next()) {
    tuner.told(*number, ok(costAt(points[*number])));
    ++mine;
  }
  EXPECT_EQ(mine, 5u);
  EXPECT_EQ(tuner.tuned().reused, 5u);
  EXPECT_EQ(tuner.tuned().best, points[*left]);
}

TEST_F(TunerTest, AsksAgainForWhatOthersDoNotTell) {
  for (StrategyKind kind : kAll) {
    TunerOptions options{.strategy = {.kind = kind}, .trials = 100'000};
    PointTuner tuner(points, options);
    size_t gone = *tuner.next(), told = *tuner.next();
    tuner.putOff(gone);
    tuner.putOff(told);
    tuner.know({{points[told], ok(costAt(points[told]))}});
    std::vector<size_t> order;
    while (auto number = tuner.next()) {
      EXPECT_FALSE(tuner.tuned().isExhausted);
      order.push_back(*number);
      tuner.told(*number, ok(costAt(points[*number])));
    }
    EXPECT_EQ(order.size(), points.size() - 1) << nameOf(kind).str();
    EXPECT_EQ(order.back(), gone) << nameOf(kind).str();
    EXPECT_FALSE(tuner.hasPutOff());
    EXPECT_TRUE(tuner.tuned().isExhausted);
  }
}

TEST_F(TunerTest, IsNotExhaustedWithoutAPoint) {
  TunerOptions options{.strategy = {.kind = StrategyKind::Exhaustive}, .trials = 100'000};
  PointTuner tuner(points, options);
  size_t left = *tuner.next();
  tuner.leave(left); // and nobody tells
  while (auto number = tuner.next())
    tuner.told(*number, ok(costAt(points[*number])));
  EXPECT_FALSE(tuner.tuned().isExhausted);
  EXPECT_FALSE(tuner.tuned().isDone[left]);
  EXPECT_EQ(llvm::count(tuner.tuned().isDone, true), static_cast<ptrdiff_t>(points.size() - 1));
}

TEST_F(TunerTest, EndsWithWhoMeasures) {
  unsigned calls = 0;
  Tuned tuned =
      tunePoints(points, {.trials = 100}, [&](const Point &point, const MeasurePlan &) -> llvm::Expected<Measurement> {
        if (++calls == 5)
          return fail("the device is gone");
        return ok(costAt(point));
      });
  EXPECT_EQ(calls, 5u);
  EXPECT_EQ(tuned.trials.size(), 4u);
  EXPECT_EQ(tuned.stopped, "the device is gone");
}

TEST(PointSet, SamplesWhatIsTooLarge) {
  Space space;
  space.knobs.push_back({.name = "x", .domain = Domain::multiples(1, 1'000'000'000'000)});
  space.knobs.push_back({.name = "y", .domain = Domain::multiples(1, 1'000'000'000'000)});
  Expression e;
  space.add(e, e.make(ExprOp::AtMost, e.knob(0), e.knob(1)), Origin::Schedule);
  PointSet points = PointSet::of(space, 100, 1, {{5, 7}});
  EXPECT_FALSE(points.isComplete());
  EXPECT_GT(points.size(), 50u);
  EXPECT_LE(points.size(), 101u);
  EXPECT_TRUE(points.find({5, 7}));
  for (size_t i = 0; i < points.size(); ++i)
    EXPECT_TRUE(space.contains(points[i]));
}

TEST(Cost, IsByTheBaselineBesideIt) {
  Measurement busy{.status = TrialStatus::Ok, .microseconds = {30, 33, 36}, .baseline = {60, 66, 72}};
  Measurement idle{.status = TrialStatus::Ok, .microseconds = {10, 11, 12}, .baseline = {10, 11, 12}};
  EXPECT_EQ(costOf(busy, Objective::Median), 0.5);
  EXPECT_EQ(costOf(busy, Objective::Min), 0.5);
  EXPECT_EQ(costOf(idle, Objective::Median), 1);
  EXPECT_EQ(costOf(ok(7), Objective::Median), 7);
  busy.status = TrialStatus::Wrong;
  EXPECT_EQ(costOf(busy, Objective::Median), std::nullopt);
}

TEST(Speedup, FindsNoneBetweenAKernelAndItself) {
  // Launches by turns, on a machine that gets slower meanwhile, and with what now and then comes between.
  unsigned claimed = 0, off = 0;
  for (uint64_t seed = 1; seed <= 200; ++seed) {
    std::mt19937_64 random(seed);
    std::lognormal_distribution<double> noise(0, 0.02);
    std::vector<double> one, other;
    for (unsigned round = 0; round < 40; ++round) {
      double now = 100 * (1 + 0.01 * round);
      for (std::vector<double> *each : {&one, &other})
        each->push_back(now * noise(random) * (random() % 20 == 0 ? 3 : 1));
    }
    Speedup speedup = speedupOf(one, other);
    claimed += speedup.isKnown();
    off += std::abs(speedup.ratio - 1) > 0.02;
  }
  EXPECT_EQ(claimed, 0u);
  EXPECT_LE(off, 4u);
}

TEST(Cost, ABaselineThatWasDisturbedIsNoMerit) {
  Measurement lucky = ok(90);
  lucky.microseconds = {90, 95, 100};
  lucky.baseline = {400, 410, 100};
  EXPECT_LT(*costOf(lucky, Objective::Median), 0.25);
  EXPECT_EQ(costOf(lucky, Objective::Median, 100), 0.9);
  EXPECT_EQ(costOf(lucky, Objective::Min, 100), 0.9);
  // Both were disturbed: the ratio is what it counts as.
  lucky.microseconds = {380, 390, 400};
  lucky.baseline = {400, 400, 400};
  EXPECT_EQ(costOf(lucky, Objective::Median, 400), 0.975);
}

TEST_F(TunerTest, ALuckyPointIsNotTheBest) {
  // Every tenth time the baseline takes four times as long as the point before it needs.
  size_t asked = 0;
  TunerOptions options{.strategy = {.kind = StrategyKind::Random}, .trials = points.size()};
  Tuned tuned =
      tunePoints(points, options, [&](const Point &point, const MeasurePlan &plan) -> llvm::Expected<Measurement> {
        Measurement measured{.status = TrialStatus::Ok,
                             .microseconds = std::vector<double>(5, costAt(point)),
                             .baseline = std::vector<double>(5, 100)};
        if (++asked % 10 == 0)
          measured.baseline = {400, 400, 400, 100, 100};
        EXPECT_LE(plan.confirmBelow, plan.cutAbove);
        return measured;
      });
  ASSERT_TRUE(tuned.best);
  EXPECT_EQ(costAt(*tuned.best), optimum);
}

TEST(Speedup, KnowsNoiseFromADifference) {
  std::mt19937_64 random(5);
  std::normal_distribution<double> noise(1, 0.03);
  auto sample = [&](double us) {
    std::vector<double> all;
    for (unsigned i = 0; i < 20; ++i)
      all.push_back(us * noise(random));
    return all;
  };
  unsigned claimed = 0;
  for (unsigned i = 0; i < 200; ++i)
    claimed += speedupOf(sample(10), sample(10)).isKnown();
  EXPECT_LE(claimed, 10u); // less than 5 % by chance, as 2 % are no difference
  Speedup faster = speedupOf(sample(8), sample(10));
  EXPECT_TRUE(faster.isKnown());
  EXPECT_NEAR(faster.ratio, 1.25, 0.05);
  EXPECT_FALSE(speedupOf({1, 1}, {9, 9}).isKnown()); // too few to say
}

} // namespace

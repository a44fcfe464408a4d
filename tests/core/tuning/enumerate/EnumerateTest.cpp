#include "core/tuning/enumerate/Enumerate.h"
#include "core/tuning/enumerate/Clash.h"
#include "core/tuning/enumerate/Count.h"
#include "tests/core/tuning/enumerate/RandomSpace.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"
#include <set>

using namespace fuselage::test;
using namespace fuselage::tune;

namespace {

std::vector<Point> enumerated(const Space &space) {
  std::vector<Point> points;
  forEachPoint(space, planLoops(space), [&](const Point &point) { return points.push_back(point), true; });
  return points;
}

std::string textOf(const Space &space) {
  std::string text;
  for (const Condition &condition : space.conditions)
    text += condition.text + "\n";
  return text;
}

TEST(Enumerate, FindsWhatTryingEverythingFinds) {
  unsigned withPoints = 0, without = 0;
  for (uint64_t seed = 0; seed < 1000; ++seed) {
    Space space = RandomSpace(seed, false).make();
    std::vector<Point> expected = allPoints(space), found = enumerated(space);
    llvm::sort(found);
    llvm::sort(expected);
    ASSERT_EQ(found, expected) << "seed " << seed << "\n" << textOf(space);
    PointCount count = countPoints(space, planLoops(space));
    EXPECT_TRUE(count.isExact);
    EXPECT_EQ(count.points, expected.size()) << "seed " << seed;
    (expected.empty() ? without : withPoints) += 1;
    std::mt19937_64 random(seed);
    std::optional<Point> any = randomPoint(space, planLoops(space), random);
    ASSERT_EQ(any.has_value(), !expected.empty()) << "seed " << seed;
    EXPECT_TRUE(!any || space.contains(*any));
  }
  EXPECT_GT(withPoints, 300u); // or the systems say nothing
  EXPECT_GT(without, 100u);
}

TEST(Enumerate, NamesAMinimalSetThatClashes) {
  unsigned clashes = 0;
  for (uint64_t seed = 0; seed < 1000; ++seed) {
    Space space = RandomSpace(seed, false).make();
    std::optional<Clash> clash = findClash(space);
    ASSERT_EQ(clash.has_value(), allPoints(space).empty()) << "seed " << seed;
    if (!clash || clash->emptyKnob)
      continue;
    ++clashes;
    auto pointsWith = [&](llvm::ArrayRef<unsigned> conditions) {
      Space some{.knobs = space.knobs, .conditions = {}};
      for (unsigned condition : conditions)
        some.conditions.push_back(space.conditions[condition]);
      return allPoints(some).size();
    };
    EXPECT_EQ(pointsWith(clash->conditions), 0u) << "seed " << seed;
    for (unsigned left : clash->conditions) {
      std::vector<unsigned> others = clash->conditions;
      llvm::erase(others, left);
      EXPECT_GT(pointsWith(others), 0u) << "seed " << seed << ": " << space.conditions[left].text << " is superfluous";
    }
  }
  EXPECT_GT(clashes, 100u);
}

/// Tiles of a matmul of 4096 in each direction, one inside of the other.
Space tiles(int64_t size) {
  Space space;
  for (const char *name : {"m", "n", "k", "tm", "tn"})
    space.knobs.push_back({.name = name, .domain = Domain::multiples(1, size)});
  Expression e;
  auto divides = [&](int whole, int part) {
    return e.make(ExprOp::Equal, e.make(ExprOp::Mod, whole, part), e.constant(0));
  };
  int m = e.knob(0), n = e.knob(1), k = e.knob(2), tm = e.knob(3), tn = e.knob(4);
  for (int outer : {m, n, k})
    space.add(e, divides(e.constant(size), outer), Origin::Op);
  space.add(e, divides(m, tm), Origin::Schedule);
  space.add(e, divides(n, tn), Origin::Schedule);
  int footprint =
      e.make(ExprOp::Mul, e.constant(4), e.make(ExprOp::Add, e.make(ExprOp::Mul, m, k), e.make(ExprOp::Mul, k, n)));
  space.add(e, e.make(ExprOp::AtMost, footprint, e.constant(49152)), Origin::Device);
  return space;
}

TEST(Enumerate, GeneratesDivisorsInsteadOfTestingValues) {
  Space space = tiles(1 << 20);
  uint64_t budget = 1'000'000, points = 0;
  // 2^20 values for each of five knobs: only divisors and bounds can get through these.
  for (const Point &point : enumerated(space))
    points += space.contains(point);
  PointCount count = countPoints(space, planLoops(space), {.steps = budget});
  EXPECT_TRUE(count.isExact);
  EXPECT_EQ(count.points, points);
  EXPECT_GT(points, 1000u);
}

TEST(Count, MultipliesWhatIsNotRelated) {
  Space space;
  Expression e;
  for (unsigned pair = 0; pair < 4; ++pair) {
    space.knobs.push_back({.name = "a" + std::to_string(pair), .domain = Domain::multiples(1, 1000)});
    space.knobs.push_back({.name = "b" + std::to_string(pair), .domain = Domain::multiples(1, 1000)});
    space.add(e, e.make(ExprOp::AtMost, e.knob(2 * pair), e.knob(2 * pair + 1)), Origin::Schedule);
  }
  PointCount count = countPoints(space, planLoops(space));
  EXPECT_TRUE(count.isExact);
  EXPECT_EQ(count.points, 500500.0 * 500500.0 * 500500.0 * 500500.0);
}

TEST(Count, EstimatesWhatIsLargeAndSaysSo) {
  Space space = tiles(60);
  PointCount exact = countPoints(space, planLoops(space));
  ASSERT_TRUE(exact.isExact);
  PointCount about = countPoints(space, planLoops(space), {.exactUpTo = 100, .probes = 1000});
  EXPECT_FALSE(about.isExact);
  EXPECT_GT(about.error, 0);
  EXPECT_LT(std::abs(about.points - exact.points), 5 * about.error);
  EXPECT_EQ(about.text().substr(0, 6), "about ");
  // One knob of 10^15 values, of which a test, no generator, leaves about a half.
  Space large;
  large.knobs.push_back({.name = "x", .domain = Domain::multiples(1, 1'000'000'000'000'000)});
  Expression e;
  large.add(e,
            e.make(ExprOp::AtMost, e.make(ExprOp::Mod, e.make(ExprOp::Mul, e.knob(0), e.knob(0)), e.constant(3)),
                   e.constant(0)),
            Origin::Schedule);
  PointCount third = countPoints(large, planLoops(large), {.steps = 1000, .probes = 200});
  EXPECT_FALSE(third.isExact);
  EXPECT_NEAR(third.points / 1e15, 1.0 / 3, 0.02);
}

TEST(Clash, SaysWhatDoesNotGoTogether) {
  Space space;
  for (const char *name : {"rows", "columns"})
    space.knobs.push_back({.name = name, .domain = Domain::of({8, 16, 32})});
  Expression e;
  int threads = e.make(ExprOp::Mul, e.knob(0), e.knob(1));
  space.add(e, e.make(ExprOp::AtMost, e.knob(0), e.constant(32)), Origin::Op);
  space.add(e, e.make(ExprOp::AtMost, threads, e.constant(200)), Origin::Device);
  space.add(e, e.make(ExprOp::AtMost, e.constant(16), e.knob(0)), Origin::Schedule,
            {.file = "s.mlir", .line = 4, .column = 1});
  space.add(e, e.make(ExprOp::AtMost, e.constant(16), e.knob(1)), Origin::User);
  std::optional<Clash> clash = findClash(space);
  ASSERT_TRUE(clash);
  EXPECT_EQ(clash->text(space), "no point: 'rows * columns <= 200' (the device), '16 <= rows' (the schedule, line 4), "
                                "'16 <= columns' (the command line) "
                                "do not go together; without any of these there are points");
}

} // namespace

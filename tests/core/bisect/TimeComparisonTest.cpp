// Times of a fake clock: equal ones are blamed for nothing, slower ones are found.
#include "core/bisect/TimeComparison.h"
#include <cmath>
#include <gtest/gtest.h>
#include <random>

namespace fuselage::test {
namespace {

/// A machine whose times scatter, are disturbed now and then, and drift.
struct FakeClock {
  std::mt19937 random;
  double scatter, disturbed = 0, drift = 0;
  unsigned samples = 0;

  llvm::Expected<double> sample(double time) {
    std::lognormal_distribution<double> noise(0, scatter);
    std::uniform_real_distribution<double> chance;
    time *= noise(random) * (1 + drift * samples++);
    return chance(random) < disturbed ? 10 * time : time;
  }
  TimeComparison compare(double before, double after) {
    auto comparison = compareTimes([&] { return sample(before); }, [&] { return sample(after); });
    EXPECT_TRUE(bool(comparison));
    return *comparison;
  }
};

const FakeClock kClocks[] = {
    {.random = {}, .scatter = 0.01},
    {.random = {}, .scatter = 0.1},
    {.random = {}, .scatter = 0.1, .disturbed = 0.2},
    {.random = {}, .scatter = 0.05, .disturbed = 0.1, .drift = 0.02},
    {.random = {}, .scatter = 0.3},
    {.random = {}, .scatter = 1},
};

class TimeComparisons : public testing::TestWithParam<FakeClock> {};

TEST_P(TimeComparisons, BlameNothingOnEqualTimes) {
  unsigned unknown = 0;
  for (unsigned seed = 0; seed < 400; ++seed) {
    FakeClock clock = GetParam();
    clock.random.seed(seed);
    TimeComparison comparison = clock.compare(100, 100);
    EXPECT_NE(comparison.verdict, TimeVerdict::Slower) << seed << " " << describe(comparison);
    unknown += comparison.verdict == TimeVerdict::CannotTell;
  }
  if (GetParam().scatter < 0.05)
    EXPECT_EQ(unknown, 0u);
}

TEST_P(TimeComparisons, FindWhatIsOneAndAHalfTimesSlower) {
  unsigned found = 0;
  for (unsigned seed = 0; seed < 400; ++seed) {
    FakeClock clock = GetParam();
    clock.random.seed(seed);
    TimeComparison comparison = clock.compare(100, 150);
    found += comparison.verdict == TimeVerdict::Slower;
    if (GetParam().scatter <= 0.1)
      EXPECT_NE(comparison.verdict, TimeVerdict::NotSlower) << seed << " " << describe(comparison);
  }
  if (GetParam().scatter <= 0.1)
    EXPECT_GE(found, GetParam().disturbed > 0.1 ? 380u : 396u);
}

INSTANTIATE_TEST_SUITE_P(Clocks, TimeComparisons, testing::ValuesIn(kClocks));

TEST(TimeComparison, SaysTheRatioAndItsNoise) {
  FakeClock clock{.random = std::mt19937(7), .scatter = 0.02};
  TimeComparison comparison = clock.compare(100, 150);
  EXPECT_EQ(comparison.verdict, TimeVerdict::Slower);
  EXPECT_LT(comparison.low, comparison.ratio);
  EXPECT_GT(comparison.high, comparison.ratio);
  EXPECT_GT(comparison.low, 1.4);
  EXPECT_LT(comparison.high, 1.6);
  EXPECT_NE(describe(comparison).find("95 % CI"), std::string::npos) << describe(comparison);
}

TEST(TimeComparison, GivesUpInNoise) {
  FakeClock clock{.random = std::mt19937(7), .scatter = 2};
  TimeComparison comparison = clock.compare(100, 110);
  EXPECT_EQ(comparison.verdict, TimeVerdict::CannotTell);
  EXPECT_EQ(comparison.rounds, 60u);
  EXPECT_LT(comparison.low, comparison.high);
}

TEST(TimeComparison, HandsOnFailures) {
  auto comparison = compareTimes([]() -> llvm::Expected<double> { return fail("no time"); },
                                 []() -> llvm::Expected<double> { return 1.0; });
  ASSERT_FALSE(bool(comparison));
  EXPECT_EQ(takeFailure(comparison.takeError()).message, "no time");
}

} // namespace
} // namespace fuselage::test

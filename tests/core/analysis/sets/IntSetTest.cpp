// IntSet against std::set.
#include "core/analysis/sets/IntSet.h"
#include "llvm/Support/MathExtras.h"
#include <gtest/gtest.h>
#include <random>
#include <set>

using namespace fuselage;

static std::set<int64_t> valuesOf(const IntSet &set) {
  std::set<int64_t> values;
  set.forEach([&](int64_t value) { EXPECT_TRUE(values.insert(value).second); });
  return values;
}

static IntSet randomSet(std::mt19937 &random) {
  auto pick = [&](int64_t least, int64_t most) { return std::uniform_int_distribution<int64_t>(least, most)(random); };
  IntSet set;
  for (int64_t runs = pick(0, 3); runs > 0; --runs)
    set = set.unite(pick(0, 1) ? IntSet::interval(pick(-9, 9), pick(-9, 12))
                               : IntSet::strided(pick(-9, 9), pick(0, 6), pick(1, 4)));
  return set;
}

TEST(IntSet, RunsOfStridedSets) {
  IntSet odd = IntSet::strided(1, 4, 2);
  ASSERT_EQ(odd.runs().size(), 1u);
  EXPECT_EQ(odd.size(), 4);
  EXPECT_EQ(odd.end(), 8);
  EXPECT_FALSE(odd.contains(2));
  EXPECT_EQ(odd.unite(IntSet::strided(0, 4, 2)), IntSet::interval(0, 8));
  EXPECT_EQ(odd.plus(IntSet::interval(0, 2)), IntSet::interval(1, 9));
  EXPECT_EQ(IntSet::strided(6, 3, -2), IntSet::strided(2, 3, 2));
  EXPECT_EQ(IntSet::strided(6, 1, INT64_MIN), IntSet::interval(6, 7));
}

TEST(IntSet, OperationsAreThoseOfSets) {
  std::mt19937 random(7);
  for (int round = 0; round < 3000; ++round) {
    IntSet a = randomSet(random), b = randomSet(random);
    std::set<int64_t> x = valuesOf(a), y = valuesOf(b), sum, both = x, common, rest, scaled, divided, remainders;
    both.insert(y.begin(), y.end());
    int64_t factor = int64_t(random() % 7) - 3, divisor = 1 + random() % 5;
    for (int64_t i : x) {
      (y.contains(i) ? common : rest).insert(i);
      for (int64_t j : y)
        sum.insert(i + j);
      scaled.insert(i * (factor ? factor : 1));
      divided.insert(llvm::divideFloorSigned(i, divisor));
      remainders.insert(i - llvm::divideFloorSigned(i, divisor) * divisor);
    }
    EXPECT_EQ(a.size(), int64_t(x.size()));
    EXPECT_EQ(valuesOf(a.unite(b)), both);
    EXPECT_EQ(valuesOf(a.intersect(b)), common);
    EXPECT_EQ(valuesOf(a.minus(b)), rest);
    EXPECT_EQ(valuesOf(a.plus(b)), sum);
    EXPECT_EQ(valuesOf(a.scaled(factor ? factor : 1)), scaled);
    EXPECT_EQ(valuesOf(a.floorDiv(divisor)), divided);
    EXPECT_EQ(valuesOf(a.modulo(divisor)), remainders);
    EXPECT_EQ(b.containsAll(a), rest.empty());
    EXPECT_TRUE(a.isExact() && a.plus(b).isExact());
  }
}

TEST(IntSet, TooManyIntervalsBecomeTheirSpanAndSaySo) {
  IntSet many = IntSet::strided(0, IntSet::maxIntervals + 1, 3);
  EXPECT_TRUE(many.isExact());
  IntSet more = many.unite(IntSet::interval(1, 2));
  EXPECT_FALSE(more.isExact());
  EXPECT_TRUE(more.isInterval());
  EXPECT_EQ(more.end(), many.end());
}

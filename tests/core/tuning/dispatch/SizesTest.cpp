#include "core/tuning/dispatch/Sizes.h"
#include "gtest/gtest.h"

using namespace fuselage::tune;

namespace {

std::vector<int64_t> valuesOf(const Domain &domain) {
  std::vector<int64_t> values;
  for (uint64_t i = 0; i < domain.size(); ++i)
    values.push_back(domain.at(i));
  return values;
}

using Values = std::vector<int64_t>;

TEST(SizesTest, DivisorsPowersOfTwoAndTheirTriples) {
  EXPECT_EQ(valuesOf(sizesFor(20, 512, /*onlyDivisors=*/false)), (Values{0, 1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20}));
  EXPECT_EQ(valuesOf(sizesFor(20, 512, /*onlyDivisors=*/true)), (Values{0, 1, 2, 4, 5, 10, 20}));
  EXPECT_EQ(valuesOf(sizesFor(20, 5, /*onlyDivisors=*/true)), (Values{0, 1, 2, 4, 5}));
  EXPECT_EQ(valuesOf(sizesFor(13, 512, /*onlyDivisors=*/false)), (Values{0, 1, 2, 3, 4, 6, 8, 12, 13})) << "a prime";
  EXPECT_EQ(valuesOf(sizesFor(1, 512, /*onlyDivisors=*/false)), (Values{0, 1}));
}

TEST(SizesTest, OnlyWhatIsKept) {
  auto kept = [](int64_t size) { return size < 4 ? 4 : size; };
  EXPECT_EQ(valuesOf(sizesFor(8, 512, /*onlyDivisors=*/true, kept)), (Values{0, 4, 8})) << "each once";
}

TEST(SizesTest, WasteIsWorkDoneByWorkWanted) {
  EXPECT_EQ(waste(64, 16), 1);
  EXPECT_EQ(waste(64, 48), 1.5);
  EXPECT_EQ(waste(3, 4), 4.0 / 3);
}

TEST(SizesTest, WavesAreRoundsOfAllWorkers) {
  EXPECT_EQ(waveWaste(8, 4), 1);
  EXPECT_EQ(waveWaste(9, 4), 3 / 2.25) << "one of nine has a round for itself";
  EXPECT_EQ(waveWaste(1, 4), 4) << "three of four are idle";
  EXPECT_EQ(waveWaste(5, 0), 1) << "workers that nobody knows of are one";
}

TEST(SizesTest, LogarithmsOfZeroAreFinite) {
  EXPECT_EQ(log2Of(8), 3);
  EXPECT_LT(log2Of(0), -20);
  EXPECT_GT(log2Of(0), -100);
}

} // namespace

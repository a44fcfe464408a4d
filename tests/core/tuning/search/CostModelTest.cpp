#include "core/tuning/search/CostModel.h"
#include <cmath>
#include <gtest/gtest.h>
#include <limits>

using namespace fuselage::tune;

TEST(CostModel, TellsNeighbouringNumbersApart) {
  const double low = 1, high = std::nextafter(1.0, 2.0); // half way between them is, rounded, the lower one
  CostModel model;
  model.fit({{low}, {low}, {low}, {high}, {high}, {high}}, {10, 10, 10, 20, 20, 20}, 1);
  EXPECT_LT(model.predict({low}).mean, model.predict({high}).mean);
}

TEST(CostModel, TakesFeaturesWithoutBound) {
  const double infinity = std::numeric_limits<double>::infinity();
  CostModel model;
  model.fit({{-infinity}, {-infinity}, {1}, {1}, {infinity}, {infinity}}, {10, 10, 20, 20, 40, 40}, 1);
  EXPECT_LT(model.predict({-infinity}).mean, model.predict({infinity}).mean);
  EXPECT_TRUE(std::isfinite(model.predict({1}).mean));
}

/// A cliff, as where a tile no longer fits.
TEST(CostModel, PredictsASmoothPartAndACliff) {
  std::vector<std::vector<double>> rows;
  std::vector<double> costs;
  auto costOf = [](double size) { return size < 6 ? 100 - 10 * size : 300; };
  for (double size = 0; size < 10; size += 0.25) {
    rows.push_back({size, 1});
    costs.push_back(costOf(size));
  }
  CostModel model;
  model.fit(rows, costs, 1);
  for (double size : {1.1, 3.1, 5.1, 7.1})
    EXPECT_NEAR(std::exp(model.predict({size, 1}).mean), costOf(size), 0.2 * costOf(size)) << size;
  EXPECT_GT(std::exp(model.predict({6.5, 1}).mean), 2 * std::exp(model.predict({5.5, 1}).mean));
  EXPECT_GT(model.predict({6, 1}).spread, model.predict({9, 1}).spread) << "trees disagree where the cliff is";
}

TEST(CostModel, KnowsNothingWithoutRows) {
  CostModel model;
  model.fit({}, {}, 1);
  EXPECT_EQ(model.predict({3}).mean, 0);
  EXPECT_EQ(model.predict({3}).spread, 0);
}

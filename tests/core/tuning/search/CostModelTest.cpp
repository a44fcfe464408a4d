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

#include "core/text/PlaceList.h"
#include <gtest/gtest.h>

using fuselage::placeList;

namespace {

TEST(PlaceList, NumbersThatFollowEachOtherAreARange) {
  EXPECT_EQ(placeList({}, 3), "");
  EXPECT_EQ(placeList({"embeddings"}, 3), "embeddings");
  EXPECT_EQ(placeList({"layer.0", "layer.1", "layer.2", "layer.3"}, 3), "layer.0 to 3");
  EXPECT_EQ(placeList({"layer.3", "layer.4", "layer.5", "layer.10"}, 3), "layer.3 to 5, layer.10");
  EXPECT_EQ(placeList({"encoder.0", "encoder.1", "decoder.2", "pooler"}, 3), "encoder.0 to 1, decoder.2, pooler");
}

TEST(PlaceList, ANumberTooLongIsAName) {
  EXPECT_EQ(placeList({"w99999999999999999999", "w1"}, 3), "w99999999999999999999, w1");
}

TEST(PlaceList, LongListsEnd) { EXPECT_EQ(placeList({"a", "b", "c", "d", "e"}, 3), "a, b, c, .. 2 more"); }

TEST(PlaceList, EachNameIsSaidOnce) { EXPECT_EQ(placeList({"pooler", "pooler", "x1", "x1"}, 3), "pooler, x1"); }

} // namespace

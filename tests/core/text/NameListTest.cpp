#include "core/text/NameList.h"
#include <gtest/gtest.h>

using fuselage::listNames;

namespace {

TEST(NameList, NumbersThatFollowEachOtherAreARange) {
  EXPECT_EQ(listNames({}), "");
  EXPECT_EQ(listNames({"embeddings"}), "embeddings");
  EXPECT_EQ(listNames({"layer.0", "layer.1", "layer.2", "layer.3"}), "layer.0 to 3");
  EXPECT_EQ(listNames({"layer.0", "layer.1"}), "layer.0, 1");
  EXPECT_EQ(listNames({"layer.3", "layer.10", "layer.4", "layer.5"}), "layer.3 to 5, 10");
  EXPECT_EQ(listNames({"encoder.0", "decoder.0", "encoder.1", "encoder.2", "pooler"}),
            "encoder.0 to 2, decoder.0, pooler");
}

TEST(NameList, ANumberAloneIsAName) {
  EXPECT_EQ(listNames({"0", "1", "2"}), "0, 1, 2");
  EXPECT_EQ(listNames({"w99999999999999999999", "w1"}), "w99999999999999999999, w1");
}

TEST(NameList, LongListsEnd) {
  EXPECT_EQ(listNames({"a", "b", "c", "d", "e", "f", "g", "h"}), "a, b, c, d, e, f, and 2 more");
}

TEST(NameList, EachNameIsSaidOnce) { EXPECT_EQ(listNames({"pooler", "pooler", "x1", "x1"}), "pooler, x1"); }

} // namespace

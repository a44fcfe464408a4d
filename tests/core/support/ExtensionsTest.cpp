#include "core/support/Extensions.h"
#include <gtest/gtest.h>

using namespace fuselage;

namespace {

struct Results {
  int rows = 0;
};
struct Incomplete;

TEST(Extensions, HoldOneOfEachTypeFromWhenItIsSet) {
  Extensions extensions;
  EXPECT_EQ(extensions.get<Results>(), nullptr);
  std::shared_ptr<Results> &held = extensions.get<Results>();
  held = std::make_shared<Results>(Results{.rows = 3});
  extensions.get<int>() = std::make_shared<int>(7);
  EXPECT_EQ(extensions.get<Incomplete>(), nullptr); // its owner alone knows it
  for (int i = 0; i < 100; ++i)
    EXPECT_EQ(&extensions.get<Results>(), &held) << "the reference stays, whatever else is kept";
  EXPECT_EQ(extensions.get<Results>()->rows, 3);
  EXPECT_EQ(*extensions.get<int>(), 7);
  held.reset();
  EXPECT_EQ(extensions.get<Results>(), nullptr);
}

TEST(Extensions, EndWithTheirOwnerAndByClear) {
  std::weak_ptr<Results> first, second;
  {
    Extensions extensions;
    first = extensions.get<Results>() = std::make_shared<Results>();
    extensions.clear();
    EXPECT_TRUE(first.expired());
    EXPECT_EQ(extensions.get<Results>(), nullptr);
    second = extensions.get<Results>() = std::make_shared<Results>();
    EXPECT_FALSE(second.expired());
  }
  EXPECT_TRUE(second.expired());
}

} // namespace

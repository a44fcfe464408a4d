#include "core/support/LazyLibrary.h"
#include <gtest/gtest.h>

using fuselage::LazyLibrary;

TEST(LazyLibraryTest, findsFunctionsOfALibraryThatIsThere) {
  const LazyLibrary library("libm.so.6");
  double (*root)(double) = nullptr;
  ASSERT_TRUE(library.find("sqrt", root));
  EXPECT_EQ(root(9), 3);
}

TEST(LazyLibraryTest, findsNothingWhereThereIsNone) {
  double (*root)(double) = [](double value) { return value; };
  EXPECT_FALSE(LazyLibrary("libm.so.6").find("no_such_function", root));
  EXPECT_EQ(root, nullptr);
  EXPECT_FALSE(LazyLibrary("libno-such-library.so").find("sqrt", root));
}

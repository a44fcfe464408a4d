// Results are compared as `fuselage run` compares them, element type by element type.
#include "app/launch/BundleResults.h"
#include <cstring>
#include <gtest/gtest.h>
#include <limits>

namespace fuselage::bundle {
namespace {

template <class T> std::string bytesOf(std::vector<T> values) {
  return std::string(reinterpret_cast<const char *>(values.data()), values.size() * sizeof(T));
}

ExpectedValue form(const char *element, int64_t size, std::vector<ErrorLimits> limits = {}) {
  return {.value = {.type = "", .element = element, .shape = {size}, .content = {}}, .limits = std::move(limits)};
}

constexpr ErrorLimits kTight{.absolute = 0, .relative = 1e-6, .typical = 1},
    kWide{.absolute = 0.1, .relative = 0.1, .typical = 1};

TEST(BundleResults, FloatsAreComparedWithinTheirLimits) {
  std::string expected = bytesOf<float>({1, 2, 3, 4}), actual = bytesOf<float>({1, 2, 3, 4.1f});
  EXPECT_TRUE(compareBytes(expected, expected, form("f32", 4, {kTight}), false).ok());
  Comparison off = compareBytes(actual, expected, form("f32", 4, {kTight}), false);
  EXPECT_EQ(off.verdict, CheckVerdict::Wrong);
  EXPECT_EQ(off.worst, 3);
  EXPECT_NEAR(off.maxAbsError, 0.1, 1e-6);
  EXPECT_NE(off.why.find("1 of 4 elements (25.0 %) are off by more than"), std::string::npos) << off.why;
  EXPECT_TRUE(compareBytes(actual, expected, form("f32", 4, {kTight, kWide}), false).ok()) << "the second limit holds";
}

TEST(BundleResults, NothingIsNaNUnlessItIsExpected) {
  float nan = std::numeric_limits<float>::quiet_NaN();
  std::string expected = bytesOf<float>({1, 2, 3, 4}), marked = bytesOf<float>({nan, nan, nan, nan});
  EXPECT_EQ(compareBytes(marked, expected, form("f32", 4, {kWide}), false).verdict, CheckVerdict::Wrong);
  EXPECT_EQ(compareBytes(marked, marked, form("f32", 4, {kWide}), false).verdict, CheckVerdict::NotComparable);
}

TEST(BundleResults, IntegersMustBeEqual) {
  std::string expected = bytesOf<int32_t>({1, -2, 3}), actual = bytesOf<int32_t>({1, 2, 3});
  EXPECT_TRUE(compareBytes(expected, expected, form("i32", 3), false).ok());
  Comparison off = compareBytes(actual, expected, form("i32", 3), false);
  EXPECT_EQ(off.verdict, CheckVerdict::Wrong);
  EXPECT_EQ(off.maxAbsError, 4);
  EXPECT_NE(off.why.find("1 of 3 elements (33.3 %) differ"), std::string::npos) << off.why;
  EXPECT_TRUE(compareBytes("\x01\x03", "\x01\x01", form("i1", 2), false).ok()) << "one bit counts";
}

TEST(BundleResults, NarrowIntegersArePackedOnGpusAlone) {
  EXPECT_TRUE(compareBytes("\x21\x0f", "\x21\xff", form("i4", 3), false).ok()) << "the fourth is padding";
  EXPECT_FALSE(compareBytes("\x31\x0f", "\x21\x0f", form("i4", 3), false).ok());
  EXPECT_TRUE(compareBytes("\x01\x02\x0f", "\x01\x02\xff", form("i4", 3), true).ok()) << "a byte each on the host";
}

TEST(BundleResults, HalvesAndBytesOfFloatsAreTheirNumbers) {
  uint16_t one = 0x3c00, two = 0x4000;
  EXPECT_EQ(
      compareBytes(bytesOf<uint16_t>({two}), bytesOf<uint16_t>({one}), form("f16", 1, {kTight}), false).maxAbsError, 1);
  uint16_t oneB = 0x3f80, twoB = 0x4000;
  EXPECT_EQ(
      compareBytes(bytesOf<uint16_t>({twoB}), bytesOf<uint16_t>({oneB}), form("bf16", 1, {kTight}), false).maxAbsError,
      1);
  EXPECT_EQ(compareBytes("\x40", "\x38", form("f8E4M3FN", 1, {kTight}), false).maxAbsError, 1);
}

TEST(BundleResults, ComplexNumbersAreComparedPartByPart) {
  std::string expected = bytesOf<float>({1, 2, 3, 4}), actual = bytesOf<float>({1, 2, 3, 5});
  Comparison off = compareBytes(actual, expected, form("complex<f32>", 2, {kTight}), false);
  EXPECT_EQ(off.verdict, CheckVerdict::Wrong);
  EXPECT_EQ(off.worst, 1);
}

} // namespace
} // namespace fuselage::bundle

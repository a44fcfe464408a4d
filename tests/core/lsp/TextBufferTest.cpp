#include "core/lsp/text/TextBuffer.h"
#include "gtest/gtest.h"

namespace fuselage::lsp {
namespace {

TEST(TextBuffer, ColumnsAreUnitsOfTheEncoding) {
  // One byte, two, three and four, which are two units of UTF-16.
  const std::string text = "a\u00e9\u20ac\U0001F600z\nb";
  TextBuffer wide(text, Encoding::Utf16), bytes(text, Encoding::Utf8);
  EXPECT_EQ(wide.offsetOf({0, 3}), 6u);
  EXPECT_EQ(wide.offsetOf({0, 5}), 10u);
  EXPECT_EQ(wide.positionOf(10), (Position{0, 5}));
  EXPECT_EQ(bytes.positionOf(10), (Position{0, 10}));
  EXPECT_EQ(wide.positionOf(12), (Position{1, 0}));
}

TEST(TextBuffer, PlacesBeyondTheEndAreTheEnd) {
  TextBuffer text("ab\r\ncd");
  EXPECT_EQ(text.offsetOf({0, 99}), 2u); // before the end of the line
  EXPECT_EQ(text.offsetOf({7, 0}), 6u);
  EXPECT_EQ(text.line(0), "ab");
  EXPECT_EQ(text.line(5), "");
  EXPECT_EQ(text.lineCount(), 2);
}

TEST(TextBuffer, EditsReplaceRanges) {
  TextBuffer text("one\ntwo\nthree\n");
  text.replace({{1, 0}, {2, 2}}, "2\nth");
  EXPECT_EQ(text.text(), "one\n2\nthree\n");
  text.replace({{2, 3}, {0, 1}}, "!"); // ends before it begins
  EXPECT_EQ(text.text(), "one\n2\nthr!ee\n");
  EXPECT_EQ(text.lineOf(5), 1);
}

} // namespace
} // namespace fuselage::lsp

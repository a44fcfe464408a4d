// Text that a terminal may get.
#include "core/text/PrintableText.h"
#include <gtest/gtest.h>

using namespace fuselage;

namespace {

TEST(PrintableText, KeepsWhatPeopleWrite) {
  for (const char *text : {"", "plain\n\ttext", "\u00fcber \u2192 \U0001F600", "\u200b"})
    EXPECT_EQ(printable(text), text);
}

TEST(PrintableText, SpellsOutWhereverItStands) {
  for (size_t before = 0; before < 150; ++before)
    for (size_t after : {0, 1, 63, 64, 200}) {
      std::string front(before, 'a'), back(after, '\n');
      EXPECT_EQ(printable(front + "\x1b" + back), front + "\\1B" + back);
      EXPECT_EQ(madePrintable(front + "\x7f" + back, Spelling::Json), front + "\\u007f" + back);
      EXPECT_EQ(madePrintable(front + "\u2192" + back), front + "\u2192" + back);
    }
}

TEST(PrintableText, SpellsOutWhatTerminalsObey) {
  EXPECT_EQ(printable("a\x1b[31mb\r\x7f"), "a\\1B[31mb\\0D\\7F");
  EXPECT_EQ(printable(std::string_view("\0", 1)), "\\00");
  EXPECT_EQ(printable("\u009b31m"), "\\C2\\9B31m");
  EXPECT_EQ(printable("\u202e\u2066\u2028"), "\\E2\\80\\AE\\E2\\81\\A6\\E2\\80\\A8");
  EXPECT_EQ(printable("\uffff"), "\\EF\\BF\\BF") << "XML has no way to write it";
  EXPECT_EQ(printable("\x1b\u009b\u202e\x7f", Spelling::Json), "\\u001b\\u009b\\u202e\\u007f");
}

TEST(PrintableText, SpellsOutBytesThatAreNoCharacters) {
  EXPECT_EQ(printable("\x9b"), "\\9B");
  EXPECT_EQ(printable("\xc0\x9b"), "\\C0\\9B") << "an overlong escape";
  EXPECT_EQ(printable("\xe0\x80\x9b"), "\\E0\\80\\9B");
  EXPECT_EQ(printable("\xed\xa0\x80"), "\\ED\\A0\\80") << "half of a pair";
  EXPECT_EQ(printable("\xf4\x90\x80\x80"), "\\F4\\90\\80\\80");
  EXPECT_EQ(printable("\xe2\x82"), "\\E2\\82");
  EXPECT_EQ(printable("\xe2(\u00fc"), "\\E2(\u00fc");
}

TEST(PrintableText, PiecesMayEndWithinACharacter) {
  const std::string text = "a\u00fc\u20ac\U0001F600\u009b\xff\u202e.";
  for (size_t size = 1; size <= text.size(); ++size) {
    PrintablePieces pieces;
    std::string all;
    for (size_t at = 0; at < text.size(); at += size)
      all += pieces.next(std::string_view(text).substr(at, size));
    EXPECT_EQ(all + pieces.last(), printable(text)) << size;
  }
  PrintablePieces pieces;
  EXPECT_EQ(pieces.next("a\xe2\x82"), "a");
  EXPECT_EQ(pieces.last(), "\\E2\\82");
}

} // namespace

#include "core/support/rpc/Framing.h"
#include "gtest/gtest.h"

using namespace fuselage;

TEST(FrameParser, FindsFramesInPieces) {
  std::string bytes = frameOf("one") + "content-length:  3\nX: y\n\ntwo" + frameOf("");
  for (size_t piece : {size_t(1), size_t(2), size_t(7), bytes.size()}) {
    FrameParser parser;
    std::vector<std::string> found;
    for (size_t at = 0; at < bytes.size(); at += piece) {
      parser.feed(llvm::StringRef(bytes).substr(at, piece));
      while (auto body = parser.next())
        found.push_back(*body);
    }
    EXPECT_EQ(found, (std::vector<std::string>{"one", "two", ""}));
    EXPECT_EQ(parser.unfinished(), "");
    EXPECT_EQ(parser.error(), "");
  }
}

TEST(FrameParser, SaysWhereItEnds) {
  FrameParser parser;
  parser.feed("Content-Length: 5\r\n");
  EXPECT_FALSE(parser.next());
  EXPECT_EQ(parser.unfinished(), "inside a header");
  parser.feed("\r\nab");
  EXPECT_FALSE(parser.next());
  EXPECT_EQ(parser.unfinished(), "inside a frame");
}

TEST(FrameParser, RefusesWhatIsNoFrame) {
  for (const char *bytes : {"Have a nice day\n\n", "Content-Length: much\n", "Content-Length: 99999999999\n", "\n"}) {
    FrameParser parser;
    parser.feed(bytes);
    EXPECT_FALSE(parser.next());
    EXPECT_NE(parser.error(), "") << bytes;
    parser.feed(frameOf("one"));
    EXPECT_FALSE(parser.next()) << "nothing behind it can be found";
  }
  FrameParser parser;
  parser.feed(std::string(FrameParser::maxHeaderBytes + 1, 'x'));
  EXPECT_FALSE(parser.next());
  EXPECT_EQ(parser.error(), "a header line is too long");
}

// The tokens of MLIR text, whole and broken, in UTF-8 and UTF-16.
#include "core/text/MlirLexer.h"
#include <gtest/gtest.h>
#include <string>
#include <vector>

using namespace fuselage;
using Kind = MlirToken::Kind;

namespace {

struct Piece {
  Kind kind;
  std::string text;
  bool operator==(const Piece &) const = default;
};
std::ostream &operator<<(std::ostream &os, const Piece &piece) {
  return os << int(piece.kind) << " '" << piece.text << "'";
}

/// The tokens but for blanks; they must follow each other without gaps.
std::vector<Piece> tokensOf(const std::string &text) {
  std::vector<Piece> pieces;
  size_t at = 0;
  while (at < text.size()) {
    MlirToken token = nextMlirToken(std::string_view(text), at);
    EXPECT_EQ(token.begin, at) << text;
    EXPECT_GT(token.end, at) << text;
    EXPECT_LE(token.end, text.size()) << text;
    if (token.kind != Kind::Blank)
      pieces.push_back({token.kind, text.substr(token.begin, token.end - token.begin)});
    if (token.end <= at)
      break;
    at = token.end;
  }
  return pieces;
}

TEST(MlirLexer, ReadsWhatPrintersWrite) {
  EXPECT_EQ(tokensOf("%2:2 = linalg.matmul ins(%a-1#0 : tensor<?x128xf32>) -> !my.type // end"),
            (std::vector<Piece>{{Kind::Value, "%2"},
                                {Kind::Punctuation, ":"},
                                {Kind::Number, "2"},
                                {Kind::Punctuation, "="},
                                {Kind::Word, "linalg.matmul"},
                                {Kind::Word, "ins"},
                                {Kind::Punctuation, "("},
                                {Kind::Value, "%a-1#0"},
                                {Kind::Punctuation, ":"},
                                {Kind::Word, "tensor"},
                                {Kind::Punctuation, "<"},
                                {Kind::Punctuation, "?"},
                                {Kind::Word, "x128xf32"},
                                {Kind::Punctuation, ">"},
                                {Kind::Punctuation, ")"},
                                {Kind::Arrow, "->"},
                                {Kind::Type, "!my.type"},
                                {Kind::Comment, "// end"}}));
  EXPECT_EQ(tokensOf("^bb0(@\"a b\", @f, #map3)"), (std::vector<Piece>{{Kind::Block, "^bb0"},
                                                                       {Kind::Punctuation, "("},
                                                                       {Kind::Symbol, "@\"a b\""},
                                                                       {Kind::Punctuation, ","},
                                                                       {Kind::Symbol, "@f"},
                                                                       {Kind::Punctuation, ","},
                                                                       {Kind::Attribute, "#map3"},
                                                                       {Kind::Punctuation, ")"}}));
}

TEST(MlirLexer, NumbersAndShapes) {
  for (const char *number : {"0", "12", "-3", "1.0", "-1.5e-3", "2E+10", "0xFF80", "1e5"})
    EXPECT_EQ(tokensOf(number), (std::vector<Piece>{{Kind::Number, number}}));
  for (const char *shape : {"128x768xf32", "4x?xi8", "0x?xf32", "1x*xf32"})
    EXPECT_EQ(tokensOf(shape), (std::vector<Piece>{{Kind::Shape, shape}}));
  EXPECT_EQ(tokensOf("1.e"), (std::vector<Piece>{{Kind::Number, "1"}, {Kind::Punctuation, "."}, {Kind::Word, "e"}}));
}

TEST(MlirLexer, StringsEndWithTheirLine) {
  EXPECT_EQ(tokensOf("\"a // \\\" b\" c"), (std::vector<Piece>{{Kind::String, "\"a // \\\" b\""}, {Kind::Word, "c"}}));
  EXPECT_EQ(tokensOf("\"open\nnext"), (std::vector<Piece>{{Kind::String, "\"open"}, {Kind::Word, "next"}}));
  EXPECT_TRUE(nextMlirToken(std::string_view("\"a\""), 0).isClosed);
  EXPECT_FALSE(nextMlirToken(std::string_view("\"a"), 0).isClosed);
  EXPECT_FALSE(nextMlirToken(std::string_view("@\"a"), 0).isClosed);
  EXPECT_FALSE(nextMlirToken(std::string_view("\"a\\"), 0).isClosed);
}

TEST(MlirLexer, ADashIsNoPartOfAnArrow) {
  EXPECT_EQ(tokensOf("%a->%b"), (std::vector<Piece>{{Kind::Value, "%a"}, {Kind::Arrow, "->"}, {Kind::Value, "%b"}}));
  EXPECT_EQ(tokensOf("%a-"), (std::vector<Piece>{{Kind::Value, "%a"}, {Kind::Punctuation, "-"}}));
}

TEST(MlirLexer, AnyBytesAreTokens) {
  std::string all;
  for (int c = 0; c < 256; ++c)
    all += static_cast<char>(c);
  EXPECT_GT(tokensOf(all).size(), 20u);
  EXPECT_EQ(tokensOf("\u00fcber.x"), (std::vector<Piece>{{Kind::Word, "\u00fcber.x"}}));
}

TEST(MlirLexer, Utf16IsReadAlike) {
  const std::u16string_view text = u"%\u00fc = \"a\"";
  MlirToken name = nextMlirToken(text, 0);
  EXPECT_EQ(name.kind, Kind::Value);
  EXPECT_EQ(name.end, 2u);
  EXPECT_EQ(nextMlirToken(text, 5).kind, Kind::String);
}

} // namespace

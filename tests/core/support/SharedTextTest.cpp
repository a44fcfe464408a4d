#include "core/support/SharedText.h"
#include <gtest/gtest.h>

using namespace fuselage;

namespace {

TEST(SharedText, CopiesShareTheirCharacters) {
  SharedText text = "tensor<64x128xf32>", copy = text;
  EXPECT_EQ(copy.ref().data(), text.ref().data());
  EXPECT_EQ(copy.str(), "tensor<64x128xf32>");
  text = "f32";
  EXPECT_TRUE(copy == "tensor<64x128xf32>");
  EXPECT_TRUE(text != copy);
  EXPECT_EQ(sizeof(SharedText), sizeof(void *)); // a graph has several for each node and edge
}

TEST(SharedText, EqualCharactersAreEqualTexts) {
  SharedText one = std::string("matmul"), other = llvm::StringRef("matmul");
  EXPECT_NE(one.ref().data(), other.ref().data());
  EXPECT_TRUE(one == other);
  EXPECT_TRUE(SharedText() == SharedText(""));
  EXPECT_TRUE(SharedText("").empty());
  EXPECT_TRUE(SharedText() == llvm::StringRef());
}

TEST(SharedTexts, MakesEqualTextsOne) {
  SharedTexts texts;
  SharedText one = texts.of("matmul"), other = texts.of(std::string("mat") + "mul");
  EXPECT_EQ(one.ref().data(), other.ref().data());
  EXPECT_TRUE(texts.of("").empty());
}

} // namespace

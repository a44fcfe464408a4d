#include "core/graph/scene/SceneText.h"
#include "core/graph/scene/TextMetrics.h"
#include <gtest/gtest.h>

using namespace fuselage;

namespace {

TEST(SceneText, Types) {
  EXPECT_EQ(shortType("tensor<128x768xf32>"), "128x768xf32");
  EXPECT_EQ(shortType("tensor<?x?xi4, #enc<a, b>>"), "?x?xi4");
  EXPECT_EQ(shortType("tensor<4xcomplex<f32>>"), "4xcomplex<f32>");
  EXPECT_EQ(shortType("memref<4x4xf32, strided<[8, 1]>, 3>"), "memref 4x4xf32");
  EXPECT_EQ(shortType("index"), "index");
  EXPECT_EQ(shortType("!llvm.ptr<1>"), "!llvm.ptr<1>");
}

TEST(SceneText, Numbers) {
  EXPECT_EQ(formatBytes(-1), "");
  EXPECT_EQ(formatBytes(0), "0 B");
  EXPECT_EQ(formatBytes(1023), "1023 B");
  EXPECT_EQ(formatBytes(393216), "384 KiB");
  EXPECT_EQ(formatBytes(2359296), "2.25 MiB");
  EXPECT_EQ(formatFlops(0), "");
  EXPECT_EQ(formatFlops(150994944), "151 MFLOP");
}

TEST(TextMetrics, ElidesToFit) {
  std::string text = "a rather long title of a node";
  EXPECT_EQ(elideText(text, 12, 1000), text);
  std::string elided = elideText(text, 12, 80);
  EXPECT_LE(textWidth(elided, 12), 80);
  EXPECT_TRUE(llvm::StringRef(elided).ends_with("\u2026"));
  EXPECT_GT(textWidth("WWW", 12), textWidth("iii", 12));
  EXPECT_GT(textWidth("\xff\xfe", 12), 0); // stray bytes are characters, too
}

} // namespace

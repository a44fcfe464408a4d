// IR in diffs.
#include "core/ir/source/PastedDiff.h"
#include "core/ir/Session.h"
#include "core/ir/module/Splits.h"
#include "core/registration/Registration.h"
#include <gtest/gtest.h>

namespace fuselage {
namespace {

const char *const kDiff = "diff --git a/one.mlir b/one.mlir\n"
                          "index 1234567..89abcde 100644\n"
                          "--- a/one.mlir\n"
                          "+++ b/one.mlir\n"
                          "@@ -1,4 +1,5 @@ module {\n"
                          " func.func @f(%a: f32) -> f32 {\n"
                          "-  %0 = math.tanh %a : f32\n"
                          "+  %0 = math.exp %a : f32\n"
                          "+  %1 = my.op %0 : f32\n"
                          "\n"
                          "   return %1 : f32\n"
                          " }\n"
                          "\\ No newline at end of file\n";

TEST(PastedDiff, TheNewSideStandsWhereItWas) {
  std::optional<std::string> side = newSideOfDiff(kDiff);
  ASSERT_TRUE(side.has_value());
  llvm::StringRef text(kDiff);
  EXPECT_EQ(side->size(), text.size());
  for (llvm::StringRef piece : {"%0 = math.exp", "%1 = my.op", "return"})
    EXPECT_EQ(side->find(piece), text.find(piece));
  for (llvm::StringRef piece : {"tanh", "diff", "index", "@@", "newline", "one.mlir"})
    EXPECT_EQ(side->find(piece), std::string::npos) << piece.str();
  EXPECT_FALSE(newSideOfDiff(*side).has_value());
}

TEST(PastedDiff, IRIsNoDiff) {
  EXPECT_FALSE(newSideOfDiff("").has_value());
  EXPECT_FALSE(newSideOfDiff("module {\n}\n").has_value());
  EXPECT_FALSE(newSideOfDiff("  module {\n  }\n").has_value());
  EXPECT_FALSE(newSideOfDiff("+ module {\n}\n").has_value());
  EXPECT_FALSE(newSideOfDiff("-module {\n-}\n").has_value());
}

TEST(PastedDiff, OpensAtTheLinesOfTheFile) {
  Session session(allDialects());
  auto read = session.readText(kDiff, "change.diff");
  ASSERT_TRUE(bool(read)) << llvm::toString(read.takeError());
  ASSERT_EQ(read->diagnostics.size(), 2u);
  EXPECT_NE(read->diagnostics[0].message.find("this is a diff"), std::string::npos) << read->diagnostics[0].message;
  EXPECT_NE(read->diagnostics[1].message.find("dialect 'my' is unknown"), std::string::npos);
  EXPECT_EQ(read->diagnostics[1].line, 9u);
  EXPECT_EQ(read->diagnostics[1].column, 9u);
}

TEST(PastedDiff, FilesAreSplits) {
  Session session(allDialects());
  auto read = session.readText("--- a/one.mlir\n+++ b/one.mlir\n@@ -0,0 +1 @@\n+func.func private @f()\n"
                               "--- a/two.mlir\n+++ b/two.mlir\n@@ -0,0 +1 @@\n+func.func private @f()\n",
                               "change.diff");
  ASSERT_TRUE(bool(read)) << llvm::toString(read.takeError());
  EXPECT_EQ(splitModules(*read->module).size(), 2u);
  EXPECT_EQ(read->diagnostics.size(), 1u);
}

TEST(PastedDiff, ASignBeforeEachLineIsEnough) {
  Session session(allDialects());
  auto read = session.readText("+func.func @f(%a: f32) -> f32 {\n+  return %a : f32\n+}\n", "pasted.mlir");
  ASSERT_TRUE(bool(read)) << llvm::toString(read.takeError());
  EXPECT_EQ(read->gaps, 0u);
}

} // namespace
} // namespace fuselage

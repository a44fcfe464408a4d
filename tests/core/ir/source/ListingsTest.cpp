// IR in documents.
#include "core/ir/source/Listings.h"
#include "core/ir/Session.h"
#include "core/ir/module/Splits.h"
#include "core/registration/Registration.h"
#include <gtest/gtest.h>

namespace fuselage {
namespace {

const char *const kReport = "The compiler is slow here\n"
                            "\n"
                            "I have a model that takes much longer than it should.\n"
                            "Here is what it looks like:\n"
                            "\n"
                            "#map = affine_map<(d0) -> (d0)>\n"
                            "func.func @f(%a: f32) -> f32 {\n"
                            "  return %a : f32\n"
                            "}\n"
                            "\n"
                            "After the pass it is this, which is no better at all:\n"
                            "func.func @f(%a: f32) -> f32 {\n"
                            "  %0 = my.op %a : f32\n"
                            "\n"
                            "  return %0 : f32\n"
                            "}\n"
                            "What could I do about it?\n";

TEST(Listings, AreFoundBetweenSentences) {
  std::vector<SourceSplit> listings = findListings(kReport);
  ASSERT_EQ(listings.size(), 2u);
  EXPECT_TRUE(listings[0].text.starts_with("#map = ")) << listings[0].text.str();
  EXPECT_EQ(listings[0].firstLine, 6u);
  EXPECT_TRUE(listings[1].text.rtrim().ends_with("}")) << listings[1].text.str();
  EXPECT_EQ(listings[1].firstLine, 12u);
}

TEST(Listings, AreFencedInMarkdown) {
  std::vector<SourceSplit> listings = findListings(
      "Some words about this thing here.\n```mlir\n%0 = my.op : i32\nfoo\n```\nAnd some more words about it.\n"
      "```sh\nmake all the things now\n```\nThese are the last words on it.\n");
  ASSERT_EQ(listings.size(), 1u);
  EXPECT_EQ(listings[0].text, "%0 = my.op : i32\nfoo");
}

TEST(Listings, IRIsNoDocument) {
  EXPECT_TRUE(findListings("func.func @f() {\n  return\n}\n// some words in a comment here\n").empty());
  EXPECT_TRUE(findListings("func.func @f() {\n  this is a broken line of text\n  return\n}\n").empty());
  EXPECT_TRUE(findListings("just some words of english prose\n").empty());
}

TEST(Listings, OpenAsModulesOfTheirOwn) {
  Session session(allDialects());
  auto read = session.readText(kReport, "report.txt");
  ASSERT_TRUE(bool(read)) << llvm::toString(read.takeError());
  EXPECT_EQ(splitModules(*read->module).size(), 2u);
  ASSERT_FALSE(read->diagnostics.empty());
  EXPECT_EQ(read->diagnostics.front().line, 6u);
  EXPECT_NE(read->diagnostics.front().message.find("2 listings"), std::string::npos);
  for (const Diagnostic &diagnostic : read->diagnostics)
    EXPECT_NE(diagnostic.severity, Diagnostic::Severity::Error) << diagnostic.message;
}

} // namespace
} // namespace fuselage

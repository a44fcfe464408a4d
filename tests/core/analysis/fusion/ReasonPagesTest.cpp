// Every reason has a page in Help, and the example on it gives exactly that reason.
#include "core/analysis/fusion/FusionVerdicts.h"
#include "core/ir/Session.h"
#include "core/registration/Registration.h"
#include "tests/core/analysis/fusion/ReasonPage.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include <gtest/gtest.h>

using namespace fuselage;

namespace {

/// Words alone: pages are wrapped.
std::string inOneLine(const std::string &text) {
  llvm::SmallVector<llvm::StringRef> words;
  llvm::SplitString(text, words);
  return llvm::join(words, " ");
}

class ReasonPage : public testing::TestWithParam<FusionReason> {
protected:
  void SetUp() override { text = readReasonPage(info.code); }
  const FusionReasonInfo &info = infoOf(GetParam());
  std::string text;
};

TEST_P(ReasonPage, SaysWhatTheTableSays) {
  ASSERT_FALSE(text.empty()) << "no page for " << info.code.str();
  EXPECT_EQ(text.rfind("# " + info.code.str() + "\n", 0), 0u);
  EXPECT_NE(inOneLine(text).find(info.sentence.str() + "."), std::string::npos) << info.sentence.str();
  EXPECT_EQ(text.find("\nLegal: ") != std::string::npos, info.legal);
  EXPECT_FALSE(between(text, "## Evidence\n", "\n## ").empty());
  std::vector<std::string> listed;
  for (llvm::StringRef line : llvm::split(text.substr(text.find("## May be unlocked by")), '\n'))
    if (line.consume_front("- `"))
      listed.push_back(line.split('`').first.str());
  std::vector<std::string> known;
  for (llvm::StringRef name : unlocksOf(GetParam()))
    known.push_back(name.str());
  EXPECT_EQ(listed, known);
}

TEST_P(ReasonPage, ExampleGivesTheReason) {
  auto policy = parseFusionPolicy(policyOn(text));
  ASSERT_TRUE(static_cast<bool>(policy)) << llvm::toString(policy.takeError());
  std::string source = exampleOn(text);
  unsigned producer = lineOf(source, "the producer"), consumer = lineOf(source, "the consumer");
  ASSERT_TRUE(producer && consumer) << source;
  Session session(allDialects());
  auto module = session.parse(source, "page");
  ASSERT_TRUE(static_cast<bool>(module)) << llvm::toString(module.takeError());
  unsigned found = 0;
  for (const BodyVerdicts &body : judgeFusion(**module, *policy))
    for (const EdgeVerdict &edge : body.edges) {
      EXPECT_EQ(edge.refusals.empty(), edge.verdict != Verdict::Separate);
      if (positionOf(edge.from->getLoc()).line != producer || positionOf(edge.to->getLoc()).line != consumer)
        continue;
      ++found;
      EXPECT_EQ(edge.verdict, Verdict::Separate);
      ASSERT_FALSE(edge.refusals.empty());
      const Refusal &refusal = edge.refusals.front();
      EXPECT_EQ(infoOf(refusal.reason).code.str(), infoOf(info.parent).code.str());
      if (info.parent != info.reason) {
        EXPECT_EQ(refusal.kind, info.reason);
      }
      std::string all;
      for (const Refusal &each : edge.refusals)
        all += infoOf(each.reason).code.str() + " (" + describeEvidence(each) + ")\n";
      RecordProperty("reasons", all);
      if (GetParam() != FusionReason::FusionDisabled) {
        EXPECT_FALSE(describeEvidence(refusal).empty());
      }
    }
  EXPECT_GT(found, 0u);
}

INSTANTIATE_TEST_SUITE_P(All, ReasonPage, testing::ValuesIn(allReasons()),
                         [](const auto &info) { return infoOf(info.param).code.str(); });

TEST(ReasonPages, HaveAReasonEach) {
  std::error_code error;
  size_t pages = 0;
  for (llvm::sys::fs::recursive_directory_iterator file(reasonPages, error), end; file != end && !error;
       file.increment(error))
    pages += llvm::StringRef(file->path()).ends_with(".md");
  EXPECT_FALSE(error) << error.message();
  EXPECT_EQ(pages, allFusionReasons().size());
}

} // namespace

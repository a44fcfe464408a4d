// Every reason has a page in Help, and the example on it gives exactly that reason.
#include "core/analysis/fusion/FusionVerdicts.h"
#include "core/ir/Session.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include <gtest/gtest.h>

using namespace fuselage;

namespace {

const std::string folder = FUSELAGE_SOURCE_DIR "/resources/help/reasons/";

std::string readFile(const std::string &path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  return buffer ? (*buffer)->getBuffer().str() : std::string();
}

/// The text between two marks; empty if they are not there.
std::string between(const std::string &text, const std::string &start, const std::string &end) {
  size_t from = text.find(start);
  if (from == std::string::npos)
    return "";
  from += start.size();
  size_t to = text.find(end, from);
  return to == std::string::npos ? "" : text.substr(from, to - from);
}

/// The line, from 1, that ends in `// mark`; 0 if there is none.
unsigned lineOf(const std::string &source, const std::string &mark) {
  unsigned number = 0;
  for (llvm::StringRef line : llvm::split(source, '\n')) {
    ++number;
    if (line.ends_with("// " + mark))
      return number;
  }
  return 0;
}

/// Words alone: pages are wrapped.
std::string inOneLine(const std::string &text) {
  llvm::SmallVector<llvm::StringRef> words;
  llvm::SplitString(text, words);
  return llvm::join(words, " ");
}

class ReasonPage : public testing::TestWithParam<FusionReason> {
protected:
  void SetUp() override { text = readFile(folder + info.code.str() + ".md"); }
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
  auto policy = parseFusionPolicy(between(text, "Policy: `", "`"));
  ASSERT_TRUE(static_cast<bool>(policy)) << llvm::toString(policy.takeError());
  std::string source = between(text, "```mlir\n", "```");
  unsigned producer = lineOf(source, "the producer"), consumer = lineOf(source, "the consumer");
  ASSERT_TRUE(producer && consumer) << source;
  Session session;
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

INSTANTIATE_TEST_SUITE_P(All, ReasonPage,
                         testing::ValuesIn([] {
                           std::vector<FusionReason> reasons;
                           for (const FusionReasonInfo &info : allFusionReasons())
                             reasons.push_back(info.reason);
                           return reasons;
                         }()),
                         [](const auto &info) { return infoOf(info.param).code.str(); });

TEST(ReasonPages, HaveAReasonEach) {
  std::error_code error;
  size_t pages = 0;
  for (llvm::sys::fs::directory_iterator file(folder, error), end; file != end && !error; file.increment(error))
    ++pages;
  EXPECT_FALSE(error) << error.message();
  EXPECT_EQ(pages, allFusionReasons().size());
}

} // namespace

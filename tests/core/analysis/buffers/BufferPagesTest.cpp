// The Help pages of the reasons: there is one each, and its example is what it says.
#include "core/analysis/buffers/BuffersReport.h"
#include "core/ir/Session.h"
#include "core/registration/Registration.h"
#include "tests/core/analysis/fusion/ReasonPage.h"
#include <gtest/gtest.h>

namespace fuselage::test {
namespace {

struct BufferPage : testing::TestWithParam<BufferReasonInfo> {};

unsigned lineIn(const BuffersReport &report, OpId op) {
  auto found = report.ops.find(op);
  if (found == report.ops.end())
    return 0;
  unsigned line = 0;
  llvm::StringRef(found->second.loc).rsplit(':').first.rsplit(':').second.getAsInteger(10, line);
  return line;
}

TEST_P(BufferPage, ShowsTheReason) {
  const BufferReasonInfo &info = GetParam();
  std::string page = bufferPage(info.code).str();
  ASSERT_TRUE(llvm::StringRef(page).starts_with(("# " + info.code + "\n").str()));
  EXPECT_NE(page.find("## What may help"), std::string::npos);
  std::string example = exampleOn(page);
  ASSERT_FALSE(example.empty());
  Session session(allDialects());
  auto module = session.parse(example, "example.mlir");
  ASSERT_TRUE(static_cast<bool>(module)) << llvm::toString(module.takeError());
  auto report = reportBuffers(**module, {});
  ASSERT_TRUE(static_cast<bool>(report)) << llvm::toString(report.takeError());
  unsigned operandLine = lineOf(example, "out of place"), buffer = lineOf(example, "allocates"),
           move = lineOf(example, "moves");
  EXPECT_EQ((operandLine > 0) + (buffer > 0) + (move > 0), 1);
  bool found = false;
  for (const BufferOperandReport &operand : report->operands)
    found |= operand.buffer >= 0 && operand.decision.reason == info.reason &&
             lineIn(*report, operand.decision.place.op) == operandLine;
  for (const BufferReport &made : report->buffers)
    found |= made.reason == info.reason && lineIn(*report, made.op) == buffer;
  for (const BufferMoveReport &moved : report->moves)
    found |= moved.remains && moved.reason == info.reason && lineIn(*report, moved.op) == move;
  EXPECT_TRUE(found);
}

INSTANTIATE_TEST_SUITE_P(All, BufferPage, testing::ValuesIn(bufferReasons()),
                         [](const auto &info) { return info.param.code.str(); });

TEST(BufferPages, AreBuiltInForEveryReasonAlone) {
  EXPECT_EQ(bufferPage("NO_SUCH_REASON"), "");
  EXPECT_FALSE(bufferReasons().empty());
  for (const BufferReasonInfo &info : bufferReasons())
    EXPECT_EQ(&infoOf(info.reason), &info) << info.code.str();
}

} // namespace
} // namespace fuselage::test

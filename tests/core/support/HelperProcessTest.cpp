#include "core/support/process/HelperProcess.h"
#include <gtest/gtest.h>

using namespace fuselage;

namespace {

std::string failureOf(llvm::Expected<std::string> result) {
  return result ? "no failure" : takeFailure(result.takeError()).message;
}

TEST(HelperProcess, PipesALotThrough) {
  std::string input(3'000'000, 'x');
  llvm::Expected<std::string> output = runFilter("cat", {}, input, nullptr, 30, "");
  ASSERT_TRUE(static_cast<bool>(output));
  EXPECT_EQ(*output, input);
}

TEST(HelperProcess, MissingProgramGivesTheAdvice) {
  std::string message = failureOf(runFilter("no-such-program-anywhere", {}, "", nullptr, 1, "apt install it"));
  EXPECT_NE(message.find("apt install it"), std::string::npos);
}

TEST(HelperProcess, EndsAProgramThatHangs) {
  std::string message = failureOf(runFilter("sleep", {"60"}, "", nullptr, 0.1, ""));
  EXPECT_NE(message.find("did not finish"), std::string::npos);
}

TEST(HelperProcess, CancelEndsAProgram) {
  std::atomic<bool> cancelled = true;
  std::string message = failureOf(runFilter("sleep", {"60"}, "", &cancelled, 60, ""));
  EXPECT_NE(message.find("cancelled"), std::string::npos);
}

TEST(HelperProcess, SaysHowAProgramFailed) {
  std::string message = failureOf(runFilter("sh", {"-c", "echo broken >&2; exit 3"}, "", nullptr, 10, ""));
  EXPECT_NE(message.find("exit code 3"), std::string::npos);
  EXPECT_NE(message.find("broken"), std::string::npos);
  message = failureOf(runFilter("sh", {"-c", "kill -SEGV $$"}, "ignored", nullptr, 10, ""));
  EXPECT_NE(message.find("Segmentation fault"), std::string::npos);
}

} // namespace

// Requests that a copy of the engine answers.
#include "core/engine/MethodTable.h"
#include "core/support/Expendable.h"
#include <csignal>
#include <gtest/gtest.h>
#include <thread>
#include <unistd.h>

namespace fuselage::test {
namespace {

class CopiedAnswers : public testing::Test {
protected:
  llvm::Expected<std::string> ask(llvm::function_ref<llvm::Expected<std::string>()> answer) {
    return answerInCopy(engine, {.limits = {.seconds = 30}, .doing = "counting", .advice = "count less"}, answer);
  }
  /// The error as the client gets it.
  llvm::json::Object refusalOf(llvm::function_ref<llvm::Expected<std::string>()> answer) {
    auto text = ask(answer);
    EXPECT_FALSE(static_cast<bool>(text));
    return text ? llvm::json::Object() : *errorToJSON(text.takeError()).getAsObject();
  }

  unsigned notes = 0;
  Engine engine{[this](llvm::StringRef, const llvm::json::Value &) { ++notes; }};
};

TEST_F(CopiedAnswers, TextComesAsItIsAndNothingElse) {
  int count = 0;
  auto text = ask([&] {
    ++count;
    engine.send("step/started", nullptr);
    return std::string("{\"a\":\"\0\"}", 9);
  });
  ASSERT_TRUE(static_cast<bool>(text));
  EXPECT_EQ(*text, std::string("{\"a\":\"\0\"}", 9));
  EXPECT_EQ(count, 0);
  EXPECT_EQ(notes, 0u);
}

TEST_F(CopiedAnswers, ErrorsKeepTheirCodeAndDiagnostics) {
  auto wrong = [] { return llvm::make_error<RpcError>(RpcCode::InvalidParams, "no such number"); };
  EXPECT_EQ(llvm::json::Value(refusalOf(wrong)), errorToJSON(wrong()));
  auto failure = [] { return fail("it does not parse", {{.message = "expected '{'", .file = "a.mlir", .line = 3}}); };
  EXPECT_EQ(llvm::json::Value(refusalOf(failure)), errorToJSON(failure()));
}

TEST_F(CopiedAnswers, AfterACrashItIsAskedOnceMoreWithCare) {
  auto text = ask([]() -> llvm::Expected<std::string> {
    if (isExpendable())
      raise(SIGSEGV);
    return "with care";
  });
  ASSERT_TRUE(static_cast<bool>(text));
  EXPECT_EQ(*text, "with care");
  EXPECT_FALSE(isExpendable());
}

TEST_F(CopiedAnswers, ACrashEndsTheCopyAlone) {
  llvm::json::Object error = refusalOf([]() -> llvm::Expected<std::string> {
    raise(SIGSEGV);
    return "";
  });
  EXPECT_EQ(error.getString("message"), "counting crashes with signal 11 (Segmentation fault); count less");
}

TEST_F(CopiedAnswers, ACancelEndsWhatNeverEnds) {
  std::thread client([&] { engine.cancelled = true; });
  llvm::json::Object error = refusalOf([]() -> llvm::Expected<std::string> {
    for (;;)
      pause();
  });
  client.join();
  EXPECT_EQ(error.getString("message"), "counting was cancelled");
}

} // namespace
} // namespace fuselage::test

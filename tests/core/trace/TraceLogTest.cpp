// What is written can be read, whatever threads did.
#include "core/trace/TraceLog.h"
#include "core/support/Error.h"
#include "core/trace/TraceFile.h"
#include "llvm/Support/raw_ostream.h"
#include <gtest/gtest.h>
#include <thread>

namespace fuselage {
namespace {

std::string textOf(const TraceLog &log) {
  std::string text;
  llvm::raw_string_ostream os(text);
  log.write(os);
  return text;
}

TEST(TraceLogTest, isJsonThatIsReadBack) {
  TraceLog log;
  log.add(
      {.category = "step", .name = "two\n\"\x01", .start = 10, .duration = 5, .args = llvm::json::Object{{"step", 2}}});
  log.add({.category = "pass", .name = "one", .start = 10, .duration = 4.25});
  log.add({.category = "trial", .name = "t", .start = 1, .duration = 3, .thread = log.track("trials")});
  llvm::Expected<llvm::json::Value> json = llvm::json::parse(textOf(log));
  ASSERT_TRUE(bool(json)) << llvm::toString(json.takeError());
  EXPECT_EQ(json->getAsObject()->getArray("traceEvents")->size(), 6u); // a process and two rows have names
  auto trace = readTrace(textOf(log));
  ASSERT_TRUE(bool(trace)) << takeFailure(trace.takeError()).message;
  EXPECT_EQ(trace->threads, (std::vector<std::string>{"main", "trials"}));
  ASSERT_EQ(trace->spans.size(), 3u);
  EXPECT_EQ(trace->names[trace->spans[0].name], "two\n\"\x01");
  EXPECT_EQ(trace->spans[0].step, 2);
  EXPECT_EQ(trace->spans[1].depth, 1u);
  EXPECT_EQ(trace->spans[1].duration, 4.25);
}

TEST(TraceLogTest, takesEventsOfManyThreads) {
  TraceLog log;
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i)
    threads.emplace_back([&log] {
      for (int j = 0; j < 1000; ++j)
        log.add({.category = "rewrite", .name = "r", .start = log.now(), .thread = log.thread()});
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(log.size(), 8000u);
}

TEST(TraceLogTest, scopesCostNothingWithoutATrace) {
  ASSERT_EQ(traceLog(), nullptr);
  { TraceScope scope("run", "nothing"); }
  startTrace();
  {
    TraceScope outer("run", "outer");
    EXPECT_TRUE(bool(outer));
    outer.arg("text", "\xff");
    TraceScope inner("run", "inner");
  }
  auto trace = readTrace(textOf(*traceLog()));
  ASSERT_TRUE(bool(trace)) << takeFailure(trace.takeError()).message;
  EXPECT_EQ(trace->spans.size(), 2u);
  EXPECT_EQ(trace->names[trace->spans[0].name], "outer");
}

} // namespace
} // namespace fuselage

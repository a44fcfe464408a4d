// Traces of several tools, and files that are none.
#include "core/trace/TraceFile.h"
#include "core/support/Error.h"
#include <gtest/gtest.h>

namespace fuselage {
namespace {

TraceFile read(const std::string &text) {
  auto trace = readTrace(text);
  if (!trace) {
    ADD_FAILURE() << takeFailure(trace.takeError()).message;
    return {};
  }
  return std::move(*trace);
}

std::string errorOf(const std::string &text) {
  auto trace = readTrace(text);
  return trace ? "" : takeFailure(trace.takeError()).message;
}

TraceRow rowOf(const TraceFile &trace, const std::string &name) {
  for (const TraceRow &row : rowsOf(trace))
    if (trace.names[row.name] == name)
      return row;
  ADD_FAILURE() << "no row " << name;
  return {};
}

TEST(TraceFileTest, sumsUpCompleteEvents) {
  TraceFile trace = read(R"({"traceEvents": [
    {"name": "outer", "cat": "step", "ph": "X", "pid": 1, "tid": 1, "ts": 100, "dur": 50, "args": {"step": 3}},
    {"name": "inner", "cat": "pass", "ph": "X", "pid": 1, "tid": 1, "ts": 110, "dur": 10},
    {"name": "inner", "cat": "pass", "ph": "X", "pid": 1, "tid": 1, "ts": 120, "dur": 5.5}], "x": [{}, [1, "\u00e9"]]})");
  EXPECT_EQ(trace.duration, 50);
  EXPECT_EQ(rowOf(trace, "outer").self, 34.5);
  EXPECT_EQ(rowOf(trace, "outer").step, 3);
  EXPECT_EQ(rowOf(trace, "inner").count, 2u);
  EXPECT_EQ(rowOf(trace, "inner").total, 15.5);
  EXPECT_EQ(rowOf(trace, "inner").longest, 10);
  EXPECT_EQ(rowOf(trace, "inner").step, -1);
}

TEST(TraceFileTest, readsMlirOpt) {
  TraceFile trace = read(R"([{"name": "pass-execution", "cat": "PERF", "ph": "B", "pid": 0, "tid": 7, "ts": 10, "args":
      {"desc": "`pass-execution` running `CSE` on Operation `func.func`"}},
    {"name": "apply-pattern", "cat": "PERF", "ph": "B", "pid": 0, "tid": 7, "ts": 12, "args":
      {"desc": "`apply-pattern pattern: (anonymous namespace)::Fold"}},
    {"name": "apply-pattern", "cat": "PERF", "ph": "E", "pid": 0, "tid": 7, "ts": 15},
    {"name": "pass-execution", "cat": "PERF", "ph": "E", "pid": 0, "tid": 7, "ts": 20}])");
  EXPECT_EQ(rowOf(trace, "pass-execution CSE").total, 10);
  EXPECT_EQ(rowOf(trace, "pass-execution CSE").self, 7);
  EXPECT_EQ(rowOf(trace, "apply-pattern (anonymous namespace)::Fold").total, 3);
  EXPECT_EQ(trace.threads, std::vector<std::string>{"process 0, thread 7"});
}

TEST(TraceFileTest, countsRecursionOnce) {
  TraceFile trace = read(R"([{"name":"f","ph":"X","ts":0,"dur":10},{"name":"f","ph":"X","ts":1,"dur":8},
                             {"name":"f","ph":"X","ts":20,"dur":1}])");
  EXPECT_EQ(rowOf(trace, "f").total, 11);
  EXPECT_EQ(rowOf(trace, "f").self, 11);
  EXPECT_EQ(rowOf(trace, "f").count, 3u);
}

TEST(TraceFileTest, keepsThreadsApart) {
  TraceFile trace = read(R"([{"name":"thread_name","ph":"M","pid":1,"tid":2,"args":{"name":"worker"}},
    {"name":"a","ph":"B","pid":1,"tid":1,"ts":0},{"name":"b","ph":"B","pid":1,"tid":2,"ts":1},
    {"name":"a","ph":"E","pid":1,"tid":1,"ts":5},{"name":"b","ph":"E","pid":1,"tid":2,"ts":9}])");
  EXPECT_EQ(rowOf(trace, "a").total, 5);
  EXPECT_EQ(rowOf(trace, "b").total, 8);
  EXPECT_EQ(trace.threads[0], "worker");
}

TEST(TraceFileTest, readsWhatIsCut) {
  TraceFile trace =
      read("[{\"name\":\"a\",\"ph\":\"X\",\"ts\":0,\"dur\":1},\n{\"name\":\"b\",\"ph\":\"B\",\"ts\":5},\n{\"na");
  EXPECT_EQ(trace.spans.size(), 2u);
  EXPECT_EQ(trace.unfinished, 1u);
  EXPECT_EQ(trace.cut.find("line 3, column 5 (byte "), 0u) << trace.cut;
  EXPECT_NE(trace.cut.find("ends too early"), std::string::npos);
  // Chrome itself leaves the end open.
  EXPECT_EQ(read("[{\"name\":\"a\",\"ph\":\"X\",\"ts\":0,\"dur\":1},").spans.size(), 1u);
  EXPECT_EQ(read("[{\"name\":\"a\",\"ph\":\"X\",\"ts\":0,\"dur\":1},]").cut, "");
}

TEST(TraceFileTest, namesThePlaceOfAnError) {
  EXPECT_NE(errorOf("[{\"name\": \"a\"},\n {\"ts\": NaN}]").find("line 2, column 9 (byte 24): expected a value"),
            std::string::npos)
      << errorOf("[{\"name\": \"a\"},\n {\"ts\": NaN}]");
  EXPECT_NE(errorOf("[{\"ts\": 1-2}]").find("'1-2' is no number"), std::string::npos);
  EXPECT_NE(errorOf("[{\"name\": \"\\q\"}]").find("no escape of JSON"), std::string::npos);
  EXPECT_NE(errorOf("[] x").find("something follows"), std::string::npos);
  EXPECT_NE(errorOf("{\"a\": 1}").find("no traceEvents"), std::string::npos);
  EXPECT_NE(errorOf("module {}").find("neither an array"), std::string::npos);
  EXPECT_NE(errorOf("").find("neither an array"), std::string::npos);
  EXPECT_NE(errorOf("[1]").find("expected '{'"), std::string::npos);
}

TEST(TraceFileTest, leavesOutWhatMakesNoSense) {
  TraceFile trace = read(R"([{"name":"huge","ph":"X","ts":1e999,"dur":1},{"name":"back","ph":"X","ts":1,"dur":-1},
    {"name":"text","ph":"X","ts":"now"},{"name":"long","ph":"X","ts":0,"dur":1e300},{"name":"end","ph":"E","ts":3},
    {"name":"no phase"},{"name":"mark","ph":"i","ts":4},{"name":"counter","ph":"C","ts":4},
    {"name":"good","ph":"X","ts":-5,"dur":2,"pid":1e300,"tid":"main"}])");
  EXPECT_EQ(trace.skipped, 6u);
  EXPECT_EQ(trace.instants, 1u);
  EXPECT_EQ(trace.others, 1u);
  ASSERT_EQ(trace.spans.size(), 1u);
  EXPECT_EQ(trace.spans[0].start, 0);
}

TEST(TraceFileTest, survivesDepth) {
  const std::string deep(1'000'000, '[');
  EXPECT_NE(errorOf("{\"x\": " + deep).find("nested more than 100"), std::string::npos);
  EXPECT_NE(errorOf("[{\"args\": {\"x\": " + deep + "}}]").find("nested more than 100"), std::string::npos);
  std::string open = "[";
  for (int i = 0; i < 200'000; ++i) // begins without ends
    open += R"({"name":"a","ph":"B","ts":)" + std::to_string(i) + "},";
  TraceFile trace = read(open);
  EXPECT_EQ(trace.unfinished, 200'000u);
  EXPECT_EQ(trace.spans[199'998].depth, 199'998u); // the one after it begins where all end
}

TEST(TraceFileTest, readsAMillionEvents) {
  std::string text = "[";
  for (int i = 0; i < 1'000'000; ++i)
    text += (i ? ",\n" : "") + std::string(R"({"name":"n)") + std::to_string(i % 50) +
            R"(","ph":"X","pid":1,"tid":1,"ts":)" + std::to_string(i * 3) + R"(,"dur":2})";
  TraceFile trace = read(text + "]");
  EXPECT_EQ(trace.spans.size(), 1'000'000u);
  EXPECT_EQ(rowsOf(trace).size(), 50u);
  std::vector<TracePiece> all = piecesOf(trace, 0, trace.duration, 1000);
  EXPECT_LE(all.size(), 2000u);
  uint64_t count = 0;
  for (const TracePiece &piece : all)
    count += piece.count;
  EXPECT_EQ(count, 1'000'000u);
  EXPECT_EQ(piecesOf(trace, 30, 60, 1000).size(), 10u);
}

} // namespace
} // namespace fuselage

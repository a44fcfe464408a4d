// Foreign files: traces that are cut and changed anywhere are read, or are an error with a place.
#include "core/support/Error.h"
#include "core/trace/TraceFile.h"
#include <cmath>
#include <gtest/gtest.h>
#include <random>

namespace fuselage {
namespace {

const std::string kTrace = R"({"displayTimeUnit": "ms", "traceEvents": [
{"name":"process_name","ph":"M","pid":7,"tid":0,"args":{"name":"fuselage"}},
{"name":"step \u00e9 \ud83d\ude00","cat":"step","ph":"X","pid":7,"tid":0,"ts":12.5,"dur":1e3,"args":{"step":1,"ok":true,"no":null}},
{"name":"pass-execution","cat":"PERF","ph":"B","pid":0,"tid":"t","ts":10,"args":{"desc":"`pass-execution` running `CSE`"}},
{"name":"pass-execution","cat":"PERF","ph":"E","pid":0,"tid":"t","ts":-20},
{"name":"mark","ph":"i","ts":4},{"name":"c","ph":"C","ts":4,"args":{"v":[1,2,{"x":[]}]}}
],"otherData":{"a":[{},[],"\\\"",false]}})";

/// Reads it, and looks at all that is made of it.
void exercise(const std::string &text) {
  auto trace = readTrace(text);
  if (!trace) {
    std::string message = takeFailure(trace.takeError()).message;
    EXPECT_EQ(message.find("it is no trace"), 0u) << message;
    return;
  }
  for (const TraceRow &row : rowsOf(*trace)) {
    EXPECT_TRUE(std::isfinite(row.total) && std::isfinite(row.self) && row.self >= 0 && row.total >= row.longest);
  }
  for (const TracePiece &piece : piecesOf(*trace, 0, trace->duration + 1, 100))
    EXPECT_LT(piece.name, trace->names.size());
}

TEST(TraceMutationTest, everyCutIsReadOrAnError) {
  for (size_t length = 0; length <= kTrace.size(); ++length)
    exercise(kTrace.substr(0, length));
}

TEST(TraceMutationTest, changesAreReadOrAnError) {
  std::mt19937 random(35);
  const std::string letters = "{}[]\",:\\-+.eE0123456789untfasx \n\x01\xff";
  const std::vector<std::string> words{"1e999", "-1e308",       "NaN",       "Infinity", "1e18",
                                       "null",  "\"ph\":\"E\"", "\"ts\":",   "\\ud800",  "18446744073709551616",
                                       "[[[[",  "}}",           "\"dur\":-1"};
  for (int round = 0; round < 20'000; ++round) {
    std::string text = kTrace;
    for (unsigned change = 0, changes = 1 + random() % 4; change < changes; ++change) {
      const size_t at = random() % text.size();
      switch (random() % 4) {
      case 0:
        text[at] = letters[random() % letters.size()];
        break;
      case 1:
        text.erase(at, 1 + random() % 8);
        break;
      case 2:
        text.insert(at, words[random() % words.size()]);
        break;
      default:
        text.insert(at, text.substr(random() % text.size(), random() % 40));
      }
      if (text.empty())
        text = " ";
    }
    exercise(text);
  }
}

} // namespace
} // namespace fuselage

// The fates of handles against the interpreter, at every position of the scripts that exercise MLIR's transform ops.
#include "tests/core/schedules/trace/UpstreamScripts.h"
#include "tests/core/schedules/trace/HandleUse.h"
#include <set>

namespace fuselage::test {
namespace {

struct Tally {
  unsigned compared = 0, dead = 0, unreadable = 0;
};

void compareAll(Stage &stage, const std::string &text, Tally &tally) {
  Trace trace = stage.run(text);
  std::vector<std::string> lines = linesOf(text);
  std::set<std::pair<unsigned, std::string>> done;
  for (unsigned at = 1; at < trace.steps.size(); ++at) {
    unsigned line = trace.steps[at].op < 0 ? 0 : stage.script->ops[trace.steps[at].op].line;
    if (line == 0 || isImplied(*stage.script, trace.steps[at]) || !trace.positions[at])
      continue;
    for (const HandleRow &row : trace.positions[at]->handles) {
      if (row.kind == HandleRow::Kind::Param || !done.insert({line, row.name}).second)
        continue;
      bool isLive = isLiveAt(*stage.script, trace, line, row.name);
      std::optional<bool> may = mayUse(stage, lines, line, row);
      tally.unreadable += !may;
      if (!may)
        continue;
      EXPECT_EQ(*may, isLive) << row.name << " in front of line " << line << " of\n" << text;
      ++tally.compared;
      tally.dead += !isLive;
    }
  }
}

TEST(UpstreamScripts, HandleFatesAgreeWithTheInterpreterEverywhere) {
  Tally tally;
  std::vector<UpstreamScript> scripts = upstreamScripts();
  for (const UpstreamScript &script : scripts) {
    Stage stage(script.payload);
    ASSERT_TRUE(stage.payload);
    compareAll(stage, script.text, tally);
  }
  EXPECT_GE(scripts.size(), 80u);
  EXPECT_GT(tally.compared, 1000u);
  EXPECT_GT(tally.dead, 100u);
  EXPECT_LT(tally.unreadable, tally.compared / 50);
  RecordProperty("compared", static_cast<int>(tally.compared));
  RecordProperty("dead", static_cast<int>(tally.dead));
  RecordProperty("unreadable", static_cast<int>(tally.unreadable));
}

} // namespace
} // namespace fuselage::test

// The fates of handles against the interpreter with expensive checks: in random schedules, a use of a handle is put
// somewhere, and the interpreter says whether it may be used there.
#include "tests/core/schedules/trace/HandleUse.h"
#include "tests/core/schedules/trace/RandomSchedule.h"

namespace fuselage::test {
namespace {

TEST(HandleFates, AgreeWithTheInterpreterOnRandomSchedules) {
  Stage stage;
  std::mt19937 random = randomOf(0, 1);
  unsigned compared = 0, dead = 0, ran = 0;
  unsigned count = draws(1000);
  for (unsigned seed = 0; seed < count; ++seed) {
    std::string text = Stage::mainOf(RandomSchedule(seed).body());
    if (auto script = parseScript(stage.session, text, "random.mlir"); !script) {
      llvm::consumeError(script.takeError()); // MLIR's verifier sees that it consumes a handle twice
      continue;
    }
    Trace trace = stage.run(text);
    if (trace.failed)
      continue; // it used a dead handle itself
    ++ran;
    std::vector<std::string> lines = linesOf(text);
    for (unsigned probe = 0; probe < 4; ++probe) {
      unsigned at = 1 + random() % (trace.steps.size() - 1);
      const std::vector<HandleRow> &rows = trace.positions[at]->handles;
      auto isDead = [](const HandleRow &row) { return row.fate.state != HandleFate::State::Live; };
      auto firstDead = llvm::find_if(rows, isDead);
      const HandleRow &row = probe % 2 && firstDead != rows.end() ? *firstDead : rows[random() % rows.size()];
      unsigned line = stage.script->ops[trace.steps[at].op].line;
      if (row.kind == HandleRow::Kind::Param || !llvm::StringRef(lines[line - 1]).contains("transform."))
        continue;
      bool isLive = isLiveAt(*stage.script, trace, line, row.name);
      std::optional<bool> may = mayUse(stage, lines, line, row);
      ASSERT_TRUE(may) << text;
      ASSERT_EQ(*may, isLive) << row.name << " in front of line " << line << " of\n" << text;
      ++compared;
      dead += !isLive;
    }
  }
  EXPECT_GT(ran, count / 4);
  EXPECT_GT(compared, count / 2);
  EXPECT_GT(dead, compared / 40);
}

} // namespace
} // namespace fuselage::test

// Predicted uses of dead handles against what the interpreter refuses, with its expensive checks.
#include "core/schedules/script/DeadUses.h"
#include "tests/core/schedules/trace/HandleUse.h"
#include "tests/core/schedules/trace/RandomSchedule.h"
#include "tests/core/schedules/trace/UpstreamScripts.h"

namespace fuselage::test {
namespace {

struct Tally {
  unsigned refused = 0, direct = 0, certain = 0, possible = 0, possibleAndRefused = 0;
};

bool isRefused(const TraceStep &step) {
  return step.outcome == TraceStep::Outcome::Definite && !step.diagnostics.empty() &&
         llvm::StringRef(step.diagnostics.front().message).contains("invalidated by a previously executed");
}

bool names(const Diagnostic &diagnostic, unsigned line, llvm::StringRef handle) {
  return diagnostic.line == line && llvm::StringRef(diagnostic.message).starts_with((handle + " ").str());
}

/// Traces the script, which asks the interpreter, and compares with what was predicted.
void compare(Stage &stage, const std::string &text, Tally &tally) {
  auto script = parseScript(stage.session, text, "schedule.mlir");
  ASSERT_TRUE(static_cast<bool>(script));
  std::vector<Diagnostic> predicted = predictDeadUses(*script);
  Trace trace = stage.run(text);
  std::vector<std::string> lines = linesOf(text);
  for (unsigned at = 1; at < trace.steps.size(); ++at) {
    const TraceStep &step = trace.steps[at];
    unsigned line = stage.script->ops[step.op].line;
    tally.refused += isRefused(step);
    for (const Diagnostic &diagnostic : predicted) {
      if (diagnostic.line != line || step.isEnd)
        continue;
      bool isCertain = diagnostic.severity == Diagnostic::Severity::Error;
      tally.certain += isCertain;
      tally.possible += !isCertain;
      tally.possibleAndRefused += !isCertain && isRefused(step);
      if (isCertain) {
        EXPECT_TRUE(isRefused(step)) << formatDiagnostic(diagnostic) << "\n" << text;
      }
    }
    if (!isRefused(step) || !trace.positions[at])
      continue;
    for (const HandleRow &row : trace.positions[at]->handles) { // the one that it was refused for is among them
      bool isUsed = llvm::StringRef(lines[line - 1]).split('=').second.contains(row.name + " ");
      if (row.fate.state != HandleFate::State::Consumed || !isUsed)
        continue;
      ++tally.direct;
      EXPECT_TRUE(llvm::any_of(predicted, [&](const Diagnostic &each) { return names(each, line, row.name); }))
          << row.name << " in line " << line << " of\n"
          << text;
    }
  }
}

TEST(DeadUses, PredictionsAgreeWithTheInterpreterOnRandomSchedules) {
  Stage stage;
  Tally tally;
  unsigned count = draws(1000);
  for (unsigned seed = 0; seed < count; ++seed) {
    std::string text = Stage::mainOf(RandomSchedule(seed).body());
    if (auto script = parseScript(stage.session, text, "random.mlir"); !script)
      llvm::consumeError(script.takeError()); // MLIR's verifier sees that it consumes a handle twice
    else
      compare(stage, text, tally);
  }
  EXPECT_GT(tally.refused, count / 20);
  EXPECT_GT(tally.direct, count / 50);
  EXPECT_GT(tally.certain, count / 50);
  EXPECT_GT(tally.possibleAndRefused, 0u);
  for (auto [name, number] :
       {std::pair("refused", tally.refused), std::pair("direct", tally.direct), std::pair("certain", tally.certain),
        std::pair("possible", tally.possible), std::pair("possibleAndRefused", tally.possibleAndRefused)})
    RecordProperty(name, static_cast<int>(number));
}

TEST(DeadUses, PredictionsAgreeWithTheInterpreterOnUpstreamsOps) {
  Tally tally;
  for (const UpstreamScript &script : upstreamScripts()) {
    Stage stage(script.payload);
    compare(stage, script.text, tally);
  }
  EXPECT_GE(tally.refused, 3u);
}

std::vector<std::string> predictedIn(llvm::StringRef body, llvm::StringRef others = "") {
  Stage stage;
  std::vector<std::string> found;
  auto script = parseScript(stage.session, Stage::mainOf(body, others), "s.mlir");
  EXPECT_TRUE(static_cast<bool>(script)) << (script ? "" : takeFailure(script.takeError()).message);
  if (script)
    for (const Diagnostic &each : predictDeadUses(*script))
      found.push_back(formatDiagnostic(each));
  return found;
}

constexpr const char *kMatch =
    "%m = transform.structured.match ops{[\"linalg.matmul\"]} in %root : (!transform.any_op) -> !transform.any_op\n";
constexpr const char *kEat = "%g = transform.structured.generalize %m : (!transform.any_op) -> !transform.any_op\n";
constexpr const char *kUse = "transform.annotate %m \"late\" : !transform.any_op\n";

TEST(DeadUses, ACertainOneSaysWhereAndSinceWhen) {
  std::vector<std::string> found = predictedIn(std::string(kMatch) + kEat + kUse);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0], "s.mlir:5:20: error: %m is used here, and line 4 consumed it\n"
                      "s.mlir:4:38: note: %m is consumed here");
}

TEST(DeadUses, WhatASilencedSequenceConsumesIsInDoubt) {
  std::string inner =
      std::string("transform.sequence %root : !transform.any_op failures(suppress) {\n^bb0(%r: !transform.any_op):\n") +
      kEat + "}\n";
  std::vector<std::string> found = predictedIn(kMatch + inner + kUse);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NE(found[0].find("warning: %m may be dead here: line 6 consumes it where it is reached"), std::string::npos)
      << found[0];
  inner.replace(inner.find("suppress"), 8, "propagate");
  found = predictedIn(kMatch + inner + kUse);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NE(found[0].find("error: %m is used here"), std::string::npos) << found[0];
}

TEST(DeadUses, AnIterationMayFindWhatTheOneBeforeConsumed) {
  std::vector<std::string> found = predictedIn(
      std::string(kMatch) +
      "%f = transform.structured.match ops{[\"func.func\"]} in %root : (!transform.any_op) -> !transform.any_op\n"
      "transform.foreach %f : !transform.any_op {\n^bb0(%e: !transform.any_op):\n" +
      kEat + "}\n" + kUse);
  ASSERT_EQ(found.size(), 2u);
  for (const std::string &each : found)
    EXPECT_NE(each.find("warning: %m may be dead here: line 7"), std::string::npos) << each;
}

TEST(DeadUses, WhatLiesInsideMayBeGone) {
  std::vector<std::string> found = predictedIn(
      "%f = transform.structured.match ops{[\"func.func\"]} in %root : (!transform.any_op) -> !transform.any_op\n"
      "%m = transform.structured.match ops{[\"linalg.matmul\"]} in %f : (!transform.any_op) -> !transform.any_op\n"
      "%n = transform.apply_registered_pass \"cse\" to %f : (!transform.any_op) -> !transform.any_op\n" +
      std::string(kUse));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NE(
      found[0].find("warning: %m may be dead here: line 5 consumes %f, which may hold an op around it or the same"),
      std::string::npos)
      << found[0];
}

TEST(DeadUses, PartsOfOneHandleLiveOnTheirOwn) {
  EXPECT_TRUE(
      predictedIn(
          "%all = transform.structured.match ops{[\"linalg.fill\", \"linalg.matmul\"]} in %root : (!transform.any_op) "
          "-> !transform.any_op\n"
          "%fill, %m = transform.split_handle %all : (!transform.any_op) -> (!transform.any_op, !transform.any_op)\n"
          "%h = transform.structured.generalize %fill : (!transform.any_op) -> !transform.any_op\n" +
          std::string(kEat))
          .empty());
}

TEST(DeadUses, HandingOnAConsumedHandleIsStopped) {
  const char *take =
      "transform.named_sequence @take(%m: !transform.any_op {transform.consumed}) -> !transform.any_op {\n"
      "%g = transform.structured.generalize %m : (!transform.any_op) -> !transform.any_op\n"
      "transform.yield %m : !transform.any_op\n}\n";
  std::string body =
      std::string(kMatch) +
      "%t = transform.include @take failures(propagate) (%m) : (!transform.any_op) -> !transform.any_op\n";
  std::vector<std::string> found = predictedIn(body, take);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NE(found[0].find("s.mlir:4:17: error: %m is used here, and line 3 consumed it"), std::string::npos)
      << found[0];
  Stage stage;
  Trace trace = stage.runMain(body, take);
  EXPECT_TRUE(trace.failed);
  ASSERT_FALSE(trace.steps.back().diagnostics.empty());
  EXPECT_EQ(trace.steps.back().diagnostics.front().message,
            "%m is handed on here, and was consumed; LLVM 22 crashes then");
}

} // namespace
} // namespace fuselage::test

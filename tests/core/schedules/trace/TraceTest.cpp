#include "tests/core/schedules/ScheduleTestSupport.h"

namespace fuselage::test {
namespace {

using Outcome = TraceStep::Outcome;
using State = HandleFate::State;

constexpr const char *kMatch =
    "%mm = transform.structured.match ops{[\"linalg.matmul\"]} in %root : (!transform.any_op) -> !transform.any_op\n";

TEST(Trace, FollowsAHandleToItsEnd) {
  Stage stage;
  Trace trace = stage.runMain(std::string(kMatch) +
                              "%g = transform.structured.generalize %mm : (!transform.any_op) -> !transform.any_op\n");
  ASSERT_FALSE(trace.failed);
  ASSERT_EQ(trace.steps.size(), 4u); // main, match, generalize, its end
  const HandleRow *before = rowOf(trace, 2, "%mm");
  ASSERT_TRUE(before);
  EXPECT_EQ(before->fate.state, State::Live);
  ASSERT_EQ(before->ops.size(), 1u);
  const HandleRow *after = rowOf(trace, 3, "%mm");
  ASSERT_TRUE(after);
  EXPECT_EQ(after->fate.state, State::Consumed);
  EXPECT_EQ(after->fate.by, 2u);
  EXPECT_TRUE(rowOf(trace, 3, "%g"));
  EXPECT_EQ(trace.steps[1].changed, false);
  EXPECT_EQ(trace.steps[2].changed, true);
  EXPECT_EQ(trace.steps[0].changed, true);
}

TEST(Trace, AnOpInsideOfAConsumedOneIsGone) {
  Stage stage;
  Trace trace =
      stage.runMain(std::string(kMatch) +
                    "%v = transform.get_result %mm[0] : (!transform.any_op) -> !transform.any_value\n"
                    "%f = transform.structured.match ops{[\"func.func\"]} attributes{sym_name = \"f\"} in %root : "
                    "(!transform.any_op) -> !transform.any_op\n"
                    "%p = transform.apply_registered_pass \"cse\" to %f : (!transform.any_op) -> !transform.any_op\n");
  ASSERT_FALSE(trace.failed);
  unsigned end = trace.steps.size() - 1;
  EXPECT_EQ(rowOf(trace, end, "%mm")->fate.state, State::Invalidated);
  EXPECT_EQ(rowOf(trace, end, "%v")->fate.state, State::Invalidated);
  EXPECT_EQ(rowOf(trace, end, "%f")->fate.state, State::Consumed);
  EXPECT_EQ(rowOf(trace, end, "%p")->fate.state, State::Live);
  EXPECT_EQ(rowOf(trace, end, "%root")->fate.state, State::Live);
}

TEST(Trace, EachIterationIsAFrame) {
  Stage stage;
  Trace trace = stage.runMain(
      "%all = transform.structured.match interface{LinalgOp} in %root : (!transform.any_op) -> !transform.any_op\n"
      "transform.foreach %all : !transform.any_op {\n"
      "^bb0(%one: !transform.any_op):\n"
      "  %g = transform.structured.generalize %one : (!transform.any_op) -> !transform.any_op\n"
      "}\n");
  ASSERT_FALSE(trace.failed);
  std::vector<unsigned> steps = stepsOf(*stage.script, trace, "transform.structured.generalize");
  ASSERT_EQ(steps.size(), 4u);
  for (unsigned i = 0; i < steps.size(); ++i) {
    EXPECT_EQ(trace.steps[steps[i]].iteration, i);
    EXPECT_EQ(trace.framesOf(steps[i]).size(), 2u);
    EXPECT_EQ(rowOf(trace, steps[i], "%one")->fate.state, State::Live); // again and again
    EXPECT_FALSE(rowOf(trace, steps[i], "%g"));                         // not yet, in this iteration
  }
}

TEST(Trace, ShowsWhatAnAlternativeTriesAndWhyItFails) {
  Stage stage;
  Trace trace =
      stage.runMain("%f = transform.structured.match ops{[\"func.func\"]} attributes{sym_name = \"f\"} in %root : "
                    "(!transform.any_op) -> !transform.any_op\n"
                    "transform.alternatives %f : !transform.any_op {\n"
                    "^bb0(%scope: !transform.any_op):\n"
                    "  %m1 = transform.structured.match ops{[\"linalg.matmul\"]} in %scope : (!transform.any_op) -> "
                    "!transform.any_op\n"
                    "  %g = transform.structured.generalize %m1 : (!transform.any_op) -> !transform.any_op\n"
                    "  %h = transform.structured.hoist_pad %g by 1 loops : (!transform.any_op) -> !transform.any_op\n"
                    "}, {\n"
                    "^bb0(%scope: !transform.any_op):\n"
                    "  %m2 = transform.structured.match ops{[\"linalg.matmul\"]} in %scope : (!transform.any_op) -> "
                    "!transform.any_op\n"
                    "  transform.annotate %m2 \"kept\" : !transform.any_op\n"
                    "}\n");
  ASSERT_FALSE(trace.failed);
  unsigned hoist = stepsOf(*stage.script, trace, "transform.structured.hoist_pad").front();
  EXPECT_EQ(trace.steps[hoist].outcome, Outcome::Silenceable);
  EXPECT_TRUE(trace.steps[hoist].suppressed);
  ASSERT_FALSE(trace.steps[hoist].diagnostics.empty());
  EXPECT_EQ(trace.steps[hoist].diagnostics.front().message, "transform applied to the wrong op kind");
  ASSERT_EQ(trace.steps[hoist].diagnostics.front().notes.size(), 2u); // upstream's, and the cause
  // The copy that the alternative changes is what is shown.
  const HandleRow *generic = rowOf(trace, hoist, "%g");
  ASSERT_TRUE(generic);
  ASSERT_EQ(generic->ops.size(), 1u);
  EXPECT_TRUE(llvm::StringRef(PrintedModule(mlir::ModuleOp(**trace.positions[hoist]->payload)).text())
                  .contains("linalg.generic"));
  unsigned annotate = stepsOf(*stage.script, trace, "transform.annotate").front();
  EXPECT_EQ(trace.steps[annotate].block, 1u);
  std::string result = PrintedModule(*trace.result).text();
  EXPECT_FALSE(llvm::StringRef(result).contains("linalg.generic"));
  EXPECT_TRUE(llvm::StringRef(result).contains("kept"));
  EXPECT_EQ(trace.steps[stepsOf(*stage.script, trace, "transform.alternatives").front()].changed, true);
}

TEST(Trace, IncludesAreFrames) {
  Stage stage;
  Trace trace = stage.runMain(
      std::string(kMatch) +
          "%t = transform.include @tile failures(propagate) (%mm) : (!transform.any_op) -> !transform.any_op\n"
          "transform.annotate %t \"tiled\" : !transform.any_op\n",
      "transform.named_sequence @tile(%op: !transform.any_op {transform.consumed}) -> !transform.any_op {\n"
      "  %t, %l:2 = transform.structured.tile_using_for %op tile_sizes [16, 16] : (!transform.any_op) -> "
      "(!transform.any_op, !transform.any_op, !transform.any_op)\n"
      "  transform.yield %t : !transform.any_op\n"
      "}\n");
  ASSERT_FALSE(trace.failed);
  unsigned tile = stepsOf(*stage.script, trace, "transform.structured.tile_using_for").front();
  std::vector<unsigned> frames = trace.framesOf(tile);
  ASSERT_EQ(frames.size(), 2u);
  EXPECT_EQ(stage.script->ops[trace.steps[frames[1]].op].name, "transform.include");
  ASSERT_TRUE(trace.positions[tile]);
  EXPECT_EQ(trace.positions[tile]->handles.size(), 1u); // nothing of the caller's
  EXPECT_EQ(rowOf(trace, trace.steps.size() - 1, "%t")->ops.size(), 1u);
}

TEST(Trace, MatchersSayWhyTheyDoNot) {
  Stage stage;
  Trace trace = stage.runMain(
      "%r = transform.foreach_match in %root @is_matmul -> @mark : (!transform.any_op) -> !transform.any_op\n",
      "transform.named_sequence @is_matmul(%op: !transform.any_op {transform.readonly}) -> !transform.any_op {\n"
      "  transform.match.operation_name %op [\"linalg.matmul\"] : !transform.any_op\n"
      "  transform.yield %op : !transform.any_op\n"
      "}\n"
      "transform.named_sequence @mark(%op: !transform.any_op {transform.readonly}) {\n"
      "  transform.annotate %op \"found\" : !transform.any_op\n"
      "  transform.yield\n"
      "}\n");
  ASSERT_FALSE(trace.failed);
  std::vector<unsigned> matches = stepsOf(*stage.script, trace, "transform.match.operation_name");
  unsigned ok = llvm::count_if(matches, [&](unsigned step) { return trace.steps[step].outcome == Outcome::Success; });
  EXPECT_EQ(ok, 1u);
  EXPECT_GT(matches.size(), 1u);
  for (unsigned step : matches)
    if (trace.steps[step].outcome == Outcome::Silenceable) {
      EXPECT_TRUE(trace.steps[step].suppressed);
      EXPECT_EQ(trace.steps[step].diagnostics.front().message, "wrong operation name");
    }
  EXPECT_EQ(stepsOf(*stage.script, trace, "transform.annotate").size(), 1u);
}

TEST(Trace, AFailureIsAResult) {
  Stage stage;
  Trace trace =
      stage.runMain(std::string(kMatch) +
                    "%h = transform.structured.hoist_pad %mm by 1 loops : (!transform.any_op) -> !transform.any_op\n"
                    "transform.annotate %h \"never\" : !transform.any_op\n");
  EXPECT_TRUE(trace.failed);
  unsigned hoist = stepsOf(*stage.script, trace, "transform.structured.hoist_pad").front();
  EXPECT_EQ(trace.steps[hoist].outcome, Outcome::Silenceable);
  EXPECT_FALSE(trace.steps[hoist].suppressed);
  EXPECT_TRUE(stepsOf(*stage.script, trace, "transform.annotate").empty());
  EXPECT_TRUE(trace.result); // what was done up to there
}

TEST(Trace, ParametersHaveValues) {
  Stage stage;
  Trace trace = stage.runMain(std::string(kMatch) +
                              "%c = transform.param.constant 16 : i64 -> !transform.param<i64>\n"
                              "%n = transform.num_associations %mm : (!transform.any_op) -> !transform.param<i64>\n");
  unsigned end = trace.steps.size() - 1;
  EXPECT_EQ(rowOf(trace, end, "%c")->details, std::vector<std::string>{"16 : i64"});
  EXPECT_EQ(rowOf(trace, end, "%n")->details, std::vector<std::string>{"1 : i64"});
  EXPECT_EQ(rowOf(trace, end, "%n")->kind, HandleRow::Kind::Param);
}

TEST(Trace, PositionsShareAPayloadThatStays) {
  Stage stage;
  Trace trace = stage.runMain(
      std::string(kMatch) +
      "%again = transform.merge_handles %mm : !transform.any_op\ntransform.annotate %mm \"x\" : !transform.any_op\n");
  ASSERT_EQ(trace.steps.size(), 5u);
  EXPECT_EQ(trace.positions[1]->payload, trace.positions[3]->payload);
  EXPECT_NE(trace.positions[3]->payload, trace.positions[4]->payload);
}

TEST(Trace, AWindowIsWhatTheWholeTraceHasThere) {
  const char *body =
      "%all = transform.structured.match interface{LinalgOp} in %root : (!transform.any_op) -> !transform.any_op\n"
      "transform.foreach %all : !transform.any_op {\n"
      "^bb0(%one: !transform.any_op):\n"
      "  %g = transform.structured.generalize %one : (!transform.any_op) -> !transform.any_op\n"
      "}\n";
  Stage stage;
  Trace whole = stage.runMain(body);
  ASSERT_GT(whole.steps.size(), 2u);
  for (unsigned at = 0; at < whole.steps.size(); ++at) {
    TraceOptions options;
    options.first = at;
    options.last = at + 1;
    Trace part = stage.runMain(body, "", options);
    ASSERT_EQ(part.steps.size(), whole.steps.size());
    ASSERT_TRUE(part.positions[at]);
    EXPECT_EQ(PrintedModule(mlir::ModuleOp(**part.positions[at]->payload)).text(),
              PrintedModule(mlir::ModuleOp(**whole.positions[at]->payload)).text());
    EXPECT_EQ(part.positions[at]->handles.size(), whole.positions[at]->handles.size());
    if (at > 0) {
      EXPECT_FALSE(part.positions[at - 1]);
    }
  }
}

TEST(Trace, KeepsAsManyPositionsAsItMay) {
  Stage stage;
  TraceOptions options;
  options.last = 0;
  options.budget = 0.25; // and 30 ms, which is plenty here
  options.mostPositions = 2;
  Trace trace = stage.runMain(
      std::string(kMatch) + "%g = transform.structured.generalize %mm : (!transform.any_op) -> !transform.any_op\n", "",
      options);
  EXPECT_EQ(llvm::count_if(trace.positions, [](const auto &position) { return position.has_value(); }), 2);
  EXPECT_EQ(trace.steps[2].changed, true);
  options.budget = 0;
  trace = stage.runMain(std::string(kMatch) +
                            "%g = transform.structured.generalize %mm : (!transform.any_op) -> !transform.any_op\n",
                        "", options);
  EXPECT_TRUE(llvm::none_of(trace.positions, [](const auto &position) { return position.has_value(); }));
  EXPECT_FALSE(trace.steps[2].changed);
}

TEST(Trace, StopsWhereItIsTold) {
  Stage stage;
  TraceOptions options;
  options.limit = 2;
  Trace trace =
      stage.runMain(std::string(kMatch) + "transform.annotate %mm \"marked\" : !transform.any_op\n", "", options);
  EXPECT_EQ(trace.steps.size(), 3u);
  EXPECT_EQ(trace.steps[2].outcome, Outcome::Unfinished);
  EXPECT_FALSE(llvm::StringRef(PrintedModule(*trace.result).text()).contains("marked"));
}

TEST(Script, QuotesNoFileThatALocationNames) {
  Stage stage;
  auto script =
      parseScript(stage.session,
                  Stage::mainOf("transform.annotate %root \"x\" : !transform.any_op loc(\"" FUSELAGE_SOURCE_DIR
                                "/README.md\":1:1)\n"),
                  "s.mlir");
  ASSERT_TRUE(static_cast<bool>(script));
  EXPECT_TRUE(llvm::any_of(script->ops, [](const ScriptOp &op) { return op.text == "transform.annotate"; }));
  EXPECT_TRUE(
      llvm::none_of(script->ops, [](const ScriptOp &op) { return llvm::StringRef(op.text).contains("Fuselage"); }));
}

TEST(Script, RefusesWhatCrashesTheInterpreter) {
  Stage stage;
  auto script = parseScript(
      stage.session,
      Stage::mainOf(std::string(kMatch) +
                    "%c = transform.param.constant 16 : i64 -> !transform.any_param\n"
                    "%t, %l = transform.structured.tile_using_for %mm tile_sizes [%c] : (!transform.any_op, "
                    "!transform.any_param) -> (!transform.any_op, !transform.any_op)\n"),
      "s.mlir");
  ASSERT_FALSE(static_cast<bool>(script));
  Failure failure = takeFailure(script.takeError());
  EXPECT_NE(failure.message.find("!transform.param<i64>"), std::string::npos);
  ASSERT_EQ(failure.diagnostics.size(), 1u);
  EXPECT_EQ(failure.diagnostics.front().line, 5u);
}

} // namespace
} // namespace fuselage::test

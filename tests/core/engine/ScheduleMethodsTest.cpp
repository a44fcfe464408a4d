// schedule/* and forms/*, asked of the real process.
#include "tests/core/engine/EngineProcess.h"
#include <gtest/gtest.h>
#include <chrono>

namespace fuselage::test {
namespace {

using llvm::json::Array;
using llvm::json::Object;

std::string sample(const char *name) { return std::string(FUSELAGE_SOURCE_DIR) + "/samples/schedules/" + name; }

struct Scheduling : EngineProcess {
  explicit Scheduling(const char *payload) { call("document/open", Object{{"path", sample(payload)}}); }
};

const Object &stepAt(const Object &trace, int64_t index) { return *(*trace.getArray("steps"))[index].getAsObject(); }

/// The first step of an op of that name.
int64_t stepOf(const Object &trace, llvm::StringRef name) {
  for (const llvm::json::Value &step : *trace.getArray("steps"))
    if (step.getAsObject()->getString("name") == name)
      return *step.getAsObject()->getInteger("index");
  ADD_FAILURE() << "there is no " << name.str();
  return 0;
}

} // namespace

TEST(ScheduleMethods, EveryPositionCanBeAskedFor) {
  Scheduling engine("batch_matmul_payload.mlir");
  Object trace = engine.call("schedule/trace", Object{{"snapshot", 0}, {"path", sample("batch_matmul.mlir")}});
  EXPECT_EQ(trace.getBoolean("failed"), false);
  int64_t steps = trace.getArray("steps")->size();
  ASSERT_GT(steps, 20);
  for (int64_t step = steps - 1; step >= 0; --step) { // back and forth makes no difference
    Object position = engine.call("schedule/position", Object{{"step", step}});
    EXPECT_EQ(position.getInteger("step"), step);
    EXPECT_FALSE(position.getString("text")->empty());
    EXPECT_EQ(int64_t(position.getArray("frames")->size()), *stepAt(trace, step).getInteger("depth"));
  }
  int64_t tile = stepOf(trace, "transform.structured.tile_using_for");
  EXPECT_TRUE(engine.call("schedule/position", Object{{"step", tile}}).getString("text")->contains("scf.forall"));
  EXPECT_FALSE(engine.callError("schedule/position", Object{{"step", steps}}).getString("message")->empty());
}

TEST(ScheduleMethods, AutoNormalizationIsTold) {
  Scheduling engine("loop_nest.mlir");
  Object alone = engine.call("schedule/trace", Object{{"snapshot", 0}, {"path", sample("interchange.mlir")}});
  EXPECT_EQ(alone.getBoolean("failed"), true);
  EXPECT_EQ(alone.getString("explicit"), "");
  ASSERT_EQ(alone.getArray("diagnostics")->size(), 1u);
  EXPECT_TRUE((*alone.getArray("diagnostics"))[0].getAsObject()->getString("message")->contains("expects PerfectForNestForm"));
  Object trace = engine.call("schedule/trace", Object{{"snapshot", 0}, {"path", sample("interchange.mlir")}, {"normalize", true}});
  EXPECT_EQ(trace.getBoolean("failed"), false);
  ASSERT_EQ(trace.getArray("diagnostics")->size(), 1u);
  const Object &note = *(*trace.getArray("diagnostics"))[0].getAsObject();
  EXPECT_TRUE(note.getString("message")->contains("normalize to PerfectForNestForm: 'arith.muli' stands between"));
  EXPECT_EQ(note.getInteger("line"), 9);
  EXPECT_TRUE(trace.getString("explicit")->contains("transform.include @fuselage_normalize_to_PerfectForNestForm"));
}

TEST(ScheduleMethods, AScriptThatIsBeingWrittenIsChecked) {
  Scheduling engine("loop_nest.mlir");
  Object good = engine.call("schedule/check", Object{{"path", sample("interchange.mlir")}});
  EXPECT_EQ(good.getBoolean("ok"), true);
  Object bad = engine.call("schedule/check", Object{{"path", "new.mlir"}, {"text", "module {\n  transform.nothing\n}\n"}});
  EXPECT_EQ(bad.getBoolean("ok"), false);
  ASSERT_FALSE(bad.getArray("diagnostics")->empty());
  EXPECT_EQ((*bad.getArray("diagnostics"))[0].getAsObject()->getInteger("line"), 2);
  EXPECT_EQ(engine.callError("schedule/check", Object{{"path", "x"}, {"libraries", "y"}}).getInteger("code"), -32602);
}

constexpr const char *kDeadUse = R"(module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %m = transform.structured.match ops{["scf.for"]} in %root : (!transform.any_op) -> !transform.any_op
    %f = transform.apply_registered_pass "cse" to %m : (!transform.any_op) -> !transform.any_op
    transform.annotate %m "late" : !transform.any_op
    transform.yield
  }
})";

TEST(ScheduleMethods, AUseOfADeadHandleIsToldBeforeItRuns) {
  Scheduling engine("loop_nest.mlir");
  Object check = engine.call("schedule/check", Object{{"path", "new.mlir"}, {"text", kDeadUse}});
  EXPECT_EQ(check.getBoolean("ok"), true); // it can be run, up to there
  ASSERT_EQ(check.getArray("diagnostics")->size(), 1u);
  const Object &found = *(*check.getArray("diagnostics"))[0].getAsObject();
  EXPECT_EQ(found.getString("severity"), "error");
  EXPECT_EQ(found.getString("message"), "%m is used here, and line 4 consumed it");
  EXPECT_EQ(found.getInteger("line"), 5);
  EXPECT_EQ(found.getInteger("column"), 24);
  EXPECT_EQ((*found.getArray("notes"))[0].getAsObject()->getInteger("line"), 4);
}

TEST(ScheduleMethods, ALongScriptIsCheckedAtOnce) {
  Scheduling engine("loop_nest.mlir");
  std::string text = "module attributes {transform.with_named_sequence} {\n"
                     "transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {\n";
  for (int i = 0; i < 150; ++i)
    text += "%m" + std::to_string(i) + " = transform.structured.match ops{[\"scf.for\"]} in %root : (!transform.any_op) -> !transform.any_op\n"
            "transform.annotate %m" + std::to_string(i) + " \"a\" : !transform.any_op\n";
  text += "transform.yield\n}\n}\n";
  Object params{{"path", "long.mlir"}, {"text", text}};
  engine.call("schedule/check", Object(params)); // the dialects are loaded
  auto start = std::chrono::steady_clock::now();
  Object check = engine.call("schedule/check", std::move(params));
  EXPECT_EQ(check.getBoolean("ok"), true);
  EXPECT_LT(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(), 0.1);
}

TEST(ScheduleMethods, KnobsAreListedAndSelected) {
  Scheduling engine("loop_nest.mlir");
  std::string text = R"(module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %n = transform.tune.knob<"n"> options = {lower_bound = 4, upper_bound = 20, divisible_by = 8} -> !transform.param<i64>
    transform.annotate %root "test.n" = %n : !transform.any_op, !transform.param<i64>
    transform.yield
  }
})";
  Object all = engine.call("schedule/knobs", Object{{"path", "new.mlir"}, {"text", text}});
  ASSERT_EQ(all.getArray("knobs")->size(), 1u);
  const Object &knob = *(*all.getArray("knobs"))[0].getAsObject();
  EXPECT_EQ(knob.getString("name"), "n");
  EXPECT_EQ(knob.getInteger("divisible_by"), 8);
  EXPECT_EQ(knob.getInteger("line"), 3);
  EXPECT_EQ(*knob.getArray("values"), (llvm::json::Array{"8", "16"}));
  Object open = engine.call("schedule/trace", Object{{"snapshot", 0}, {"path", "new.mlir"}, {"text", text}});
  EXPECT_EQ(open.getBoolean("failed"), true);
  Object trace = engine.call("schedule/trace", Object{{"snapshot", 0}, {"path", "new.mlir"}, {"text", text}, {"knobs", Object{{"n", 16}}}});
  EXPECT_EQ(trace.getBoolean("failed"), false);
  EXPECT_TRUE(trace.getString("explicit")->contains("knob<\"n\"> = 16"));
}

TEST(ScheduleMethods, FormsOfASnapshot) {
  Scheduling engine("loop_nest.mlir");
  Object report = engine.call("forms/check", Object{{"snapshot", 0}});
  bool isLoopForm = true;
  for (const llvm::json::Value &verdict : *report.getArray("verdicts"))
    if (verdict.getAsObject()->getString("form") == "LoopForm")
      isLoopForm = *verdict.getAsObject()->getBoolean("holds");
  EXPECT_FALSE(isLoopForm);
}

} // namespace fuselage::test

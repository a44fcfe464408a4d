// schedule/* and forms/*, asked of the real process.
#include "tests/core/engine/EngineProcess.h"
#include <gtest/gtest.h>

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

TEST(ScheduleMethods, HoistingAndTheColumnAreTold) {
  Scheduling engine("loop_nest.mlir");
  Object trace = engine.call("schedule/trace", Object{{"snapshot", 0}, {"path", sample("interchange.mlir")}, {"hoist", true}});
  EXPECT_EQ(trace.getBoolean("failed"), false);
  EXPECT_TRUE(trace.getString("explicit")->contains("transform.include @fuselage_normalize_to_PerfectForNestForm"));
  ASSERT_EQ(trace.getArray("diagnostics")->size(), 2u); // there is one normalization
  EXPECT_TRUE((*trace.getArray("diagnostics"))[0].getAsObject()->getString("message")->contains("nothing is hoisted"));
  const Object &first = *trace.getArray("forms")->front().getAsObject(), &last = *trace.getArray("forms")->back().getAsObject();
  EXPECT_EQ((*first.getArray("forms"))[0].getAsString(), "AnyForm");
  EXPECT_EQ((*last.getArray("forms"))[0].getAsString(), "PerfectForNestForm");
  EXPECT_LT(*first.getInteger("line"), *last.getInteger("line"));
}

TEST(ScheduleMethods, FormsCanBeReadAbout) {
  Scheduling engine("loop_nest.mlir");
  const Object answer = engine.call("forms/help", Object{});
  const llvm::json::Array &forms = *answer.getArray("forms");
  ASSERT_GE(forms.size(), 14u);
  const Object &loops = *forms[2].getAsObject();
  EXPECT_EQ(loops.getString("form"), "LoopForm");
  EXPECT_EQ((*loops.getArray("implies"))[0].getAsString(), "CanonicalForm");
  EXPECT_TRUE(loops.getString("page")->starts_with("# LoopForm"));
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

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

TEST(ScheduleMethods, PlacesAreSnapshots) {
  Scheduling engine("batch_matmul_payload.mlir");
  Object trace = engine.call("schedule/trace", Object{{"snapshot", 0}, {"path", sample("batch_matmul.mlir")}});
  int64_t tile = stepOf(trace, "transform.structured.tile_using_for");
  Object start = engine.call("schedule/position", Object{{"step", 0}});
  EXPECT_FALSE(start.getInteger("before"));
  Object position = engine.call("schedule/position", Object{{"step", tile + 1}});
  int64_t before = *position.getInteger("before"), after = *position.getInteger("snapshot");
  EXPECT_NE(before, after); // that tiling
  EXPECT_EQ(engine.call("schedule/position", Object{{"step", tile}}).getInteger("snapshot"), before);
  // The text of the place, its graph, and what tiling did.
  EXPECT_EQ(engine.call("text/lines", Object{{"snapshot", after}, {"first", 0}, {"count", 1000}}).getInteger("total"),
            int64_t(position.getString("text")->count('\n')));
  Object scene = engine.call("graph/scene", Object{{"snapshot", after}, {"level", "ops"}, {"layout", "layered"}});
  EXPECT_EQ(scene.getInteger("snapshot"), after);
  EXPECT_FALSE(scene.getArray("nodes")->empty());
  Object diff = engine.call("step/diff", Object{{"before", before}, {"after", after}});
  EXPECT_GT(*diff.getInteger("added"), 0);
  EXPECT_FALSE(engine.call("step/graphDiff", Object{{"before", before}, {"after", after}}).getArray("after")->empty());
  EXPECT_EQ(engine.callError("step/diff", Object{{"before", before}}).getInteger("code"), -32602);
  EXPECT_TRUE(engine.callError("fusion/fuse", Object{{"snapshot", after}, {"all", true}})
                  .getString("message")
                  ->contains("place"));
  // They go with the trace.
  engine.call("schedule/trace", Object{{"snapshot", 0}, {"path", sample("batch_matmul.mlir")}});
  EXPECT_EQ(engine.callError("text/lines", Object{{"snapshot", after}, {"first", 0}, {"count", 1}}).getInteger("code"),
            -32602);
}

/// Who walks through a long loop does not fill the memory with its payloads.
TEST(ScheduleMethods, PlacesThatNobodyLooksAtAreForgotten) {
  Scheduling engine("loop_nest.mlir");
  std::string body;
  for (int i = 0; i < 400; ++i)
    body += "    transform.annotate %f \"seen" + std::to_string(i) + "\" : !transform.any_op\n";
  Object trace = engine.call(
      "schedule/trace",
      Object{
          {"snapshot", 0},
          {"path", "long.mlir"},
          {"text",
           "module attributes {transform.with_named_sequence} {\n  transform.named_sequence @__transform_main(%m: "
           "!transform.any_op) {\n"
           "    %f = transform.structured.match ops{[\"scf.for\"]} in %m : (!transform.any_op) -> !transform.any_op\n" +
               body + "    transform.yield\n  }\n}\n"}});
  ASSERT_EQ(trace.getBoolean("failed"), false);
  int64_t steps = trace.getArray("steps")->size();
  Object first = engine.call("schedule/position", Object{{"step", 5}});
  for (int64_t step = 6; step < steps; ++step) {
    engine.call("schedule/prepare", Object{{"step", step}});
    EXPECT_EQ(int64_t(engine.call("schedule/position", Object{{"step", step}}).getString("text")->count("seen")),
              2 * (step - 2));
  }
  EXPECT_EQ(
      engine.callError("text/lines", Object{{"snapshot", *first.getInteger("snapshot")}, {"first", 0}, {"count", 1}})
          .getInteger("code"),
      -32602);
  Object again = engine.call("schedule/position", Object{{"step", 5}});
  EXPECT_EQ(again.getString("text"), first.getString("text"));
  EXPECT_EQ(engine.call("text/lines", Object{{"snapshot", *again.getInteger("snapshot")}, {"first", 0}, {"count", 1}})
                .getArray("lines")
                ->size(),
            1u);
}

/// A trip through a loop is a move like any other: over it, all of its iterations are what was applied.
TEST(ScheduleMethods, WhatWasAppliedRightBefore) {
  Scheduling engine("loop_nest.mlir");
  Object trace = engine.call("schedule/trace", Object{{"snapshot", 0}, {"path", "loop.mlir"}, {"text", R"(
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op) {
    %f = transform.structured.match ops{["scf.for"]} in %m : (!transform.any_op) -> !transform.any_op
    transform.foreach %f : !transform.any_op {
    ^bb0(%l: !transform.any_op):
      transform.annotate %l "seen" : !transform.any_op
    }
    transform.yield
  }
})"}});
  auto positionOf = [&](int64_t step) { return engine.call("schedule/position", Object{{"step", step}}); };
  int64_t loop = stepOf(trace, "transform.foreach"), end = *stepAt(trace, loop).getInteger("next");
  EXPECT_EQ(positionOf(loop + 1).getInteger("before"), positionOf(loop).getInteger("snapshot"));
  EXPECT_EQ(positionOf(end).getInteger("before"), positionOf(loop).getInteger("snapshot"));
  EXPECT_NE(positionOf(end).getInteger("before"), positionOf(end).getInteger("snapshot"));
}

TEST(ScheduleMethods, AutoNormalizationIsTold) {
  Scheduling engine("loop_nest.mlir");
  Object alone = engine.call("schedule/trace", Object{{"snapshot", 0}, {"path", sample("interchange.mlir")}});
  EXPECT_EQ(alone.getBoolean("failed"), true);
  EXPECT_EQ(alone.getString("explicit"), "");
  ASSERT_EQ(alone.getArray("diagnostics")->size(), 1u);
  EXPECT_TRUE(
      (*alone.getArray("diagnostics"))[0].getAsObject()->getString("message")->contains("expects PerfectForNestForm"));
  Object trace =
      engine.call("schedule/trace", Object{{"snapshot", 0}, {"path", sample("interchange.mlir")}, {"normalize", true}});
  EXPECT_EQ(trace.getBoolean("failed"), false);
  ASSERT_EQ(trace.getArray("diagnostics")->size(), 1u);
  const Object &note = *(*trace.getArray("diagnostics"))[0].getAsObject();
  EXPECT_TRUE(note.getString("message")->contains("normalize to PerfectForNestForm: 'arith.muli' stands between"));
  EXPECT_EQ(note.getInteger("line"), 9);
  EXPECT_TRUE(trace.getString("explicit")->contains("transform.include @fuselage_normalize_to_PerfectForNestForm"));
}

TEST(ScheduleMethods, HoistingAndTheColumnAreTold) {
  Scheduling engine("loop_nest.mlir");
  Object trace =
      engine.call("schedule/trace", Object{{"snapshot", 0}, {"path", sample("interchange.mlir")}, {"hoist", true}});
  EXPECT_EQ(trace.getBoolean("failed"), false);
  EXPECT_TRUE(trace.getString("explicit")->contains("transform.include @fuselage_normalize_to_PerfectForNestForm"));
  ASSERT_EQ(trace.getArray("diagnostics")->size(), 2u); // there is one normalization
  EXPECT_TRUE((*trace.getArray("diagnostics"))[0].getAsObject()->getString("message")->contains("nothing is hoisted"));
  const Object &first = *trace.getArray("forms")->front().getAsObject(),
               &last = *trace.getArray("forms")->back().getAsObject();
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
  Object bad =
      engine.call("schedule/check", Object{{"path", "new.mlir"}, {"text", "module {\n  transform.nothing\n}\n"}});
  EXPECT_EQ(bad.getBoolean("ok"), false);
  ASSERT_FALSE(bad.getArray("diagnostics")->empty());
  EXPECT_EQ((*bad.getArray("diagnostics"))[0].getAsObject()->getInteger("line"), 2);
  EXPECT_EQ(engine.callError("schedule/check", Object{{"path", "x"}, {"libraries", "y"}}).getInteger("code"), -32602);
}

TEST(ScheduleMethods, AScheduleIsWrittenByPointing) {
  Scheduling engine("batch_matmul_payload.mlir");
  Object lines = engine.call("text/lines", Object{{"snapshot", 0}, {"first", 0}, {"count", 100}});
  int64_t line = 0;
  while (!(*lines.getArray("lines"))[line].getAsString()->contains("linalg.batch_matmul"))
    ++line;
  int64_t id = *engine.call("text/opAt", Object{{"snapshot", 0}, {"line", line}}).getInteger("id");
  Object offers = engine.call("schedule/actions", Object{{"snapshot", 0}, {"id", id}});
  EXPECT_EQ(offers.getString("op"), "linalg.batch_matmul");
  std::map<std::string, Object> actions;
  for (const llvm::json::Value &action : *offers.getArray("actions"))
    actions[action.getAsObject()->getString("name")->str()] = *action.getAsObject();
  EXPECT_EQ(actions["tile"].getString("why"), "");
  EXPECT_EQ((*actions["tile"].getArray("options"))[0].getAsObject()->getString("name"), "sizes");
  EXPECT_EQ(actions["unroll"].getString("why"), "it is no scf.for or affine.for");
  EXPECT_GT((*actions["run_pass"].getArray("options"))[0].getAsObject()->getArray("choices")->size(), 100u);

  std::string script = "module attributes {transform.with_named_sequence} {\n"
                       "  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {\n"
                       "    transform.yield\n  }\n}\n";
  Object ask{{"snapshot", 0},      {"id", id},       {"action", "tile"},
             {"path", "new.mlir"}, {"text", script}, {"options", Object{{"sizes", "1, 8"}}}};
  Object written = engine.call("schedule/write", Object(ask));
  EXPECT_EQ(written.getInteger("first"), 3);
  EXPECT_EQ(written.getInteger("last"), 4);
  Object trace = engine.call("schedule/trace",
                             Object{{"snapshot", 0}, {"path", "new.mlir"}, {"text", *written.getString("text")}});
  EXPECT_EQ(trace.getBoolean("failed"), false);
  // In the input there is nothing to point at any more; at the end there is.
  ask["text"] = *written.getString("text");
  EXPECT_TRUE(engine.callError("schedule/write", Object(ask)).getString("message")->contains("point at the op there"));
  Object end = engine.call("schedule/position", Object{{"step", int64_t(trace.getArray("steps")->size()) - 1}});
  for (const llvm::json::Value &handle : *end.getArray("handles"))
    if (handle.getAsObject()->getString("name") == "%tiled")
      ask["id"] = (*handle.getAsObject()->getArray("ops"))[0];
  ask["snapshot"] = *end.getInteger("snapshot");
  ask["action"] = "vectorize";
  ask["options"] = Object{{"sizes", "1, 8, 320, 32"}};
  EXPECT_TRUE(engine.call("schedule/write", Object(ask))
                  .getString("text")
                  ->contains("vectorize %tiled vector_sizes [1, 8, 320, 32]"));
  ask["action"] = "none";
  EXPECT_EQ(engine.callError("schedule/write", Object(ask)).getInteger("code"), -32602);
}

TEST(ScheduleMethods, WhatIsUnknownStaysUnknown) {
  Scheduling engine("loop_nest.mlir");
  std::string text = "module attributes {transform.with_named_sequence} {\n  transform.named_sequence "
                     "@__transform_main(%root: !transform.any_op) {\n"
                     "    iree.magic %root : !transform.any_op\n    transform.yield\n  }\n}\n";
  for (int i = 0; i < 3; ++i) { // the session has met it before
    Object check = engine.call("schedule/check", Object{{"path", "new.mlir"}, {"text", text}});
    EXPECT_EQ(check.getBoolean("ok"), true);
    ASSERT_EQ(check.getArray("diagnostics")->size(), 1u);
    EXPECT_EQ((*check.getArray("diagnostics"))[0].getAsObject()->getInteger("line"), 3);
    EXPECT_EQ((*check.getArray("diagnostics"))[0].getAsObject()->getString("severity")->str(), "warning");
  }
}

TEST(ScheduleMethods, WhatMayStandAtTheCaret) {
  Scheduling engine("loop_nest.mlir");
  std::string line = "    %loop = transform.structured.match attributes {a = \"\u00e4\"} ops{[\"scf.f";
  std::string text = "module attributes {transform.with_named_sequence} {\n  transform.named_sequence "
                     "@__transform_main(%root: !transform.any_op) {\n" +
                     line;
  auto completed = [&](int64_t at, int64_t column) {
    return engine.call("schedule/complete",
                       Object{{"path", "new.mlir"}, {"text", text}, {"line", at}, {"column", column}});
  };
  Object payload = completed(3, 500);
  EXPECT_EQ(payload.getInteger("column"), int64_t(line.find("scf.f")) + 1); // in bytes
  const Object &first = *(*payload.getArray("items"))[0].getAsObject();
  EXPECT_EQ(first.getString("text")->str(), "scf.for");
  EXPECT_EQ(first.getString("kind")->str(), "payload");
  EXPECT_EQ(first.getString("detail")->str(), "2 in the module");
  Object ops = completed(3, int64_t(line.find("match")) + 1);
  EXPECT_EQ(ops.getInteger("column"), int64_t(line.find("transform")) + 1);
  EXPECT_EQ((*ops.getArray("items"))[0].getAsObject()->getString("text")->str(),
            "transform.structured.bufferize_to_allocation");
  text.resize(text.rfind("attributes"));
  text += "in %";
  Object handles = completed(99, 500); // past the end: at the end
  ASSERT_EQ(handles.getArray("items")->size(), 1u);
  EXPECT_EQ((*handles.getArray("items"))[0].getAsObject()->getString("text")->str(), "%root");
  text += "root : (!transform.any_op) -> !transform.any_op\n    transform.apply_registered_pass \"snapshot";
  EXPECT_TRUE(completed(99, 500).getArray("items")->empty()); // what writes files is not offered
}

TEST(ScheduleMethods, AScriptOf300LinesIsCheckedWhileOneTypes) {
  Scheduling engine("loop_nest.mlir");
  std::string text = "module attributes {transform.with_named_sequence} {\n  transform.named_sequence "
                     "@__transform_main(%root: !transform.any_op) {\n";
  for (int i = 0; i < 147; ++i)
    text += "    %m" + std::to_string(i) +
            " = transform.structured.match ops{[\"scf.for\"]} in %root : (!transform.any_op) -> !transform.any_op\n    "
            "transform.annotate %m" +
            std::to_string(i) + " \"seen\" : !transform.any_op\n";
  for (std::string end : {"    transform.yield\n  }\n}\n", "    transform.yield %nobody\n  }\n}\n"}) {
    Object check = engine.call("schedule/check", Object{{"path", "new.mlir"}, {"text", text + end}});
    EXPECT_EQ(check.getBoolean("ok"), !llvm::StringRef(end).contains("nobody"));
  }
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
  Object trace = engine.call(
      "schedule/trace", Object{{"snapshot", 0}, {"path", "new.mlir"}, {"text", text}, {"knobs", Object{{"n", 16}}}});
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

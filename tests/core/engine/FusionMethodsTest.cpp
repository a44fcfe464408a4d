// fusion/*, asked of the real process.
#include "tests/core/engine/EngineProcess.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include <gtest/gtest.h>
#include <set>

namespace fuselage::test {
namespace {

using llvm::json::Array;
using llvm::json::Object;

/// An engine with a sample open.
struct Fusing : EngineProcess {
  explicit Fusing(llvm::StringRef name) {
    call("document/open", Object{{"path", std::string(FUSELAGE_SOURCE_DIR) + "/samples/" + name.str()}});
  }
  Object report(int64_t snapshot, llvm::StringRef policy = "conservative") {
    return call("fusion/report", Object{{"snapshot", snapshot}, {"policy", policy}});
  }
  /// The first separate edge that transforms may unlock.
  Object missedEdge(llvm::StringRef policy = "conservative") {
    Object answer = report(0, policy);
    for (const llvm::json::Value &edge : *answer.getArray("edges"))
      if (const Object &object = *edge.getAsObject();
          object.getString("verdict") == "SEPARATE" && !object.getArray("unlocks")->empty())
        return object;
    return {};
  }
};

int64_t dispatchesOf(const Object &report) { return *report.getObject("totals")->getInteger("dispatches"); }

std::string read(llvm::StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  return buffer ? (*buffer)->getBuffer().str() : "";
}

/// A path in a folder for temporary files; the file goes with this.
struct Scratch {
  llvm::SmallString<128> path;
  explicit Scratch(llvm::StringRef suffix) {
    EXPECT_FALSE(llvm::sys::fs::createTemporaryFile("fuselage-fusion", suffix, path));
  }
  ~Scratch() { llvm::sys::fs::remove(path); }
};

/// Of a dispatch that is formed, details count what it reads and writes, as the graph does.
TEST(OpMethods, ADispatchMovesWhatItsKernelMoves) {
  Fusing engine("softmax.mlir");
  Object recorded =
      engine.call("pipeline/record", Object{{"pipeline", "builtin.module(func.func(fuselage-form-dispatches))"}});
  int64_t after = *(*recorded.getArray("steps"))[0].getAsObject()->getInteger("after");
  unsigned regions = 0;
  for (int64_t id = 0; id < 60; ++id) {
    Object answer = engine.replyTo(engine.request("op/details", Object{{"snapshot", after}, {"id", id}}));
    const Object *details = answer.getObject("result");
    if (!details || details->getString("op") != "flow.dispatch.region")
      continue;
    ++regions;
    EXPECT_GT(details->getInteger("bytes_read").value_or(0), 0);
    EXPECT_GT(details->getInteger("bytes_written").value_or(0), 0);
  }
  EXPECT_GT(regions, 0u);
}

TEST(FusionMethods, TheReportKnowsTheEdgesOfTheGraph) {
  Fusing engine("matmul_transpose_bias.mlir");
  Object report = engine.report(0);
  EXPECT_EQ(report.getString("policy"), "conservative");
  EXPECT_EQ(report.getInteger("snapshot"), 0);
  std::set<std::pair<int64_t, int64_t>> drawn;
  Object scene = engine.call("graph/scene", Object{{"snapshot", 0}, {"foldConstants", false}});
  for (const llvm::json::Value &edge : *scene.getArray("edges"))
    drawn.emplace(*edge.getAsObject()->getInteger("from"), *edge.getAsObject()->getInteger("to"));
  ASSERT_FALSE(report.getArray("edges")->empty());
  for (const llvm::json::Value &edge : *report.getArray("edges"))
    EXPECT_TRUE(drawn.count({*edge.getAsObject()->getInteger("from"), *edge.getAsObject()->getInteger("to")}));
  // Twice the bandwidth, half the time.
  Object fast = engine.call("fusion/report", Object{{"snapshot", 0}, {"policy", "conservative"}, {"gbps", 1000}});
  EXPECT_NEAR(*fast.getObject("totals")->getNumber("missed_us") * 2,
              *report.getObject("totals")->getNumber("missed_us"), 0.01);
}

/// The call of a dispatch leads to its root op, an edge between two calls to the edge that was not fused.
TEST(FusionMethods, WhatWasDecidedIsFoundInFrontOfTheStepThatFormedIt) {
  Fusing engine("bert_attention.mlir");
  Object recorded = engine.call(
      "pipeline/record",
      Object{{"pipeline", "builtin.module(func.func(fuselage-form-dispatches),fuselage-outline-dispatches)"}});
  const Array &steps = *recorded.getArray("steps");
  int64_t last = *steps.back().getAsObject()->getInteger("after");
  Object report = engine.report(last, "aggressive");
  const Object *decided = nullptr;
  for (const llvm::json::Value &edge : *report.getArray("edges")) {
    const Object &object = *edge.getAsObject();
    if (object.getString("verdict") == "SEPARATE" && object.getBoolean("missed") == false &&
        object.getInteger("bytes").value_or(1) != 0)
      decided = &object;
  }
  ASSERT_TRUE(decided);
  Object found = engine.call(
      "fusion/decided",
      Object{{"snapshot", last}, {"from", *decided->getInteger("from")}, {"to", *decided->getInteger("to")}});
  int64_t snapshot = *found.getInteger("snapshot");
  EXPECT_LT(snapshot, last);
  EXPECT_TRUE(found.getString("name")->contains("form-dispatches") ||
              found.getString("name")->contains("Form dispatches"))
      << found.getString("name")->str();
  ASSERT_TRUE(found.getInteger("from") && found.getInteger("to") && found.getInteger("operand"));
  bool isEdge = false;
  for (const llvm::json::Value &edge : *engine.report(snapshot, "aggressive").getArray("edges")) {
    const Object &object = *edge.getAsObject();
    isEdge |= object.getInteger("from") == found.getInteger("from") &&
              object.getInteger("to") == found.getInteger("to") &&
              object.getInteger("operand") == found.getInteger("operand") && object.getString("verdict") == "SEPARATE";
  }
  EXPECT_TRUE(isEdge);
  Object root = engine.call("fusion/decided", Object{{"snapshot", last}, {"from", *decided->getInteger("to")}});
  EXPECT_TRUE(root.getInteger("from"));
  EXPECT_FALSE(root.getInteger("operand"));
  EXPECT_NE(
      engine.callError("fusion/decided", Object{{"snapshot", 0}, {"from", 1}}).getString("message")->find("no step"),
      llvm::StringRef::npos);
}

TEST(FusionMethods, BadQuestionsAreExplained) {
  EngineProcess closed;
  for (llvm::StringRef method : {"fusion/report", "fusion/fuse", "fusion/undo", "fusion/redo", "fusion/save"})
    EXPECT_NE(closed.callError(method).getString("message")->find("document/open"), llvm::StringRef::npos);
  Fusing engine("softmax.mlir");
  auto said = [&](llvm::StringRef method, Object params) {
    return engine.callError(method, std::move(params)).getString("message")->str();
  };
  EXPECT_NE(said("fusion/report", Object{{"snapshot", 0}, {"policy", "bold"}}).find("bold"), std::string::npos);
  EXPECT_NE(said("fusion/report", Object{{"snapshot", 0}, {"gbps", -1}}).find("gbps"), std::string::npos);
  EXPECT_NE(said("fusion/fuse", Object{{"snapshot", 0}}).find("one of"), std::string::npos);
  EXPECT_NE(said("fusion/fuse", Object{{"snapshot", 0}, {"from", 1}, {"to", 9999}}).find("no op 9999"),
            std::string::npos);
  EXPECT_NE(said("fusion/fuse", Object{{"snapshot", 0}, {"pipeline", "builtin.module(nonsense)"}}).find("nonsense"),
            std::string::npos);
  EXPECT_NE(said("fusion/help", Object{{"reason", "WHIM"}}).find("WHIM"), std::string::npos);
  EXPECT_NE(said("fusion/undo", {}).find("no fusion"), std::string::npos);
  EXPECT_NE(said("fusion/redo", {}).find("no fusion"), std::string::npos);
  EXPECT_NE(said("fusion/save", Object{{"path", "/tmp/x"}}).find("nothing was fused"), std::string::npos);
}

TEST(FusionMethods, FusesAnEdgeByRecordedSteps) {
  Fusing engine("matmul_transpose_bias.mlir");
  engine.call("pipeline/record", Object{{"pipeline", "builtin.module(canonicalize,cse)"}});
  Object edge = engine.missedEdge();
  ASSERT_TRUE(edge.getInteger("from"));
  Object result = engine.call("fusion/fuse", Object{{"snapshot", 0},
                                                    {"from", *edge.getInteger("from")},
                                                    {"to", *edge.getInteger("to")},
                                                    {"operand", *edge.getInteger("operand")},
                                                    {"policy", "conservative"}});
  EXPECT_EQ(result.getBoolean("fused"), true);
  EXPECT_LE(*result.getInteger("dispatches_after"), *result.getInteger("dispatches_before"));
  const Array &steps = *result.getArray("steps");
  ASSERT_FALSE(steps.empty()) << "the recorded pipeline gave way";
  EXPECT_EQ(*result.getInteger("kept"), int64_t(steps.size()));
  for (const llvm::json::Value &step : steps) {
    const Object *fusion = step.getAsObject()->getObject("fusion");
    ASSERT_TRUE(fusion);
    EXPECT_EQ(fusion->getBoolean("checked"), true) << fusion->getString("note")->str();
    EXPECT_EQ(fusion->getBoolean("ok"), true);
    EXPECT_LT(*fusion->getNumber("max_rel_error"), 1e-4);
    EXPECT_FALSE(fusion->getString("reason")->empty());
  }
  EXPECT_GT(*engine.call("step/diff", Object{{"step", 0}}).getInteger("changed") +
                *engine.call("step/diff", Object{{"step", 0}}).getInteger("added"),
            0);
  bool searched = false;
  for (const Object &notification : engine.notifications)
    searched |= notification.getString("method") == "fusion/progress" &&
                notification.getObject("params")->getString("phase") == "search";
  EXPECT_TRUE(searched);
}

TEST(FusionMethods, UndoAndRedoGoSeveralLevels) {
  Fusing engine("matmul_transpose_bias.mlir");
  Object recorded = engine.call("pipeline/record", Object{{"pipeline", "builtin.module(canonicalize,cse)"}});
  int64_t plain = dispatchesOf(engine.report(0));
  Object first = engine.call(
      "fusion/fuse", Object{{"snapshot", 0}, {"cleanUp", true}, {"policy", "conservative"}, {"check", "never"}});
  int64_t cleaned = first.getArray("steps")->size();
  ASSERT_GT(cleaned, 0);
  Object second = engine.call("fusion/fuse", Object{{"snapshot", cleaned},
                                                    {"pipeline", "builtin.module(func.func(fuselage-form-dispatches))"},
                                                    {"check", "never"}});
  EXPECT_EQ(second.getInteger("undo"), 2);
  EXPECT_EQ(int64_t(second.getArray("steps")->size()), cleaned + 1);
  EXPECT_EQ(int64_t(engine.call("fusion/undo").getArray("steps")->size()), cleaned);
  Object back = engine.call("fusion/undo");
  EXPECT_EQ(back.getArray("steps")->size(), recorded.getArray("steps")->size());
  EXPECT_EQ(back.getInteger("undo"), 0);
  EXPECT_EQ(back.getInteger("redo"), 2);
  EXPECT_EQ(dispatchesOf(engine.report(0)), plain);
  engine.call("fusion/redo");
  Object again = engine.call("fusion/redo");
  EXPECT_EQ(int64_t(again.getArray("steps")->size()), cleaned + 1);
  EXPECT_EQ(again.getInteger("redo"), 0);
}

TEST(FusionMethods, ARecordingGoesOnBehindAFusion) {
  Fusing engine("matmul_transpose_bias.mlir");
  Object fused = engine.call("fusion/fuse", Object{{"snapshot", 0}, {"cleanUp", true}, {"check", "never"}});
  int64_t kept = *fused.getInteger("kept");
  Object recorded =
      engine.call("pipeline/record", Object{{"pipeline", "builtin.module(func.func(fuselage-form-dispatches))"}});
  ASSERT_EQ(int64_t(recorded.getArray("steps")->size()), kept + 1);
  EXPECT_EQ((*recorded.getArray("steps"))[kept].getAsObject()->getInteger("before"), kept);
  // Once more: the fusion stays, the rest is replaced.
  EXPECT_EQ(
      int64_t(engine.call("pipeline/record", Object{{"pipeline", "builtin.module(cse)"}}).getArray("steps")->size()),
      kept + 1);
  EXPECT_EQ(engine.call("pipeline/record", Object{{"pipeline", "builtin.module(cse,cse)"}, {"limit", kept + 1}})
                .getArray("steps")
                ->size(),
            size_t(kept + 1));
}

TEST(FusionMethods, EverythingThatPaysLeavesTwoDispatches) {
  Fusing engine("bert_attention.mlir");
  EXPECT_GE(dispatchesOf(engine.report(0)), 13);
  Object result = engine.call("fusion/fuse", Object{{"snapshot", 0}, {"all", true}});
  EXPECT_LE(*result.getInteger("dispatches_after"), 2);
  const Array &steps = *result.getArray("steps");
  ASSERT_FALSE(steps.empty());
  const Object &proof = *steps.back().getAsObject()->getObject("fusion");
  EXPECT_EQ(proof.getBoolean("checked"), true) << proof.getString("note")->str();
  EXPECT_EQ(proof.getBoolean("ok"), true);
  // The attention is a dispatch already; the rest is judged as it would be dispatched.
  EXPECT_EQ(dispatchesOf(engine.report(steps.size(), "aggressive")), *result.getInteger("dispatches_after"));
}

TEST(FusionMethods, WhatPaysIsPredictedOrMeasured) {
  Fusing engine("softmax.mlir");
  Object predicted = engine.call("fusion/fuse", Object{{"snapshot", 0}, {"all", true}, {"check", "never"}});
  EXPECT_EQ(predicted.getString("measure"), "predicted");
  EXPECT_EQ(*predicted.get("times"), llvm::json::Value(nullptr));
  engine.call("fusion/undo");
  Object measured =
      engine.call("fusion/fuse", Object{{"snapshot", 0}, {"all", true}, {"check", "never"}, {"device", "host"}});
  EXPECT_EQ(measured.getString("measure"), "measured");
  const Object *times = measured.getObject("times");
  ASSERT_TRUE(times);
  EXPECT_EQ(times->getString("device"), "host");
  EXPECT_LE(*times->getNumber("us_after"), *times->getNumber("us_before")) << "what is slower is taken back";
  engine.callError("fusion/fuse", Object{{"snapshot", 0}, {"from", 1}, {"to", 2}, {"device", "host"}});
}

TEST(FusionMethods, WhatWasFusedIsSavedAndRepeated) {
  Fusing engine("matmul_transpose_bias.mlir");
  Object fused = engine.call("fusion/fuse", Object{{"snapshot", 0}, {"cleanUp", true}, {"check", "never"}});
  int64_t end = fused.getArray("steps")->size();
  auto textOf = [&](int64_t snapshot) {
    Object lines = engine.call("text/lines", Object{{"snapshot", snapshot}, {"first", 0}, {"count", 1000}});
    std::string text;
    for (const llvm::json::Value &line : *lines.getArray("lines"))
      text += line.getAsString()->str() + "\n";
    return text;
  };
  std::string expected = textOf(end);
  Scratch pipeline("txt"), script("mlir");
  engine.call("fusion/save", Object{{"path", pipeline.path.str()}});
  engine.call("fusion/save", Object{{"path", script.path.str()}, {"format", "transform"}});
  engine.call("fusion/undo");
  Object byPipeline = engine.call("pipeline/record", Object{{"pipeline", read(pipeline.path)}});
  EXPECT_EQ(textOf(byPipeline.getArray("steps")->size()), expected);
  EXPECT_NE(read(script.path).find("transform.apply_registered_pass"), std::string::npos);
  Object byScript = engine.call("pipeline/record", Object{{"schedule", script.path.str()}});
  EXPECT_EQ(byScript.getBoolean("failed"), false);
  EXPECT_EQ(textOf(byScript.getArray("steps")->size()), expected);
}

TEST(FusionMethods, UnlocksAreTriedWhenAskedFor) {
  Fusing engine("matmul_transpose_bias.mlir");
  Object plain = engine.call("fusion/report", Object{{"snapshot", 0}, {"policy", "conservative"}, {"prove", false}});
  ASSERT_FALSE(plain.getArray("edges")->empty());
  for (const llvm::json::Value &edge : *plain.getArray("edges"))
    EXPECT_TRUE(edge.getAsObject()->getArray("unlocks")->empty());
  EXPECT_FALSE(plain.getArray("unproven")->empty());
  EXPECT_TRUE(engine.missedEdge().getInteger("from"));
}

/// What a search tried in vain is known of all equal edges from then on, also after another fusion was undone.
TEST(FusionMethods, WhatWasTriedIsRememberedForEqualEdges) {
  Scratch file("mlir");
  std::string text = "func.func private @other(tensor<8x8xf32>) -> tensor<8x8xf32>\n"
                     "func.func @main(%a: tensor<8x8xf32>) -> tensor<8x8xf32> {\n"
                     "  %e = tensor.empty() : tensor<8x8xf32>\n";
  std::string value = "%a";
  for (int i = 0; i < 3; ++i) {
    std::string n = std::to_string(i);
    text += "  %p" + n + " = linalg.exp ins(" + value + " : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> " +
            "tensor<8x8xf32>\n  %c" + n + " = func.call @other(%p" + n + ") : (tensor<8x8xf32>) -> tensor<8x8xf32>\n";
    value = "%c" + n;
  }
  std::error_code error;
  llvm::raw_fd_ostream(file.path, error) << text << "  return " << value << " : tensor<8x8xf32>\n}\n";
  EngineProcess engine;
  engine.call("document/open", Object{{"path", file.path.str().str()}});
  auto edgesInState = [&](llvm::StringRef state) {
    Array found;
    Object report = engine.call("fusion/report", Object{{"snapshot", 0}, {"prove", false}});
    for (const llvm::json::Value &edge : *report.getArray("edges"))
      if (edge.getAsObject()->getString("state") == state && edge.getAsObject()->getString("from_op") == "linalg.exp")
        found.push_back(edge);
    return found;
  };
  Array before = edgesInState("not_tried");
  ASSERT_EQ(before.size(), 3u);
  const Object &first = *before.front().getAsObject();
  Object result = engine.call("fusion/fuse", Object{{"snapshot", 0},
                                                    {"from", *first.getInteger("from")},
                                                    {"to", *first.getInteger("to")},
                                                    {"operand", *first.getInteger("operand")}});
  EXPECT_EQ(result.getBoolean("fused"), false);
  ASSERT_TRUE(result.getArray("tried"));
  EXPECT_TRUE(edgesInState("not_tried").empty());
  Array after = edgesInState("cannot_be_fused");
  ASSERT_EQ(after.size(), 3u);
  for (const llvm::json::Value &edge : after) {
    ASSERT_TRUE(edge.getAsObject()->getArray("tried"));
    EXPECT_EQ(*edge.getAsObject()->getArray("tried"), *result.getArray("tried"));
  }
}

TEST(FusionMethods, MemoryIsMeasured) {
  Fusing engine("softmax.mlir");
  EXPECT_GT(*engine.call("fusion/bandwidth", Object{{"device", "host"}}).getNumber("gbps"), 0.0);
  engine.callError("fusion/bandwidth", Object{{"device", "cuda:99"}});
}

TEST(FusionMethods, CostsAreTheTotalsOfTheReport) {
  Fusing engine("bert_attention.mlir");
  Object fused = engine.call("fusion/fuse", Object{{"snapshot", 0}, {"all", true}, {"check", "never"}});
  int64_t last = *fused.getArray("steps")->back().getAsObject()->getInteger("after");
  double before = 0;
  for (int64_t snapshot : {int64_t(0), last}) {
    Object cost = engine.call("fusion/cost", Object{{"snapshot", snapshot}});
    Object totals = *engine.report(snapshot, "aggressive").getObject("totals");
    EXPECT_EQ(cost.getInteger("dispatches"), totals.getInteger("dispatches"));
    EXPECT_EQ(cost.getInteger("bytes"), totals.getInteger("bytes"));
    EXPECT_EQ(cost.getInteger("launches_at_least"), totals.getInteger("dispatches")); // each is called once
    EXPECT_EQ(cost.getString("prediction"), "assumed");
    // 4 us a launch and 500 GB/s.
    double assumed = 4.0 * double(*cost.getInteger("dispatches")) + double(*cost.getInteger("bytes")) / 500e3;
    EXPECT_NEAR(*cost.getNumber("predicted_us"), assumed, 1e-6);
    before = snapshot == 0 ? assumed : before;
  }
  EXPECT_LT(*engine.call("fusion/cost", Object{{"snapshot", last}}).getNumber("predicted_us"), before);
  EXPECT_EQ(engine.call("fusion/cost", Object{{"snapshot", 0}, {"device", "host"}}).getString("device"), "host");
  engine.callError("fusion/cost", Object{{"snapshot", 0}, {"device", "cuda:99"}});
}

TEST(FusionMethods, CostsThatDynamicSizesHideAreNull) {
  Fusing engine("dynamic_matmul.mlir");
  Object cost = engine.call("fusion/cost", Object{{"snapshot", 0}});
  EXPECT_GT(*cost.getInteger("dispatches"), 0);
  EXPECT_TRUE(cost.get("bytes")->getAsNull());
  EXPECT_TRUE(cost.get("predicted_us")->getAsNull());
}

TEST(FusionMethods, EveryReasonHasAPage) {
  EngineProcess engine;
  Object all = engine.call("fusion/help");
  EXPECT_GT(all.getArray("reasons")->size(), 30u);
  for (const llvm::json::Value &reason : *all.getArray("reasons"))
    EXPECT_TRUE(
        reason.getAsObject()->getString("page")->starts_with("# " + reason.getAsObject()->getString("code")->str()));
  EXPECT_EQ(engine.call("fusion/help", Object{{"reason", "MULTI_USE"}}).getArray("reasons")->size(), 1u);
}

TEST(FusionMethods, ACancelledSearchLeavesEverything) {
  Fusing engine("bert_attention.mlir");
  Object edge = engine.missedEdge();
  int64_t id = engine.request(
      "fusion/fuse", Object{{"snapshot", 0}, {"from", *edge.getInteger("from")}, {"to", *edge.getInteger("to")}});
  engine.notify("$/cancel", Object{{"id", id}});
  Object reply = engine.replyTo(id);
  if (const Object *error = reply.getObject("error")) { // else it was quicker
    EXPECT_EQ(error->getInteger("code"), -32800);
  }
  EXPECT_GT(engine.report(0).getArray("edges")->size(), 0u);
}

} // namespace
} // namespace fuselage::test

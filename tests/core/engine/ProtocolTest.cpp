// Every method of PROTOCOL.md, asked of the real process.
#include "tests/core/engine/EngineProcess.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include <gtest/gtest.h>

namespace fuselage::test {
namespace {

using llvm::json::Array;
using llvm::json::Object;

std::string sample(llvm::StringRef name) { return std::string(FUSELAGE_SOURCE_DIR) + "/samples/" + name.str(); }

std::string readFile(llvm::StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  return buffer ? (*buffer)->getBuffer().str() : "";
}

std::string temporaryPath(llvm::StringRef suffix) {
  llvm::SmallString<128> path;
  EXPECT_FALSE(llvm::sys::fs::createTemporaryFile("fuselage-engine", suffix, path));
  return path.str().str();
}

/// An engine with softmax.mlir open.
struct Opened : EngineProcess {
  Opened() { document = call("document/open", Object{{"path", sample("softmax.mlir")}}); }
  Object document;
};

TEST(Protocol, Initialize) {
  EngineProcess engine;
  Object result = engine.call("initialize", Object{{"version", 1}});
  EXPECT_EQ(result.getInteger("version"), 1);
  EXPECT_TRUE(result.getString("engine") && result.getString("mlir"));
  EXPECT_GT(result.getInteger("pid").value_or(0), 0);
  EXPECT_NE(engine.callError("initialize", Object{{"version", 2}}).getString("message")->find("version 1"),
            llvm::StringRef::npos);
}

TEST(Protocol, OpenDescribesTheDocument) {
  Opened engine;
  EXPECT_EQ(engine.document.getString("name"), "softmax.mlir");
  EXPECT_EQ(engine.document.getArray("functions")->size(), 1u);
  EXPECT_GT(engine.document.getInteger("ops"), 5);
  EXPECT_GT(engine.document.getInteger("lines"), 5);
  EXPECT_GT(engine.document.getInteger("bytes"), 100);
}

TEST(Protocol, AModuleOpensNormalized) {
  std::string path = temporaryPath("mlir");
  std::error_code error;
  llvm::raw_fd_ostream(path, error) << R"mlir(
"util.func"() ({
^bb0(%view: !hal.buffer_view):
  %x = "hal.tensor.import"(%view) : (!hal.buffer_view) -> tensor<4xf32>
  %e = tensor.empty() : tensor<4xf32>
  %y = linalg.exp ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %out = "hal.tensor.export"(%y) : (tensor<4xf32>) -> !hal.buffer_view
  "util.return"(%out) : (!hal.buffer_view) -> ()
}) {sym_name = "main", function_type = (!hal.buffer_view) -> !hal.buffer_view} : () -> ()
)mlir";
  ASSERT_FALSE(error);
  EngineProcess engine;
  engine.call("initialize", Object{{"version", 1}});
  Object document = engine.call("document/open", Object{{"path", path}});
  const Array *steps = document.getArray("steps");
  ASSERT_EQ(steps->size(), 1u);
  EXPECT_EQ(steps->front().getAsObject()->getString("name"), "Normalize");
  ASSERT_EQ(document.getArray("functions")->size(), 1u);
  // It stays before whatever is recorded, also where a recording begins anew.
  for (int from : {-1, 0}) {
    Object recorded = engine.call("pipeline/record", Object{{"pipeline", "canonicalize"}, {"from", from}});
    EXPECT_EQ(recorded.getInteger("kept"), 1);
    ASSERT_EQ(recorded.getArray("steps")->size(), 2u);
    EXPECT_EQ(recorded.getArray("steps")->front().getAsObject()->getString("pass"), "fuselage-normalize-foreign");
  }
}

TEST(Protocol, DispatchesKeepTheirColoursInEverySnapshot) {
  Opened engine;
  std::map<std::string, int64_t> known;
  auto look = [&](int snapshot) {
    Object scene = engine.call("graph/scene", Object{{"snapshot", snapshot}});
    const Array &locs = *scene.getArray("dispatch_locs"), &hues = *scene.getArray("dispatch_hues");
    ASSERT_EQ(locs.size(), hues.size());
    ASSERT_FALSE(locs.empty());
    for (size_t d = 0; d < locs.size(); ++d) {
      auto [at, isNew] = known.try_emplace(locs[d].getAsString()->str(), *hues[d].getAsInteger());
      EXPECT_EQ(at->second, *hues[d].getAsInteger()) << at->first << " in snapshot " << snapshot;
    }
  };
  look(0);
  Object fused = engine.call("fusion/fuse", Object{{"snapshot", 0}, {"all", true}, {"check", "never"}});
  ASSERT_GT(fused.getArray("steps")->size(), 0u);
  look(static_cast<int>(fused.getArray("steps")->size()));
  look(0);
  std::set<int64_t> hues;
  ASSERT_GT(known.size(), 1u);
  for (auto &[loc, hue] : known)
    EXPECT_TRUE(hues.insert(hue).second) << loc;
}

TEST(Protocol, APictureComesBackAsItWas) {
  Opened engine;
  auto sceneOf = [&](int snapshot, Array collapsed) {
    return llvm::formatv("{0}",
                         llvm::json::Value(engine.call(
                             "graph/scene", Object{{"snapshot", snapshot}, {"collapsed", std::move(collapsed)}})))
        .str();
  };
  std::string first = sceneOf(0, {});
  Object fused = engine.call("fusion/fuse", Object{{"snapshot", 0}, {"all", true}, {"check", "never"}});
  int last = static_cast<int>(fused.getArray("steps")->size());
  std::string behind = sceneOf(last, {});
  engine.call("fusion/undo");
  EXPECT_EQ(sceneOf(0, {}), first);
  engine.call("fusion/redo");
  EXPECT_EQ(sceneOf(last, {}), behind);
}

TEST(Protocol, ArgumentsAreToldBeforeARun) {
  Opened engine;
  Object told = engine.call("run/arguments");
  EXPECT_EQ(told.getString("function"), "softmax");
  const Array *arguments = told.getArray("arguments");
  ASSERT_EQ(arguments->size(), 1u);
  EXPECT_EQ((*arguments)[0].getAsObject()->getString("name"), "arg0");
  EXPECT_EQ((*arguments)[0].getAsObject()->getString("type"), "tensor<12x128x128xf32>");
  EXPECT_NE(engine.callError("run/arguments", Object{{"function", "nobody"}}).getString("message")->find("nobody"),
            llvm::StringRef::npos);
}

TEST(Protocol, MethodsNeedADocument) {
  EngineProcess engine;
  for (llvm::StringRef method :
       {"pipeline/record", "text/lines", "text/find", "text/opAt", "text/uses", "text/source", "text/sourceFind",
        "text/sourceUses", "text/opFrom", "text/sourceOf", "graph/scene", "graph/export", "op/details", "step/diff",
        "step/graphDiff", "step/export", "step/reproducer", "run/start"}) {
    Object error = engine.callError(method);
    EXPECT_NE(error.getString("message")->find("document/open"), llvm::StringRef::npos) << method.str();
  }
}

TEST(Protocol, ALogOpensWithItsSteps) {
  EngineProcess engine;
  std::string log = temporaryPath("log");
  {
    std::error_code code;
    llvm::raw_fd_ostream(log, code)
        << "// -----// IR Dump After CSE (cse) //----- //\nfunc.func @f(%arg0: i32) -> i32 {\n"
           "  %0 = arith.addi %arg0, %arg0 : i32\n  return %0 : i32\n}\n\n"
           "// -----// IR Dump After Canonicalizer (canonicalize) //----- //\nfunc.func @f(%arg0: i32) -> i32 {\n"
           "  return %arg0 : i32\n}\n";
  }
  Object document = engine.call("document/open", Object{{"path", log}});
  EXPECT_EQ(document.getBoolean("log"), true);
  const Array &steps = *document.getArray("steps");
  ASSERT_EQ(steps.size(), 2u);
  const Object &first = *steps[0].getAsObject(), &second = *steps[1].getAsObject();
  EXPECT_TRUE(first.get("before")->getAsNull().has_value());
  EXPECT_TRUE(first.get("milliseconds")->getAsNull().has_value());
  EXPECT_EQ(second.getString("scope"), "func.func @f");
  int64_t before = *second.getInteger("before"), after = *second.getInteger("after");
  Object missing = engine.call("step/diff", Object{{"step", 0}});
  EXPECT_EQ(missing.getString("missing"), "before");
  EXPECT_EQ(engine.call("step/diff", Object{{"step", 1}}).getInteger("removed"), 1);
  Object lines = engine.call("text/lines", Object{{"snapshot", before}, {"first", 1}, {"count", 1}});
  EXPECT_EQ((*lines.getArray("lines"))[0].getAsString(), "  %0 = arith.addi %arg0, %arg0 : i32");
  EXPECT_FALSE(engine.call("graph/scene", Object{{"snapshot", after}}).getArray("nodes")->empty());
  EXPECT_EQ(engine.call("snapshot/read", Object{{"snapshot", after}}).getBoolean("parsed"), true);
  // And on from there.
  Object recorded =
      engine.call("pipeline/record", Object{{"pipeline", "builtin.module(canonicalize)"}, {"from", before}});
  ASSERT_EQ(recorded.getArray("steps")->size(), 1u);
  EXPECT_EQ((*recorded.getArray("steps"))[0].getAsObject()->getInteger("before"), 0);
  engine.callError("pipeline/record", Object{{"pipeline", "builtin.module(cse)"}, {"from", 99}});
  llvm::sys::fs::remove(log);
}

TEST(Protocol, AFailingOpenKeepsWhatWasOpen) {
  Opened engine;
  std::string bad = temporaryPath("mlir");
  {
    std::error_code code;
    llvm::raw_fd_ostream(bad, code) << "func.func @f( {\n";
  }
  Object error = engine.callError("document/open", Object{{"path", bad}});
  const Array &diagnostics = *error.getObject("data")->getArray("diagnostics");
  ASSERT_FALSE(diagnostics.empty());
  EXPECT_EQ(diagnostics[0].getAsObject()->getInteger("line"), 1);
  EXPECT_EQ(diagnostics[0].getAsObject()->getString("file"), bad);
  engine.callError("document/open", Object{{"path", "/no/such/file.mlir"}});
  engine.callError("document/open", Object{{"path", "-"}});
  Object lines = engine.call("text/lines", Object{{"snapshot", 0}, {"first", 0}, {"count", 3}});
  EXPECT_EQ(lines.getArray("lines")->size(), 3u);
  llvm::sys::fs::remove(bad);
}

TEST(Protocol, Text) {
  Opened engine;
  Object lines = engine.call("text/lines", Object{{"snapshot", 0}, {"first", 1}, {"count", 2}});
  EXPECT_EQ(lines.getInteger("first"), 1);
  EXPECT_EQ(lines.getInteger("total"), engine.document.getInteger("lines"));
  EXPECT_EQ(lines.getArray("lines")->size(), 2u);
  Object beyond = engine.call("text/lines", Object{{"snapshot", 0}, {"first", 1 << 30}, {"count", 1 << 30}});
  EXPECT_TRUE(beyond.getArray("lines")->empty());

  Object found =
      engine.call("text/find", Object{{"snapshot", 0}, {"pattern", "linalg\\.\\w+"}, {"first", 0}, {"count", 2}});
  EXPECT_EQ(found.getArray("matches")->size(), 2u);
  EXPECT_GT(found.getInteger("total"), 2);
  const Object &match = *(*found.getArray("matches"))[0].getAsObject();
  Object line = engine.call("text/lines", Object{{"snapshot", 0}, {"first", *match.getInteger("line")}, {"count", 1}});
  llvm::StringRef text = *(*line.getArray("lines"))[0].getAsString();
  EXPECT_TRUE(text.substr(*match.getInteger("column"), *match.getInteger("length")).starts_with("linalg."));
  engine.callError("text/find", Object{{"snapshot", 0}, {"pattern", "("}});
  engine.callError("text/find", Object{{"snapshot", 0}, {"pattern", ""}});

  Object op = engine.call("text/opAt", Object{{"snapshot", 0}, {"line", *match.getInteger("line")}});
  EXPECT_LE(*op.getInteger("first"), *match.getInteger("line"));
  EXPECT_GE(*op.getInteger("last"), *match.getInteger("line"));

  // The value that the op makes: defined there, and used further down.
  Object uses = engine.call(
      "text/uses",
      Object{{"snapshot", 0}, {"line", *match.getInteger("line")}, {"column", static_cast<int64_t>(text.find('%'))}});
  EXPECT_TRUE(uses.getString("name")->starts_with("%"));
  EXPECT_EQ(uses.getBoolean("exact"), true);
  ASSERT_EQ(uses.getArray("definition")->size(), 1u);
  EXPECT_EQ((*uses.getArray("definition"))[0].getAsObject()->getInteger("line"), match.getInteger("line"));
  EXPECT_GE(*uses.getInteger("total"), 1);
  Object none = engine.call("text/uses", Object{{"snapshot", 0}, {"line", 0}, {"column", 1 << 20}});
  EXPECT_EQ(none.getString("name"), "");
  engine.callError("text/uses", Object{{"snapshot", 0}, {"line", 1 << 20}, {"column", 0}});
}

TEST(Protocol, RecordsAndTells) {
  Opened engine;
  engine.notifications.clear(); // those of opening
  Object recording = engine.call("pipeline/record", Object{{"pipeline", "canonicalize,cse"}});
  EXPECT_EQ(recording.getBoolean("failed"), false);
  ASSERT_EQ(recording.getArray("steps")->size(), 2u);
  const Object &step = *(*recording.getArray("steps"))[0].getAsObject();
  EXPECT_EQ(step.getString("name"), "canonicalize");
  EXPECT_EQ(step.getString("pipeline"), "builtin.module(canonicalize)");
  ASSERT_EQ(engine.notifications.size(), 4u);
  EXPECT_EQ(engine.notifications[0].getString("method"), "step/started");
  EXPECT_EQ(engine.notifications[0].getObject("params")->getInteger("total"), 2);
  EXPECT_EQ(engine.notifications[1].getString("method"), "step/finished");
  EXPECT_EQ(engine.notifications[3].getObject("params")->getString("name"), "cse");

  Object error = engine.callError("pipeline/record", Object{{"pipeline", "canonicalise"}});
  EXPECT_NE(error.getString("message")->find("canonicalize"), llvm::StringRef::npos);
  // The recording before is still there.
  engine.call("text/lines", Object{{"snapshot", 2}, {"first", 0}, {"count", 1}});
  engine.callError("pipeline/record", Object{{"pipeline", "cse"}, {"schedule", "/x.mlir"}});
  EXPECT_EQ(
      engine.call("pipeline/record", Object{{"pipeline", "canonicalize,cse"}, {"limit", 1}}).getArray("steps")->size(),
      1u);
}

TEST(Protocol, ListsPipelines) {
  EngineProcess engine;
  Object result = engine.call("pipeline/list");
  EXPECT_GT(result.getArray("passes")->size(), 100u);
  EXPECT_EQ((*result.getArray("presets"))[0].getAsObject()->getString("pipeline"), "");
}

TEST(Protocol, EveryPresetRecords) {
  Opened engine;
  Object list = engine.call("pipeline/list");
  ASSERT_FALSE(list.getArray("presets")->empty());
  for (const llvm::json::Value &preset : *list.getArray("presets")) {
    llvm::StringRef pipeline = *preset.getAsObject()->getString("pipeline");
    Object recording = engine.call("pipeline/record", Object{{"pipeline", pipeline}});
    EXPECT_EQ(recording.getBoolean("failed"), false) << pipeline.str();
  }
}

TEST(Protocol, GraphAndDetails) {
  Opened engine;
  for (llvm::StringRef level : {"ops", "dispatches"}) {
    Object scene = engine.call("graph/scene", Object{{"snapshot", 0}, {"level", level}});
    EXPECT_FALSE(scene.getArray("nodes")->empty());
    EXPECT_GT(scene.getObject("bounds")->getNumber("w"), 0);
  }
  Object scene = engine.call("graph/scene", Object{{"snapshot", 0}, {"tag", "scene"}});
  bool sawOp = false;
  for (const llvm::json::Value &node : *scene.getArray("nodes")) {
    int64_t id = *node.getAsObject()->getInteger("id");
    Object details = engine.call("op/details", Object{{"snapshot", 0}, {"id", id}});
    EXPECT_EQ(details.getInteger("id"), id);
    if (details.getString("op") == "linalg.generic") {
      sawOp = true;
      EXPECT_FALSE(details.getArray("maps")->empty());
      EXPECT_FALSE(details.getString("iterators")->empty());
      EXPECT_FALSE(details.getArray("operands")->empty());
      EXPECT_EQ((*details.getArray("provenance"))[0].getAsObject()->getInteger("id"), id);
    }
  }
  EXPECT_TRUE(sawOp);
  engine.callError("graph/scene", Object{{"snapshot", 0}, {"level", "atoms"}});
  engine.callError("graph/scene", Object{{"snapshot", 0}, {"collapsed", Array{"x"}}});

  std::string path = temporaryPath("svg");
  EXPECT_EQ(engine.call("graph/export", Object{{"snapshot", 0}, {"path", path}}).getString("path"), path);
  EXPECT_NE(readFile(path).find("<svg"), std::string::npos);
  engine.callError("graph/export", Object{{"snapshot", 0}, {"path", "/no/such/folder/x.svg"}});
  engine.callError("graph/export", Object{{"snapshot", 0}, {"path", "-"}});
  llvm::sys::fs::remove(path);
}

TEST(Protocol, StepsCanBeCompared) {
  Opened engine;
  Object recording =
      engine.call("pipeline/record", Object{{"pipeline", "func.func(linalg-fuse-elementwise-ops),canonicalize"}});
  Object diff = engine.call("step/diff", Object{{"step", 0}});
  int64_t left = 0, right = 0;
  for (const llvm::json::Value &value : *diff.getArray("rows")) {
    const Array &row = *value.getAsArray();
    int64_t kind = *row[0].getAsInteger();
    int64_t count = kind == 4 ? *row[3].getAsInteger() : 1;
    if (kind != 1) {
      EXPECT_EQ(row[1].getAsInteger(), left);
      left += count;
    }
    if (kind != 2) {
      EXPECT_EQ(row[2].getAsInteger(), right);
      right += count;
    }
  }
  EXPECT_EQ(left, diff.getInteger("leftLines"));
  EXPECT_EQ(right, diff.getInteger("rightLines"));

  Object graphDiff = engine.call("step/graphDiff", Object{{"step", 0}});
  EXPECT_FALSE(graphDiff.getArray("after")->empty());

  for (llvm::StringRef format : {"html", "json", "text"}) {
    std::string path = temporaryPath(format);
    engine.call("step/export", Object{{"path", path}, {"format", format}});
    EXPECT_NE(readFile(path).find("canonicalize"), std::string::npos);
    llvm::sys::fs::remove(path);
  }
  std::string path = temporaryPath("mlir");
  engine.call("step/reproducer", Object{{"step", 1}, {"path", path}});
  EXPECT_NE(readFile(path).find("mlir_reproducer"), std::string::npos);
  engine.callError("step/reproducer", Object{{"step", 1}, {"path", "/no/such/folder/x"}});
  engine.callError("step/reproducer", Object{{"step", 2}, {"path", path}});
  engine.call("step/reproducer", Object{{"step", 2}, {"path", path}, {"pipeline", "builtin.module(cse)"}});
  EXPECT_NE(readFile(path).find("builtin.module(cse)"), std::string::npos);
  engine.call("document/open", Object{{"path", path}});
  engine.callError("step/diff", Object{{"step", 0}});
  llvm::sys::fs::remove(path);
}

/// A copy of the engine makes the page.
TEST(Protocol, AnExportOfStepsEndsWhereItIsCancelled) {
  EngineProcess engine;
  engine.call("document/open", Object{{"path", sample("bert_attention.mlir")}});
  engine.call("pipeline/record");
  std::string path = temporaryPath("html");
  int64_t id = engine.request("step/export", Object{{"path", path}});
  engine.notify("$/cancel", Object{{"id", id}});
  Object reply = engine.replyTo(id);
  if (const Object *error = reply.getObject("error")) { // else it was quicker
    EXPECT_EQ(error->getInteger("code"), -32800);
    EXPECT_EQ(readFile(path), "");
  }
  engine.call("step/export", Object{{"path", path}});
  EXPECT_NE(readFile(path).find("canonicalize"), std::string::npos);
  llvm::sys::fs::remove(path);
}

TEST(Protocol, AFailedStepPointsAtItsOp) {
  EngineProcess engine;
  std::string path = temporaryPath("mlir");
  {
    std::error_code code;
    llvm::raw_fd_ostream(path, code) << "func.func @f(%a: f32) -> f32 {\n"
                                        "  %t = \"test.unknown\"(%a) : (f32) -> tensor<4xf32>\n"
                                        "  %u = \"test.unknown\"(%t) : (tensor<4xf32>) -> f32\n"
                                        "  return %u : f32\n}\n";
  }
  engine.call("document/open", Object{{"path", path}});
  Object recording = engine.call("pipeline/record", Object{{"pipeline", "one-shot-bufferize,cse"}});
  EXPECT_EQ(recording.getBoolean("failed"), true);
  ASSERT_EQ(recording.getArray("steps")->size(), 1u);
  const Array &diagnostics = *(*recording.getArray("steps"))[0].getAsObject()->getArray("diagnostics");
  ASSERT_FALSE(diagnostics.empty());
  int64_t id = diagnostics[0].getAsObject()->getInteger("op").value_or(-1);
  EXPECT_EQ(engine.call("op/details", Object{{"snapshot", 0}, {"id", id}}).getString("op"), "test.unknown");
  llvm::sys::fs::remove(path);
}

TEST(Protocol, DevicesAndRun) {
  Opened engine;
  Object devices = engine.call("devices/list");
  ASSERT_FALSE(devices.getArray("devices")->empty());
  Object report = engine.call("run/start", Object{{"device", "host"}, {"repeat", 1}, {"warmup", 0}});
  EXPECT_EQ(report.getBoolean("ok"), true);
  engine.callError("run/start", Object{{"device", "abacus:0"}});
  engine.callError("run/start", Object{{"device", "host"}, {"repeat", 0}});
  engine.callError("run/start", Object{{"sizes", Object{{"arg0.0", -3}}}});
  Object given =
      engine.call("run/start", Object{{"device", "host"}, {"repeat", 1}, {"inputs", Object{{"arg0", "zeros"}}}});
  EXPECT_EQ((*given.getArray("inputs"))[0].getAsObject()->getString("source"), "zeros");
  EXPECT_GT(given.getNumber("wall_us").value_or(0), 0);
  const Object &output = *(*given.getArray("outputs"))[0].getAsObject();
  EXPECT_EQ(output.getString("verdict"), "ok");
  EXPECT_EQ(*(*output.getArray("values"))[0].getAsNumber(), 1.0 / 128); // softmax of equal values
  EXPECT_EQ(output.getObject("heat")->getArray("slice")->size(), 3u);
  given = engine.call("run/start", Object{{"device", "host"}, {"repeat", 1}, {"inputs", Object{{"arg0", 2}}}});
  EXPECT_EQ((*given.getArray("inputs"))[0].getAsObject()->getString("source"), "2");
  engine.callError("run/start", Object{{"inputs", Object{{"arg99", "zeros"}}}});
  engine.callError("run/start", Object{{"inputs", Object{{"arg0", Array{1}}}}});
}

TEST(Protocol, BadParametersAreErrors) {
  Opened engine;
  engine.call("pipeline/record", Object{{"pipeline", "cse"}});
  auto expectInvalid = [&](llvm::StringRef method, llvm::json::Value params) {
    EXPECT_EQ(engine.callError(method, std::move(params)).getInteger("code"), -32602) << method.str();
  };
  expectInvalid("text/lines", Object{});
  expectInvalid("text/lines", Object{{"snapshot", 2}, {"first", 0}, {"count", 1}});
  expectInvalid("text/lines", Object{{"snapshot", -1}, {"first", 0}, {"count", 1}});
  expectInvalid("text/lines", Object{{"snapshot", 0}, {"first", -5}, {"count", 1}});
  expectInvalid("text/lines", Object{{"snapshot", "0"}, {"first", 0}, {"count", 1}});
  expectInvalid("text/lines", Object{{"snapshot", 0.5}, {"first", 0}, {"count", 1}});
  expectInvalid("text/lines", Array{1, 2, 3});
  expectInvalid("text/opAt", Object{{"snapshot", 0}, {"line", -1}});
  expectInvalid("text/opAt", Object{{"snapshot", 0}, {"line", 1 << 30}});
  expectInvalid("op/details", Object{{"snapshot", 0}, {"id", 1 << 30}});
  expectInvalid("op/details", Object{{"snapshot", 0}, {"id", -1 << 30}});
  expectInvalid("op/details", Object{{"snapshot", 0}});
  expectInvalid("step/diff", Object{{"step", 1}});
  expectInvalid("step/diff", Object{{"step", -1}});
  expectInvalid("step/graphDiff", Object{{"step", nullptr}});
  expectInvalid("document/open", Object{{"path", 7}});
  expectInvalid("document/open", Object{});
  expectInvalid("pipeline/record", Object{{"limit", -1}});
  expectInvalid("graph/scene", Object{{"snapshot", 0}, {"foldConstants", "yes"}});
  EXPECT_EQ(engine.callError("no/such/method").getInteger("code"), -32601);
}

} // namespace
} // namespace fuselage::test

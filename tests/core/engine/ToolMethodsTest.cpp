// tool/* and compare/*, asked of the real process.
#include "core/stepping/tool/ToolProcess.h"
#include "tests/core/engine/EngineProcess.h"
#include "llvm/Support/FileSystem.h"
#include <chrono>
#include <fstream>
#include <gtest/gtest.h>
#include <thread>

namespace fuselage::test {
namespace {

using llvm::json::Array;
using llvm::json::Object;

/// An engine, and a folder with scripts that play compilers.
struct ToolEngine : EngineProcess {
  std::shared_ptr<ToolFolder> folder;

  ToolEngine() {
    auto made = ToolFolder::make();
    EXPECT_TRUE(bool(made));
    folder = *made;
    std::ofstream(folder->file("in.mlir")) << "module {\n  func.func @f() {\n    return\n  }\n}\n";
  }
  std::string script(llvm::StringRef name, const std::string &body) {
    std::string path = folder->file(name);
    std::ofstream(path) << "#!/bin/sh\ndump() { echo \"// -----// IR Dump After $1 ($1) //----- //\" >&2\n"
                           "printf 'module {\\n  func.func @f() {\\n    %%c = arith.constant %s : i32\\n    return\\n  "
                           "}\\n}\\n' $2 >&2; }\n"
                        << body;
    llvm::sys::fs::setPermissions(path, llvm::sys::fs::all_read | llvm::sys::fs::all_exe | llvm::sys::fs::owner_write);
    return path;
  }
  Object start(const std::string &command) {
    return call("tool/start", Object{{"path", folder->file("in.mlir")}, {"command", command}});
  }
  /// Polls until the tool has ended; all steps that came, and the last answer.
  Object pollToTheEnd(std::vector<std::string> &names) {
    for (int i = 0; i < 500; ++i) {
      Object progress = call("tool/poll");
      names.resize(std::min<size_t>(names.size(), *progress.getInteger("first")));
      for (const llvm::json::Value &step : *progress.getArray("steps"))
        names.push_back(step.getAsObject()->getString("name")->str());
      if (!*progress.getBoolean("running"))
        return progress;
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    ADD_FAILURE() << "the tool does not end";
    return {};
  }
};

std::vector<std::string> stepsOf(const Object &document) {
  std::vector<std::string> names;
  for (const llvm::json::Value &step : *document.getArray("steps"))
    names.push_back(step.getAsObject()->getString("name")->str());
  return names;
}

TEST(ToolMethods, OpenALogThatGrows) {
  ToolEngine engine;
  std::string go = engine.folder->file("go");
  Object document = engine.start(engine.script("some-opt", "dump one 1\ndump two 2\nwhile [ ! -e " + go +
                                                               " ]; do sleep 0.05; done\ndump three 3\n"));
  EXPECT_EQ(document.getBoolean("log"), true);
  EXPECT_EQ(document.getString("source"), engine.folder->file("in.mlir"));
  std::vector<std::string> names = stepsOf(document);
  // Everything works on what is there.
  for (int i = 0; i < 500 && names.empty(); ++i) {
    Object progress = engine.call("tool/poll");
    for (const llvm::json::Value &step : *progress.getArray("steps"))
      names.push_back(step.getAsObject()->getString("name")->str());
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  ASSERT_EQ(names.size(), 1u) << "the last dump may not be whole";
  EXPECT_EQ(engine.call("text/lines", Object{{"snapshot", 1}, {"first", 2}, {"count", 1}})
                .getArray("lines")
                ->front()
                .getAsString()
                ->trim(),
            "%c = arith.constant 1 : i32");
  std::ofstream(go) << "go";
  Object last = engine.pollToTheEnd(names);
  EXPECT_EQ(names, (std::vector<std::string>{"one", "two", "three"}));
  EXPECT_EQ(last.getString("problem"), "");
  // Snapshot 0 is the file; a recording begins at any.
  EXPECT_EQ(engine.call("text/lines", Object{{"snapshot", 0}, {"first", 0}, {"count", 9}}).getInteger("total"), 5);
  Object recorded = engine.call("pipeline/record", Object{{"pipeline", "builtin.module(canonicalize)"}, {"from", 3}});
  EXPECT_EQ(recorded.getArray("steps")->size(), 1u);
  // The log is there for as long as it is open, also when it is opened by its path.
  std::string path = document.getString("path")->str();
  EXPECT_EQ(stepsOf(engine.call("document/open", Object{{"path", path}})).size(), 4u) << "the input is a dump in it";
  engine.call("document/open", Object{{"path", engine.folder->file("in.mlir")}});
  EXPECT_FALSE(llvm::sys::fs::exists(path));
}

TEST(ToolMethods, EndWithTheDocumentAndOnRequest) {
  ToolEngine engine;
  std::string mark = engine.folder->file("mark");
  std::string tool = engine.script("endless-opt", "dump one 1\ndump two 2\necho $$ > " + mark + "\nexec sleep 1000\n");
  std::vector<std::string> names = stepsOf(engine.start(tool));
  engine.call("tool/stop");
  Object last = engine.pollToTheEnd(names);
  EXPECT_EQ(names.size(), 2u);
  EXPECT_NE(last.getString("problem")->find("cancelled"), llvm::StringRef::npos);
  engine.start(tool);
  int pid = 0;
  std::ifstream(mark) >> pid;
  ASSERT_GT(pid, 0);
  engine.call("document/open", Object{{"path", engine.folder->file("in.mlir")}});
  EXPECT_FALSE(llvm::sys::fs::exists("/proc/" + std::to_string(pid) + "/exe"));
  EXPECT_NE(engine.callError("tool/poll").getString("message")->find("no compiler was started"), llvm::StringRef::npos);
}

TEST(ToolMethods, SayWhatIsWrong) {
  ToolEngine engine;
  auto errorOf = [&](const std::string &command, const std::string &path) {
    return engine.callError("tool/start", Object{{"path", path}, {"command", command}}).getString("message")->str();
  };
  std::string file = engine.folder->file("in.mlir");
  EXPECT_NE(errorOf("no-such-compiler", file).find("not in a folder of PATH"), std::string::npos);
  EXPECT_NE(errorOf("mlir-opt; rm", file).find("no shell runs"), std::string::npos);
  EXPECT_NE(errorOf(engine.script("some-opt", "exit 0\n"), file + "x").find("cannot open"), std::string::npos);
  std::string failing = engine.script("bad-opt", "echo 'in.mlir:1:1: error: no' >&2\nexit 4\n");
  EXPECT_NE(errorOf(failing, file).find("exit code 4"), std::string::npos);
  Object tools = engine.call("tool/list");
  ASSERT_NE(tools.getArray("tools"), nullptr);
}

TEST(CompareMethods, PutTwoSideBySide) {
  ToolEngine engine;
  std::string sample = std::string(FUSELAGE_SOURCE_DIR) + "/samples/bert_attention.mlir";
  engine.call("document/open", Object{{"path", sample}});
  engine.call("pipeline/record",
              Object{{"pipeline", "builtin.module(func.func(fuselage-form-dispatches{policy=none}))"}});
  Object merged = engine.call("compare/with", Object{{"snapshot", 0}, {"other", 1}});
  EXPECT_GT(*merged.getObject("counts")->getInteger("merged"), 0);
  EXPECT_EQ(merged.getObject("a")->getBoolean("planned"), true);
  EXPECT_EQ(merged.getObject("b")->getInteger("snapshot"), 1);
  Object same = engine.call("compare/with", Object{{"snapshot", 0}, {"path", sample}});
  EXPECT_EQ(*same.getObject("counts")->getInteger("same"), int64_t(same.getArray("rows")->size()));
  Object fused = engine.call("compare/with", Object{{"snapshot", 0}, {"path", sample}, {"fuseAll", true}});
  EXPECT_LT(fused.getObject("a")->getArray("dispatches")->size(), same.getObject("a")->getArray("dispatches")->size());
  EXPECT_EQ(engine.callError("compare/with", Object{{"snapshot", 0}}).getInteger("code"), -32602);
  EXPECT_NE(engine.callError("compare/with", Object{{"snapshot", 0}, {"path", sample + "x"}}).getString("message"),
            std::nullopt);
  EXPECT_NE(engine.callError("compare/with", Object{{"snapshot", 0}, {"tool", "no-such-compiler"}})
                .getString("message")
                ->find("PATH"),
            llvm::StringRef::npos);
}

} // namespace
} // namespace fuselage::test

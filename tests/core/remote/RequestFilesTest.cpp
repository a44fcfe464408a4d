// Paths of requests on the way to another machine, and back.
#include "core/remote/files/RequestFiles.h"
#include "core/remote/files/PipelineFiles.h"
#include "core/remote/near/FarScript.h"
#include "core/remote/near/OutputReceiver.h"
#include "core/support/Error.h"
#include "llvm/Support/FileSystem.h"
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

namespace fuselage::remote {
namespace {

namespace json = llvm::json;

std::string contentOfFile(const std::string &path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

class RequestFilesTest : public testing::Test {
protected:
  void SetUp() override {
    llvm::SmallString<128> path;
    ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("fuselage-files", path));
    folder = path.str().str();
    setenv("XDG_DATA_HOME", (folder + "/data").c_str(), 1);
    paths.setFarFolder("/far/in");
  }
  void TearDown() override { llvm::sys::fs::remove_directories(folder); }

  /// `path` below the folder, with a text in it.
  std::string file(const std::string &name) {
    std::filesystem::create_directories(std::filesystem::path(folder + "/" + name).parent_path());
    std::ofstream(folder + "/" + name) << name;
    return folder + "/" + name;
  }
  RequestFiles map(llvm::StringRef method, json::Value &params) {
    auto files = mapper.map(method, params);
    if (files)
      return std::move(*files);
    ADD_FAILURE() << takeFailure(files.takeError()).message;
    return {};
  }

  std::string folder;
  PathMap paths{"TOKEN"};
  RequestMapper mapper{paths, ""};
};

TEST_F(RequestFilesTest, FilesThatLieBesideEachOtherStillDo) {
  EXPECT_EQ(paths.placeOf("a/x.mlir").path, "TOKEN/0/x.mlir");
  EXPECT_EQ(paths.placeOf("a/y.mlir").path, "TOKEN/0/y.mlir");
  EXPECT_EQ(paths.placeOf("x.mlir").at, "1/x.mlir");
  EXPECT_EQ(paths.placeOf("/abs/dumps/").path, "TOKEN/2/dumps/");
  EXPECT_EQ(paths.placeOf("..").at, "3");
  EXPECT_EQ(paths.toLocal("/far/in/0/x.mlir:3:4, /far/in/1/x.mlir, /far/in/2, /far/in/1, /far/in/9/x", false),
            "a/x.mlir:3:4, x.mlir, /abs, ., /far/in/9/x");
}

TEST_F(RequestFilesTest, PathsInJsonAreEscaped) {
  EXPECT_EQ(paths.placeOf("a \"b\"/x").at, "0/x");
  EXPECT_EQ(paths.toLocal(R"({"path":"/far/in/0/x"})", true), R"({"path":"a \"b\"/x"})");
}

TEST_F(RequestFilesTest, WhatIsReadIsSentAndWhatIsWrittenComesBack) {
  json::Value open = json::Object{{"path", file("m.mlir")}};
  RequestFiles files = map("document/open", open);
  ASSERT_EQ(files.files.size(), 1u);
  EXPECT_EQ(files.files[0].at, "0/m.mlir");
  EXPECT_EQ(open.getAsObject()->getString("path"), "TOKEN/0/m.mlir");

  json::Value save = json::Object{{"snapshot", 0}, {"path", folder + "/out.mlir"}};
  files = map("text/save", save);
  EXPECT_TRUE(files.files.empty());
  ASSERT_EQ(files.outputs.size(), 1u);
  EXPECT_EQ(files.outputs[0].path, folder + "/out.mlir");

  json::Value missing = json::Object{{"path", folder + "/none.mlir"}};
  EXPECT_EQ(map("document/open", missing).absent, std::vector<std::string>{"0/none.mlir"});
}

TEST_F(RequestFilesTest, EveryKindOfParameter) {
  const std::string array = file("arrays/a.npy");
  file("arrays/b.txt");
  json::Value run = json::Object{{"inputs", json::Object{{"arg0", "@" + array}, {"arg1", "zeros"}}},
                                 {"inputs_folder", folder + "/arrays"},
                                 {"parameters", json::Object{{file("w.irpa"), "model"}}},
                                 {"device", "vulkan:0"}};
  RequestFiles files = map("run/start", run);
  EXPECT_EQ(files.files.size(), 3u); // b.txt is no array
  const json::Object &params = *run.getAsObject();
  EXPECT_TRUE(params.getObject("inputs")->getString("arg0")->starts_with("@TOKEN/"));
  EXPECT_EQ(params.getObject("inputs")->getString("arg1"), "zeros");
  EXPECT_TRUE(llvm::StringRef(params.getObject("parameters")->begin()->first).starts_with("TOKEN/"));
  EXPECT_EQ(params.getString("device"), "vulkan:0");
  EXPECT_EQ(params.getString("tuned"), "none"); // the user has none, whatever is on the other machine

  json::Value typed = json::Object{{"path", file("s.mlir")}, {"text", "module {}"}, {"libraries", {file("l.mlir")}}};
  EXPECT_EQ(map("schedule/check", typed).files.size(), 1u);
  EXPECT_EQ(typed.getAsObject()->getString("path"), folder + "/s.mlir"); // a name, no file

  json::Value folderOfDumps = json::Object{{"path", folder}};
  EXPECT_EQ(map("document/open", folderOfDumps).files.size(), 5u);

  json::Value tune = json::Object{{"dispatch", "0"}};
  files = map("tune/start", tune);
  ASSERT_EQ(files.outputs.size(), 1u);
  EXPECT_EQ(files.outputs[0].path, folder + "/data/fuselage/tuning.jsonl");
  EXPECT_TRUE(files.outputs[0].isUpdated);
  // The engine goes on writing to it: it is not sent over it.
  file("data/fuselage/tuning.jsonl");
  json::Value journal = json::Object{};
  EXPECT_TRUE(map("tune/journal", journal).files.empty());
}

TEST_F(RequestFilesTest, WrongTypesAreLeftToTheEngine) {
  for (json::Value params : {json::Value(nullptr), json::Value(7), json::Value(json::Object{{"path", 7}}),
                             json::Value(json::Object{{"path", json::Array{1, nullptr}}})})
    EXPECT_TRUE(map("document/open", params).files.empty());
  json::Value inputs = json::Object{{"inputs", "text"}, {"parameters", 3}, {"tuned", false}};
  EXPECT_TRUE(map("run/start", inputs).files.empty());
}

TEST_F(RequestFilesTest, FilesThatPassesName) {
  std::string pipeline = "a{x=1},transform-preload-library{transform-library-paths=l1.mlir,d/l2.mlir},cse";
  std::vector<std::string> seen;
  auto map = [&](std::string &path) {
    seen.push_back(path);
    path = "far/" + path;
    return llvm::Error::success();
  };
  EXPECT_FALSE(bool(mapPipelineFiles(pipeline, map)));
  EXPECT_EQ(pipeline, "a{x=1},transform-preload-library{transform-library-paths=far/l1.mlir,far/d/l2.mlir},cse");
  EXPECT_EQ(seen.size(), 2u);
  std::string writes = "snapshot-op-locations{filename=/tmp/x}";
  llvm::Error error = mapPipelineFiles(writes, map);
  ASSERT_TRUE(bool(error));
  EXPECT_NE(takeFailure(std::move(error)).message.find("writes a file"), std::string::npos);
}

TEST_F(RequestFilesTest, OnlyFilesThatAreWaitedForAreWritten) {
  OutputReceiver receiver(paths);
  const std::string path = folder + "/out.txt", other = file("other.txt");
  paths.placeOf("models/m.mlir");
  const int64_t id = receiver.expect("7", {{.at = "0/out.txt", .path = path}}).front();
  auto piece = [&](int64_t number, int64_t offset, bool isLast) {
    return json::Object{{"id", number}, {"offset", offset}, {"isLast", isLast}, {"path", other}};
  };
  EXPECT_TRUE(bool(receiver.take(piece(id + 1, 0, true), "bad")));
  EXPECT_TRUE(bool(receiver.take(piece(id, 5, false), "bad")));
  const std::string text = std::string(3 << 20, 'x') + "/far/in/0/m.mlir";
  EXPECT_FALSE(bool(receiver.take(piece(id, 0, false), text)));
  EXPECT_FALSE(llvm::sys::fs::exists(path)); // not before all is there
  EXPECT_FALSE(bool(receiver.take(piece(id, int64_t(text.size()), true), "")));
  EXPECT_EQ(contentOfFile(path), std::string(3 << 20, 'x') + "models/m.mlir");
  EXPECT_EQ(receiver.finish("7"), "");
  EXPECT_TRUE(bool(receiver.take(piece(id, 0, true), "late")));
  EXPECT_EQ(contentOfFile(other), "other.txt");
  // A place that cannot be written is the request's error.
  const int64_t bad = receiver.expect("8", {{.at = "0/x", .path = folder}}).front();
  EXPECT_TRUE(bool(receiver.take(piece(bad, 0, true), "")));
  EXPECT_NE(receiver.finish("8").find("it is a folder"), std::string::npos);
}

TEST_F(RequestFilesTest, PathsAcrossPiecesAreMapped) {
  paths.placeOf("models/m.mlir");
  for (size_t before = (1 << 20) - 40; before < (1 << 20) + 10; ++before) {
    OutputReceiver receiver(paths);
    const std::string path = folder + "/out.txt";
    const int64_t id = receiver.expect("1", {{.at = "0/out.txt", .path = path}}).front();
    std::string text = std::string(before, 'x') + "/far/in/0/m.mlir and /far/in/0/m.mlir";
    EXPECT_FALSE(bool(receiver.take(json::Object{{"id", id}, {"offset", 0}}, text)));
    EXPECT_FALSE(bool(receiver.take(json::Object{{"id", id}, {"offset", text.size()}, {"isLast", true}}, "")));
    EXPECT_TRUE(contentOfFile(path) == std::string(before, 'x') + "models/m.mlir and models/m.mlir") << before;
  }
}

TEST(FarScript, IsTheSameToEveryShell) {
  const std::string script = farScript("0.1.0-abc", "fuselage 0.1.0 (MLIR 22)",
                                       {.session = std::string(32, 'a'), .arguments = {"--x", "it's \\ \"$HOME\"\n!"}});
  EXPECT_EQ(std::count(script.begin(), script.end(), '\''), 2);
  EXPECT_EQ(script.find_first_of("\\\n!`"), std::string::npos);
}

TEST(FarScript, OptionsComeBack) {
  const FarOptions options{
      .session = std::string(32, 'a'), .isNew = false, .keepSeconds = 3, .cacheBytes = 7, .arguments = {"--x", "it's"}};
  auto back = decodeFarOptions(encodeFarOptions(options));
  ASSERT_TRUE(bool(back));
  EXPECT_EQ(back->arguments, options.arguments);
  EXPECT_EQ(back->keepSeconds, 3u);
  EXPECT_FALSE(back->isNew);
  for (const std::string &wrong :
       {std::string("zz"), std::string("7b7d"), encodeFarOptions({.session = "../../etc"})}) {
    auto none = decodeFarOptions(wrong);
    EXPECT_FALSE(bool(none)) << wrong;
    llvm::consumeError(none.takeError());
  }
}

} // namespace
} // namespace fuselage::remote

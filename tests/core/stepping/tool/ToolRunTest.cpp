// Another compiler, played by small shell scripts and by fuselage-opt.
#include "core/stepping/record/ToolRun.h"
#include "core/stepping/tool/ToolAdvice.h"
#include "core/stepping/tool/ToolStep.h"
#include "tests/core/stepping/SteppingTestSupport.h"
#include <chrono>
#include <csignal>
#include <fstream>
#include <thread>

namespace fuselage::test {
namespace {

using namespace std::chrono_literals;

/// A folder with scripts that play compilers.
class ToolRunTest : public testing::Test {
protected:
  void SetUp() override {
    auto made = ToolFolder::make();
    ASSERT_TRUE(bool(made));
    folder = *made;
    std::ofstream(folder->file("in.mlir")) << "module @m {\n  func.func @f() {\n    return\n  }\n}\n";
  }
  /// The path of a script.
  std::string script(llvm::StringRef name, llvm::StringRef body) {
    std::string path = folder->file(name);
    std::ofstream(path) << "#!/bin/sh\n" << body.str();
    llvm::sys::fs::setPermissions(path, llvm::sys::fs::all_read | llvm::sys::fs::all_exe | llvm::sys::fs::owner_write);
    return path;
  }
  std::shared_ptr<ToolRun> prepare(llvm::StringRef command) {
    auto read = readToolCommand(command);
    if (!read) {
      ADD_FAILURE() << llvm::toString(read.takeError());
      return nullptr;
    }
    auto run = ToolRun::prepare(std::move(*read), folder->file("in.mlir"));
    if (run)
      return *run;
    ADD_FAILURE() << llvm::toString(run.takeError());
    return nullptr;
  }
  /// Until it holds, or for long enough.
  static bool becomes(llvm::function_ref<bool()> holds) {
    for (int i = 0; i < 500; ++i) {
      if (holds())
        return true;
      std::this_thread::sleep_for(20ms);
    }
    return false;
  }

  static constexpr llvm::StringLiteral dumpFunction =
      "dump() { echo \"// -----// IR Dump After $1 ($2) //----- //\" >&2; "
      "printf 'module @m {\\n  func.func @f() {\\n    %%c%s = arith.constant %s : i32\\n    return\\n  }\\n}\\n\\n' $3 "
      "$3 >&2; }\n";

  std::shared_ptr<ToolFolder> folder;
  Session session{allDialects()};
};

TEST_F(ToolRunTest, ReadsPassesAndTheInput) {
  auto run = prepare(script("their-opt", dumpFunction.str() + "dump A a 1\ndump B b 2\n"));
  auto end = run->run(nullptr, {}, false);
  ASSERT_TRUE(bool(end));
  EXPECT_TRUE(end->isFine());
  EXPECT_FALSE(run->failure());
  auto recording = run->read(session);
  ASSERT_TRUE(bool(recording)) << llvm::toString(recording.takeError());
  ASSERT_EQ(recording->steps.size(), 2u);
  EXPECT_EQ(recording->steps[0].name, "a");
  EXPECT_TRUE(recording->steps[0].changed);
  // FILE is the input of the first pass.
  ASSERT_GE(recording->steps[0].before, 0);
  EXPECT_EQ(recording->before(recording->steps[0])->lines().text().find("arith"), std::string::npos);
  EXPECT_NE(recording->after(recording->steps[1])->lines().text().find("constant 2"), std::string::npos);
}

TEST_F(ToolRunTest, CanBeReadWhileItIsAtWork) {
  std::string go = folder->file("go");
  auto run = prepare(script("slow-opt", dumpFunction.str() + "dump A a 1\ndump B b 2\nwhile [ ! -e " + go +
                                            " ]; do sleep 0.05; done\ndump C c 3\n"));
  run->start();
  // The last dump may not be whole.
  ASSERT_TRUE(becomes([&] {
    auto recording = run->read(session);
    bool isThere = recording && recording->steps.size() == 1;
    if (!recording)
      llvm::consumeError(recording.takeError());
    return isThere;
  }));
  EXPECT_TRUE(run->isRunning());
  std::ofstream(go) << "go";
  ASSERT_TRUE(becomes([&] { return !run->isRunning(); }));
  auto recording = run->read(session);
  ASSERT_TRUE(bool(recording));
  EXPECT_EQ(recording->steps.size(), 3u);
}

TEST_F(ToolRunTest, EndsWithAllThatItStarted) {
  std::string mark = folder->file("mark");
  auto run = prepare(script("hanging-opt", "sleep 100 & echo $! > " + mark + "; wait\n"));
  run->start();
  int pid = 0;
  ASSERT_TRUE(becomes([&] { return bool(std::ifstream(mark) >> pid); }));
  run->stop();
  ASSERT_TRUE(becomes([&] { return !run->isRunning(); }));
  ASSERT_TRUE(run->failure());
  EXPECT_NE(run->failure()->message.find("cancelled"), std::string::npos);
  // Gone, or a zombie that nobody has waited for.
  auto isOver = [&] {
    std::string word, state;
    std::ifstream stat("/proc/" + std::to_string(pid) + "/stat");
    return !(stat >> word >> word >> state) || state == "Z";
  };
  EXPECT_TRUE(becomes(isOver));
}

TEST_F(ToolRunTest, IsBoundedInSize) {
  ToolProcessOptions options;
  options.path = script("loud-opt", "while :; do echo 0123456789012345678901234567890123456789 >&2; done\n");
  options.arguments = {"loud-opt"};
  options.outputFile = folder->file("out");
  options.errorFile = folder->file("err");
  options.mostBytes = 1 << 16;
  auto end = runTool(options);
  ASSERT_TRUE(bool(end));
  EXPECT_EQ(end->how, ToolEnd::How::TooMuch);
  uint64_t size = 0;
  ASSERT_FALSE(llvm::sys::fs::file_size(options.errorFile, size));
  EXPECT_LT(size, uint64_t(1) << 18);
}

TEST_F(ToolRunTest, SaysHowItFailed) {
  auto run = prepare(script("bad-opt", "echo 'x.mlir:1:2: error: no such op' >&2\nexit 3\n"));
  auto end = run->run(nullptr, {}, false);
  ASSERT_TRUE(bool(end));
  EXPECT_EQ(end->code, 3);
  ASSERT_TRUE(run->failure());
  EXPECT_NE(run->failure()->message.find("exit code 3"), std::string::npos);
  EXPECT_NE(run->failure()->message.find("no such op"), std::string::npos);
  auto recording = run->read(session);
  ASSERT_FALSE(bool(recording));
  llvm::consumeError(recording.takeError());
}

TEST_F(ToolRunTest, HasNoInputAndItsOwnGroup) {
  auto run =
      prepare(script("reading-opt", dumpFunction.str() + "if read line; then exit 9; fi\ndump A a 1\ndump B b 2\n"));
  auto end = run->run(nullptr, {}, false);
  ASSERT_TRUE(bool(end));
  EXPECT_TRUE(end->isFine());
}

TEST_F(ToolRunTest, IsOneStepOfAPipeline) {
  std::string tool = script("lower-opt", "for last; do :; done\nsed 's/arith.addf/arith.mulf/' $last\n");
  Input input;
  RecordOptions options;
  options.pipeline = "canonicalize,tool(" + tool + "),cse";
  auto recording = input.record(options);
  ASSERT_TRUE(bool(recording)) << llvm::toString(recording.takeError());
  ASSERT_EQ(recording->steps.size(), 3u);
  EXPECT_EQ(recording->steps[1].name, "lower-opt");
  EXPECT_TRUE(recording->steps[1].changed);
  EXPECT_FALSE(recording->steps[1].failed);
  EXPECT_EQ(recording->steps[1].opDelta["arith.addf"], -2);
  EXPECT_EQ(recording->steps[2].name, "cse");
}

TEST_F(ToolRunTest, ThatFailsEndsThePipeline) {
  std::string silent = script("silent-opt", "exit 0\n");
  Input input;
  Recording recording = input.recordPipeline("tool(" + silent + "),cse");
  ASSERT_EQ(recording.steps.size(), 1u);
  EXPECT_TRUE(recording.steps[0].failed);
  EXPECT_NE(recording.steps[0].diagnostics.front().message.find("printed no module"), std::string::npos);
  EXPECT_NE(input.failureOf("tool(no-such-opt),cse").find("not in a folder of PATH"), std::string::npos);
}

TEST_F(ToolRunTest, TheDefaultPipelineGoesOnFromThere) {
  std::string same = script("same-opt", "for last; do :; done\ncat $last\n");
  Input input;
  Recording alone = input.recordPipeline(""), behind = input.recordPipeline("tool(" + same + "),default");
  ASSERT_FALSE(behind.steps.empty());
  EXPECT_EQ(behind.steps.size(), alone.steps.size() + 1);
  EXPECT_EQ(behind.steps.back().name, alone.steps.back().name);
}

std::optional<ToolAdvice> adviceOn(llvm::StringRef text) {
  Session session(allDialects());
  auto read = session.readText(text, "x.mlir");
  if (!read) {
    ADD_FAILURE() << llvm::toString(read.takeError());
    return std::nullopt;
  }
  return adviceFor(*read->module);
}

constexpr llvm::StringLiteral torch = R"mlir(
func.func @main(%a: !torch.vtensor<[4],f32>) -> !torch.vtensor<[4],f32> {
  %0 = torch.aten.relu %a : !torch.vtensor<[4],f32> -> !torch.vtensor<[4],f32>
  return %0 : !torch.vtensor<[4],f32>
}
)mlir";

TEST_F(ToolRunTest, AdvisesTheCompilerThatIsThere) {
  script("torch-mlir-opt", "exit 0\n");
  std::string path = std::getenv("PATH");
  setenv("PATH", folder->path().c_str(), 1);
  auto there = adviceOn(torch);
  setenv("PATH", "/nowhere", 1);
  auto nowhere = adviceOn(torch);
  setenv("PATH", path.c_str(), 1);
  ASSERT_TRUE(there && nowhere);
  EXPECT_EQ(there->form, "Torch");
  EXPECT_EQ(there->program, "torch-mlir-opt");
  EXPECT_TRUE(there->isThere);
  EXPECT_NE(there->pipeline.find("tool(torch-mlir-opt "), std::string::npos);
  EXPECT_FALSE(nowhere->isThere);
  EXPECT_NE(nowhere->sentence.find("pip install"), std::string::npos);
  EXPECT_EQ(nowhere->install, "pip install iree-base-compiler");
  EXPECT_EQ(there->install, "");
}

TEST(ToolAdvice, KnowsTheForms) {
  EXPECT_FALSE(adviceOn("func.func @f(%a: tensor<2xf32>) -> tensor<2xf32> {\n"
                        "  %0 = stablehlo.abs %a : tensor<2xf32>\n  return %0 : tensor<2xf32>\n}\n"))
      << "the normalization lowers it";
  auto onnx =
      adviceOn("func.func @f(%a: !torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32> {\n"
               "  %0 = torch.operator \"onnx.Relu\"(%a) : (!torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32>\n"
               "  return %0 : !torch.vtensor<[2],f32>\n}\n");
  ASSERT_TRUE(onnx);
  EXPECT_EQ(onnx->form, "ONNX");
  EXPECT_NE(onnx->command.find("onnx"), std::string::npos);
  auto tosa = adviceOn("func.func @f(%a: tensor<2xf32>) -> tensor<2xf32> {\n"
                       "  %0 = tosa.abs %a : (tensor<2xf32>) -> tensor<2xf32>\n  return %0 : tensor<2xf32>\n}\n");
  EXPECT_FALSE(tosa) << "the normalization lowers it";
  EXPECT_FALSE(adviceOn(smallModule)) << "what we work on needs no other compiler";
}

} // namespace
} // namespace fuselage::test

#include "core/tuning/library/TunedLibrary.h"
#include "core/ir/Session.h"
#include "core/registration/Registration.h"
#include "core/run/Run.h"
#include "core/run/RunProgram.h"
#include "core/run/Specialize.h"
#include "core/transforms/workgroups/sizes/TilingConfig.h"
#include "gtest/gtest.h"
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

using namespace fuselage;
using namespace fuselage::tune;

namespace {

class TunedLibraryTest : public testing::Test {
protected:
  void SetUp() override {
    std::string pattern = (std::filesystem::temp_directory_path() / "tuned-XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
    path_ = folder_ / "deep" / "tuned.json";
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  static TunedEntry entry(const std::string &dispatch, int64_t rows, const std::string &driver = "1.0") {
    return {.device = "device \"one\"",
            .driver = driver,
            .dispatch = dispatch,
            .op = "linalg.matmul 8x8x8",
            .sizes = {{"rows", rows}},
            .ratio = 1.5};
  }
  std::string problem() const {
    auto library = TunedLibrary::read(path_.string());
    return library ? "" : takeFailure(library.takeError()).message;
  }
  void write(const std::string &text) const {
    std::filesystem::create_directories(path_.parent_path());
    std::ofstream(path_) << text;
  }
  std::string content() const {
    std::ostringstream text;
    text << std::ifstream(path_).rdbuf();
    return text.str();
  }
  std::filesystem::path folder_, path_;
};

TEST_F(TunedLibraryTest, KeepsOneEntryOfEachDispatch) {
  EXPECT_TRUE(llvm::cantFail(TunedLibrary::read(path_.string())).entries().empty());
  llvm::cantFail(TunedLibrary::add(path_.string(), {entry("b", 1), entry("a", 2)}));
  llvm::cantFail(TunedLibrary::add(path_.string(), {entry("b", 3), entry("b", 4, "2.0")}));
  TunedLibrary library = llvm::cantFail(TunedLibrary::read(path_.string()));
  ASSERT_EQ(library.entries().size(), 3u);
  EXPECT_EQ(library.entries().front().dispatch, "a");
  ASSERT_NE(library.find("device \"one\"", "1.0", "b"), nullptr);
  EXPECT_EQ(library.find("device \"one\"", "1.0", "b")->sizes.at("rows"), 3);
  EXPECT_EQ(library.find("device \"one\"", "2.0", "b")->sizes.at("rows"), 4);
  EXPECT_EQ(library.find("device \"one\"", "3.0", "b"), nullptr);
  EXPECT_EQ(library.text(), content());
  EXPECT_EQ(std::ranges::count(content(), '\n'), 5) << "a line for each entry";
}

TEST_F(TunedLibraryTest, MergesByWhatWasGained) {
  std::string mine = (folder_ / "mine.json").string(), theirs = (folder_ / "theirs.json").string();
  TunedEntry better = entry("a", 2), worse = entry("b", 4);
  better.ratio = 3;
  worse.ratio = 1.1;
  llvm::cantFail(TunedLibrary::add(mine, {entry("a", 1), entry("b", 3)}));
  llvm::cantFail(TunedLibrary::add(theirs, {better, worse, entry("a", 5, "2.0")}));
  for (const std::vector<std::string> &paths : {std::vector{mine, theirs}, std::vector{theirs, mine}}) {
    TunedLibrary both = llvm::cantFail(TunedLibrary::merged(paths));
    ASSERT_EQ(both.entries().size(), 3u);
    EXPECT_EQ(both.find("device \"one\"", "1.0", "a")->sizes.at("rows"), 2);
    EXPECT_EQ(both.find("device \"one\"", "1.0", "b")->sizes.at("rows"), 3);
    EXPECT_EQ(both.find("device \"one\"", "2.0", "a")->sizes.at("rows"), 5);
  }
  auto none = TunedLibrary::merged({mine, (folder_ / "none.json").string()});
  ASSERT_FALSE(bool(none));
  EXPECT_NE(takeFailure(none.takeError()).message.find("no tuning library"), std::string::npos);
}

TEST_F(TunedLibraryTest, ForgetsAnEntry) {
  llvm::cantFail(TunedLibrary::add(path_.string(), {entry("a", 1), entry("a", 2, "2.0")}));
  EXPECT_FALSE(llvm::cantFail(TunedLibrary::remove(path_.string(), entry("a", 3))))
      << "somebody found other sizes meanwhile";
  EXPECT_FALSE(llvm::cantFail(TunedLibrary::remove(path_.string(), entry("b", 1))));
  EXPECT_EQ(llvm::cantFail(TunedLibrary::read(path_.string())).entries().size(), 2u);
  EXPECT_TRUE(llvm::cantFail(TunedLibrary::remove(path_.string(), entry("a", 1))));
  TunedLibrary library = llvm::cantFail(TunedLibrary::read(path_.string()));
  ASSERT_EQ(library.entries().size(), 1u);
  EXPECT_EQ(library.entries().front().driver, "2.0");
}

TEST_F(TunedLibraryTest, LeavesDamagedFilesAlone) {
  for (const char *text :
       {"", "{", "[]", R"({"fuselage_tuned": 2, "entries": []})", R"({"fuselage_tuned": 1, "entries": [{}]})",
        R"({"fuselage_tuned": 1, "entries": [{"device":"d","driver":"","dispatch":"a","op":"","when":"","version":"",
                              "ratio":2,"parameters":{"rows":"many"}}]})"}) {
    write(text);
    EXPECT_NE(problem(), "") << text;
    llvm::Error error = TunedLibrary::add(path_.string(), entry("a", 1));
    EXPECT_TRUE(bool(error)) << text;
    llvm::consumeError(std::move(error));
    EXPECT_EQ(content(), text);
  }
  write(std::string(100'000, '['));
  EXPECT_NE(problem().find("nested too deeply"), std::string::npos);
}

TEST_F(TunedLibraryTest, TakesBracketsInTextForText) {
  TunedEntry odd = entry("a", 1);
  odd.op = std::string(200, '[');
  llvm::cantFail(TunedLibrary::add(path_.string(), odd));
  EXPECT_EQ(problem(), "");
}

TEST_F(TunedLibraryTest, LosesNothingOfSeveralWriters) {
  auto addTen = [&](const std::string &of) {
    for (int i = 0; i < 10; ++i)
      llvm::cantFail(TunedLibrary::add(path_.string(), entry(of + std::to_string(i), i)));
  };
  std::thread other([&] { addTen("a"); });
  addTen("b");
  other.join();
  EXPECT_EQ(llvm::cantFail(TunedLibrary::read(path_.string())).entries().size(), 20u);
}

TEST_F(TunedLibraryTest, AsksForWhatItHasOfTheDevice) {
  Session session(allDialects());
  auto function = [](llvm::StringRef name) {
    return ("func.func @" + name +
            "(%a: tensor<8x8xf32>, %c: tensor<8x8xf32>) -> tensor<8x8xf32> {\n"
            "  %r = linalg.matmul ins(%a, %a : tensor<8x8xf32>, tensor<8x8xf32>) outs(%c : tensor<8x8xf32>) -> "
            "tensor<8x8xf32>\n"
            "  return %r : tensor<8x8xf32>\n}\n")
        .str();
  };
  auto module = session.parse(function("one") + function("other"), "d.mlir");
  ASSERT_TRUE(bool(module));
  auto one = (*module)->lookupSymbol<mlir::func::FuncOp>("one"),
       other = (*module)->lookupSymbol<mlir::func::FuncOp>("other");
  std::string fingerprint = fingerprintOfDispatch(one);
  EXPECT_EQ(fingerprint, fingerprintOfDispatch(other)) << "a name is no difference";
  TunedEntry found = entry(fingerprint, 4);
  found.sizes = {{"rows", 4}, {"vectors", 2}, {"task_rows", 8}};
  llvm::cantFail(TunedLibrary::add(path_.string(), found));
  TunedDispatches tuned(llvm::cantFail(TunedLibrary::read(path_.string())), path_.string());
  DeviceInfo device{.id = "x:0", .name = found.device, .api = "", .driver = "1.1"};
  EXPECT_FALSE(tuned.apply(other, device)) << "another driver";
  device.driver = found.driver;
  ASSERT_TRUE(tuned.apply(other, device));
  EXPECT_EQ(llvm::ArrayRef<int64_t>(readTilingConfig(shapingOp(other)).host), (llvm::ArrayRef<int64_t>{4, 2, 8, 0}));
}

/// An elementwise dispatch inside of a program with dynamic sizes.
TEST_F(TunedLibraryTest, AnEntryHoldsForTheSizesThatWereGiven) {
  Session session(allDialects());
  auto module = session.parse(R"mlir(
    func.func @main(%a: tensor<?x64xf32>) -> tensor<?x64xf32> {
      %c0 = arith.constant 0 : index
      %n = tensor.dim %a, %c0 : tensor<?x64xf32>
      %e = tensor.empty(%n) : tensor<?x64xf32>
      %r = linalg.exp ins(%a : tensor<?x64xf32>) outs(%e : tensor<?x64xf32>) -> tensor<?x64xf32>
      return %r : tensor<?x64xf32>
    })mlir",
                              "d.mlir");
  ASSERT_TRUE(bool(module));
  auto dispatchOf = [&](int64_t rows, RunProgram &program) {
    std::vector<Diagnostic> remarks;
    auto sized = llvm::cantFail(specialize((*module)->lookupSymbol<mlir::func::FuncOp>("main"), {{"arg0.0", rows}}));
    program = llvm::cantFail(formRunProgram(std::move(sized), "main", remarks));
    return program.dispatches[0];
  };
  RunProgram tuned, same, other;
  TunedEntry found = entry(fingerprintOfDispatch(dispatchOf(128, tuned)), 4);
  found.sizes = {{"task_columns", 64}, {"task_rows", 4}, {"vectors", 2}};
  llvm::cantFail(TunedLibrary::add(path_.string(), found));
  TunedDispatches library(llvm::cantFail(TunedLibrary::read(path_.string())), path_.string());
  DeviceInfo device{.id = "x:0", .name = found.device, .api = "", .driver = found.driver};
  EXPECT_TRUE(library.apply(dispatchOf(128, same), device));
  EXPECT_FALSE(library.apply(dispatchOf(129, other), device));
}

/// A file without the knob `block_rows`, as earlier versions wrote it, and one with it.
TEST_F(TunedLibraryTest, OlderFilesMeanWhatTheyMeant) {
  Session session(allDialects());
  auto module = session.parse(R"mlir(
    func.func @main(%a: tensor<512x300xf32>, %zero: tensor<512xf32>, %init: tensor<512x300xf32>) -> tensor<512x300xf32> {
      %s = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
          ins(%a : tensor<512x300xf32>) outs(%zero : tensor<512xf32>) {
      ^bb0(%x: f32, %o: f32):
        %t = arith.addf %o, %x : f32
        linalg.yield %t : f32
      } -> tensor<512xf32>
      %q = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
          ins(%a, %s : tensor<512x300xf32>, tensor<512xf32>) outs(%init : tensor<512x300xf32>) {
      ^bb0(%x: f32, %y: f32, %o: f32):
        %t = arith.subf %x, %y : f32
        linalg.yield %t : f32
      } -> tensor<512x300xf32>
      return %q : tensor<512x300xf32>
    })mlir",
                              "d.mlir");
  ASSERT_TRUE(bool(module));
  std::vector<Diagnostic> remarks;
  RunProgram program =
      llvm::cantFail(formRunProgram(mlir::OwningOpRef<mlir::ModuleOp>((*module)->clone()), "main", remarks));
  ASSERT_EQ(program.dispatches.size(), 1u);
  DeviceInfo host = hostDevice();
  for (auto [more, asked] : {std::pair("", llvm::SmallVector<int64_t>{2, 1, 64, 0}),
                             std::pair(R"(,"block_rows":16)", llvm::SmallVector<int64_t>{2, 1, 64, 0, 16})}) {
    write(R"({"fuselage_tuned": 1, "entries": [
{"device":")" +
          host.name + R"(","driver":")" + host.driver +
          R"(","op":"linalg.generic 512x300","parameters":{"rows":2,"task_rows":64,"vectors":1)" + more +
          R"(},"ratio":1.2,"when":"2026-11-23T11:50:00Z","version":"0.1","dispatch":")" +
          fingerprintOfDispatch(program.dispatches[0]) + "\"}\n]}\n");
    TunedLibrary library = llvm::cantFail(TunedLibrary::read(path_.string()));
    ASSERT_EQ(library.entries().size(), 1u);
    EXPECT_EQ(library.entries().front().sizes.size(), asked.size() == 5 ? 4u : 3u);
    write(library.text());
    EXPECT_EQ(llvm::cantFail(TunedLibrary::read(path_.string())).entries(), library.entries()) << "round trip";
    TunedDispatches tuned(std::move(library), path_.string());
    mlir::OwningOpRef<mlir::ModuleOp> copy(
        mlir::cast<mlir::ModuleOp>(program.dispatches[0]->getParentOfType<mlir::ModuleOp>()->clone()));
    auto dispatch = copy->lookupSymbol<mlir::func::FuncOp>(mlir::func::FuncOp(program.dispatches[0]).getName());
    ASSERT_TRUE(tuned.apply(dispatch, host));
    EXPECT_EQ(llvm::ArrayRef<int64_t>(readTilingConfig(shapingOp(dispatch)).host), llvm::ArrayRef<int64_t>(asked));
    RunOptions options;
    options.repeat = 1;
    options.tuning = &tuned;
    RunReport report = llvm::cantFail(runModule(session, **module, options));
    EXPECT_TRUE(report.ok()) << report.why;
    EXPECT_TRUE(report.kernels.front().isTuned);
  }
}

TEST_F(TunedLibraryTest, RunsWithWhatItHas) {
  Session session(allDialects());
  auto module = session.parse(R"mlir(
    func.func @main(%a: tensor<24x16xf32>, %b: tensor<16x40xf32>, %c: tensor<24x40xf32>) -> tensor<24x40xf32> {
      %r = linalg.matmul ins(%a, %b : tensor<24x16xf32>, tensor<16x40xf32>) outs(%c : tensor<24x40xf32>) -> tensor<24x40xf32>
      return %r : tensor<24x40xf32>
    })mlir",
                              "d.mlir");
  ASSERT_TRUE(bool(module));
  std::vector<Diagnostic> remarks;
  RunProgram program =
      llvm::cantFail(formRunProgram(mlir::OwningOpRef<mlir::ModuleOp>((*module)->clone()), "main", remarks));
  ASSERT_EQ(program.dispatches.size(), 1u);
  DeviceInfo host = hostDevice();
  TunedEntry found = entry(fingerprintOfDispatch(program.dispatches[0]), 3, host.driver);
  found.device = host.name;
  found.sizes = {{"rows", 3}, {"vectors", 1}, {"task_rows", 5}};
  llvm::cantFail(TunedLibrary::add(path_.string(), found));
  TunedDispatches tuned(llvm::cantFail(TunedLibrary::read(path_.string())), path_.string());
  auto remarkOf = [&](const DispatchTuning *tuning) {
    RunOptions options;
    options.repeat = 1;
    options.tuning = tuning;
    RunReport report = llvm::cantFail(runModule(session, **module, options));
    EXPECT_TRUE(report.ok()) << report.why;
    EXPECT_EQ(report.kernels.front().isTuned, tuning == &tuned);
    std::string text;
    for (const Diagnostic &remark : report.remarks)
      text += remark.message;
    return text;
  };
  EXPECT_NE(remarkOf(&tuned).find("1 of 1 dispatch has the sizes that were tuned on " + host.name), std::string::npos);
  EXPECT_EQ(remarkOf(nullptr), "");
  TunedDispatches none(TunedLibrary(), "none");
  EXPECT_EQ(remarkOf(&none), "");
}

} // namespace

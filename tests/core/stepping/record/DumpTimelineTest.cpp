#include "core/stepping/record/DumpTimeline.h"
#include "core/registration/Registration.h"
#include "core/stepping/report/Report.h"
#include "tests/core/stepping/SteppingTestSupport.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"

namespace fuselage::test {
namespace {

struct Log {
  Session session{allDialects()};
  Recording recording;

  explicit Log(llvm::StringRef text) {
    auto log = DumpLog::index(llvm::MemoryBuffer::getMemBufferCopy(text, "test.log"));
    if (log)
      recording = readTimeline(session, std::move(*log));
    else
      ADD_FAILURE() << llvm::toString(log.takeError());
  }
  const Step &step(unsigned index) const { return recording.steps.at(index); }
  std::string before(unsigned index) const { return textOf(recording.before(step(index))); }
  std::string after(unsigned index) const { return textOf(recording.after(step(index))); }
  static std::string textOf(const Snapshot *snapshot) { return snapshot ? snapshot->lines().text() : "none"; }
};

std::string dump(llvm::StringRef side, llvm::StringRef pass, llvm::StringRef ir, llvm::StringRef on = "") {
  return ("// -----// IR Dump " + side + " " + pass.upper() + " (" + pass + ")" + on + " //----- //\n" + ir + "\n")
      .str();
}

std::string function(llvm::StringRef name, llvm::StringRef body) {
  return ("func.func @" + name + "(%arg0: i32) -> i32 {\n" + body + "  return %arg0 : i32\n}\n").str();
}

/// Functions inside of a module, indented.
std::string module(std::initializer_list<std::string> functions) {
  std::string text = "module {\n";
  for (const std::string &function : functions)
    for (llvm::StringRef line : llvm::split(llvm::StringRef(function).rtrim('\n'), '\n'))
      text += ("  " + line + "\n").str();
  return text + "}\n";
}

const std::string addition = "  %0 = arith.addi %arg0, %arg0 : i32\n",
                  product = "  %0 = arith.muli %arg0, %arg0 : i32\n";

TEST(DumpTimeline, WholeModules) {
  Log log(dump("After", "cse", module({function("f", addition)})) +
          dump("After", "inline", module({function("f", addition)})) +
          dump("After", "canonicalize", module({function("f", "")})));
  ASSERT_EQ(log.recording.steps.size(), 3u);
  EXPECT_EQ(log.step(0).name, "cse");
  EXPECT_EQ(log.step(0).scope, "");
  EXPECT_EQ(log.step(0).origin, "test.log:1");
  EXPECT_EQ(log.step(0).pipeline, "builtin.module(cse)");
  EXPECT_EQ(log.step(0).before, -1);
  EXPECT_TRUE(log.step(0).changed);
  EXPECT_FALSE(log.step(0).milliseconds.has_value());
  EXPECT_FALSE(log.step(1).changed);
  EXPECT_EQ(log.step(1).before, log.step(1).after);
  EXPECT_TRUE(log.step(2).changed);
  EXPECT_EQ(log.step(2).opDelta, (std::map<std::string, int64_t>{{"arith.addi", -1}}));
  EXPECT_EQ(log.recording.snapshots.size(), 2u);
  EXPECT_EQ(log.after(2), module({function("f", "")}));
}

TEST(DumpTimeline, NothingIsParsedUntilItIsLookedAt) {
  Log log(dump("After", "cse", module({function("f", addition)})) +
          dump("After", "odd", "module {\n  func.func @broken(\n}\n"));
  EXPECT_NE(log.after(1).find("@broken("), std::string::npos);
  const Snapshot &good = *log.recording.after(log.step(0)), &bad = *log.recording.after(log.step(1));
  ASSERT_TRUE(bool(good.module()));
  // Places are those of the log: the module stands on line 2.
  EXPECT_EQ(positionOf(good.module().getLoc()).line, 2u);
  EXPECT_EQ(good.printed().opCount(), 4);
  EXPECT_EQ(good.printed().linesOf(2).first, 2u);
  EXPECT_EQ(good.printed().opAt(2), 2);
  if (!bad.module()) { // the tolerant reader may make something of it
    EXPECT_FALSE(bad.diagnostics().empty());
    EXPECT_EQ(bad.printed().opAt(1), 0);
    auto parsed = bad.parsed();
    EXPECT_FALSE(bool(parsed));
    llvm::consumeError(parsed.takeError());
  }
  good.release();
  ASSERT_TRUE(bool(good.module()));
  EXPECT_EQ(good.lines().text(), module({function("f", addition)}));
}

TEST(DumpTimeline, FunctionsAreComparedWithThemselves) {
  Log log(dump("After", "cse", function("f", addition)) + dump("After", "cse", function("g", addition)) +
          dump("After", "canonicalize", function("f", "")) + dump("After", "canonicalize", function("g", addition)));
  EXPECT_EQ(log.step(2).scope, "func.func @f");
  EXPECT_EQ(log.step(2).pipeline, "builtin.module(func.func(canonicalize))");
  EXPECT_EQ(log.before(2), function("f", addition));
  EXPECT_TRUE(log.step(2).changed);
  EXPECT_EQ(log.before(3), function("g", addition));
  EXPECT_FALSE(log.step(3).changed);
}

TEST(DumpTimeline, AFunctionIsCutOutOfTheModuleDumpedLast) {
  Log log(dump("After", "inline", module({function("f", addition), function("g", product)})) +
          dump("After", "cse", function("g", product)) + dump("After", "cse", function("f", "")));
  EXPECT_FALSE(log.step(1).changed) << log.before(1) << log.after(1);
  EXPECT_TRUE(log.step(2).changed);
  EXPECT_EQ(log.before(2), function("f", addition));
  EXPECT_EQ(log.step(2).opDelta.at("arith.addi"), -1);
  // It parses, at its place in the log.
  mlir::ModuleOp cut = log.recording.before(log.step(2))->module();
  ASSERT_TRUE(bool(cut));
  EXPECT_EQ(positionOf(cut.getBody()->front().getLoc()).line, 3u);
}

TEST(DumpTimeline, ACutFunctionTakesItsAliasesAlong) {
  std::string mapped = "  %0 = affine.apply #map1(%arg0)\n";
  std::string text = "#map = affine_map<(d0) -> (d0 + 1)>\n#map1 = affine_map<(d0) -> (d0 + 2)>\n" +
                     module({"func.func @f(%arg0: index) -> index {\n" + mapped + "  return %0 : index\n}\n"});
  Log log(dump("After", "inline", text) +
          dump("After", "cse",
               "func.func @f(%arg0: index) -> index {\n  %0 = affine.apply affine_map<(d0) -> (d0 + 2)>(%arg0)\n  "
               "return %0 : index\n}\n") +
          dump("After", "inline", text) +
          dump("After", "canonicalize", "func.func @f(%arg0: index) -> index {\n  return %arg0 : index\n}\n"));
  EXPECT_FALSE(log.step(1).changed) << log.before(1);
  EXPECT_FALSE(log.step(2).changed) << log.before(2);
  EXPECT_TRUE(llvm::StringRef(log.before(3)).starts_with("#map1 = ")) << log.before(3);
  EXPECT_TRUE(bool(log.recording.before(log.step(3))->module()));
}

TEST(DumpTimeline, AModuleIsComparedWithItsFunctionsAsTheyWereThen) {
  Log log(dump("After", "inline", module({function("f", addition), function("g", product)})) +
          dump("After", "cse", function("f", "")) +
          dump("After", "symbol-dce", module({function("f", ""), function("g", product)})) +
          dump("After", "cse", function("g", "")) + dump("After", "symbol-dce", module({function("f", "")})));
  EXPECT_FALSE(log.step(2).changed) << log.before(2);
  EXPECT_EQ(log.before(4), module({function("f", ""), function("g", "")}));
  EXPECT_TRUE(log.step(4).changed);
  EXPECT_EQ(log.step(4).opDelta, (std::map<std::string, int64_t>{{"func.func", -1}, {"func.return", -1}}));
  const Snapshot &joined = *log.recording.before(log.step(4));
  ASSERT_TRUE(bool(joined.module()));
  EXPECT_EQ(joined.printed().linesOf(2).first, 2u);
}

TEST(DumpTimeline, BeforeAndAfterAreOneStep) {
  std::string f = function("f", addition), g = function("f", "");
  Log log(dump("Before", "cse", f) + dump("After", "cse", f) + dump("Before", "canonicalize", f) +
          dump("After", "canonicalize", g));
  ASSERT_EQ(log.recording.steps.size(), 2u);
  EXPECT_FALSE(log.step(0).changed);
  EXPECT_EQ(log.before(1), f);
  EXPECT_EQ(log.after(1), g);
  EXPECT_EQ(log.recording.snapshots.size(), 2u);
}

TEST(DumpTimeline, PassesInsideOfPasses) {
  std::string a = function("f", addition), b = function("f", product), c = function("f", "");
  Log log(dump("Before", "outer", a) + dump("Before", "inner", a) + dump("After", "inner", b) +
          dump("After", "outer", c));
  ASSERT_EQ(log.recording.steps.size(), 2u);
  EXPECT_EQ(log.step(0).name, "outer");
  EXPECT_EQ(log.after(0), c);
  EXPECT_EQ(log.step(1).name, "inner");
  EXPECT_EQ(log.after(1), b);
}

TEST(DumpTimeline, BeforeAloneLeadsToTheNextDump) {
  std::string f = function("f", addition), g = function("f", "");
  Log log(dump("Before", "inline", module({f})) + dump("Before", "cse", f) + dump("Before", "canonicalize", f) +
          dump("Before", "symbol-dce", module({g})));
  ASSERT_EQ(log.recording.steps.size(), 4u);
  EXPECT_FALSE(log.step(1).changed);
  EXPECT_EQ(log.after(1), f);
  EXPECT_TRUE(log.step(2).changed);
  EXPECT_EQ(log.after(2), g);
  EXPECT_EQ(log.step(3).after, -1);
  // The module after the first pass is the next one, with the function as it was then.
  EXPECT_FALSE(log.step(0).changed) << log.after(0);
  EXPECT_EQ(log.step(0).before, 0);
}

TEST(DumpTimeline, ModuleScopeNamesThePassesOp) {
  std::string first = module({function("f", addition), function("g", addition)}),
              second = module({function("f", ""), function("g", addition)});
  Log log(dump("After", "inline", first, " ('builtin.module' operation)") +
          dump("After", "cse", second, " ('func.func' operation: @f)") +
          dump("After", "cse", second, " ('func.func' operation: @g)"));
  EXPECT_EQ(log.step(1).scope, "func.func @f");
  EXPECT_EQ(log.before(1), first);
  EXPECT_EQ(log.after(1), second);
  EXPECT_EQ(log.step(2).scope, "func.func @g");
  EXPECT_FALSE(log.step(2).changed);
}

TEST(DumpTimeline, ModulesInsideOfModulesAreTheirOwn) {
  auto inner = [](llvm::StringRef name, llvm::StringRef body) { return module({function(name, body)}); };
  std::string executables =
      "module @executable_0 {\n  module {\n    func.func @dispatch_0() {\n      return\n    }\n  }\n}\n"
      "module @executable_1 {\n  module {\n    func.func @dispatch_1() {\n      return\n    }\n  }\n}\n";
  Log log(dump("After", "outline", module({function("main", ""), executables})) +
          dump("After", "cse", inner("dispatch_0", addition)) + dump("After", "cse", inner("dispatch_1", product)) +
          dump("After", "canonicalize", inner("dispatch_0", "")) +
          dump("After", "canonicalize", inner("dispatch_1", product)));
  EXPECT_EQ(log.step(1).before, -1);
  EXPECT_EQ(log.before(3), inner("dispatch_0", addition));
  EXPECT_EQ(log.before(4), inner("dispatch_1", product));
  EXPECT_FALSE(log.step(4).changed);
}

TEST(DumpTimeline, FailuresAndWhatWasSaid) {
  Log log("warning: at the start\n" + dump("After", "cse", function("f", addition)) + "a.mlir:3:1: error: no good\n" +
          "// -----// IR Dump After Bufferize Failed (bufferize) //----- //\n" + function("f", addition) + "the end\n");
  ASSERT_EQ(log.recording.steps.size(), 2u);
  ASSERT_EQ(log.step(0).diagnostics.size(), 1u);
  EXPECT_EQ(log.step(0).diagnostics[0].message, "at the start");
  EXPECT_TRUE(log.step(1).failed);
  ASSERT_EQ(log.step(1).diagnostics.size(), 1u);
  EXPECT_EQ(log.step(1).diagnostics[0].message, "no good");
  ASSERT_EQ(log.recording.notes.size(), 1u);
  EXPECT_EQ(log.recording.notes[0].message, "the end");
}

TEST(DumpTimeline, OtherLanguagesAreStepsWithText) {
  Log log("*** IR Dump After SROAPass on f ***\ndefine void @f() {\n  ret void\n}\n"
          "*** IR Dump After DCEPass on f omitted because no change ***\n"
          "*** IR Dump After ADCEPass on f ***\ndefine void @f() {\n  unreachable\n}\n");
  ASSERT_EQ(log.recording.steps.size(), 3u);
  EXPECT_FALSE(log.step(1).changed);
  EXPECT_TRUE(log.step(2).changed);
  EXPECT_EQ(log.before(2), "define void @f() {\n  ret void\n}\n");
  EXPECT_EQ(log.step(2).scope, "@f");
}

TEST(DumpTimeline, LocationsInADumpDoNotHideItsLines) {
  Log log(dump("After", "cse",
               "module {\n  func.func @f() {\n    return loc(#loc2)\n  } loc(#loc1)\n} loc(#loc)\n"
               "#loc = loc(\"a.mlir\":1:1)\n#loc1 = loc(\"a.mlir\":40:3)\n#loc2 = loc(\"a.mlir\":41:3)\n"));
  const Snapshot &snapshot = *log.recording.snapshots.front();
  ASSERT_TRUE(bool(snapshot.module())) << (snapshot.diagnostics().empty() ? "" : snapshot.diagnostics()[0].message);
  EXPECT_EQ(positionOf(snapshot.module().getLoc()).file, "a.mlir");
  EXPECT_EQ(snapshot.printed().linesOf(2).first, 2u);
  EXPECT_TRUE(snapshot.hasPlaces());
}

TEST(DumpTimeline, ReportsOfLogs) {
  Log log(dump("After", "cse", function("f", addition)) + dump("After", "canonicalize", function("f", "")));
  std::string text = renderReport(log.recording, "test.log", ReportFormat::Text);
  EXPECT_NE(text.find("2 steps, 2 changed the IR\n"), std::string::npos) << text;
  EXPECT_NE(text.find("canonicalize (func.func @f)"), std::string::npos) << text;
  auto before = stepText(log.recording, 0, StepSide::Before);
  ASSERT_FALSE(bool(before));
  EXPECT_NE(takeFailure(before.takeError()).message.find("does not hold the IR before step 0"), std::string::npos);
  auto reproducer = stepReproducer(log.recording, 1);
  ASSERT_TRUE(bool(reproducer));
  EXPECT_NE(reproducer->find("pipeline: \"builtin.module(func.func(canonicalize))\""), std::string::npos)
      << *reproducer;
  std::string page = renderReport(log.recording, "test.log", ReportFormat::Html, {.first = 1, .last = 1});
  EXPECT_NE(page.find("\"stepsLeftOut\":1"), std::string::npos);
  EXPECT_NE(page.find("\"index\":1"), std::string::npos);
}

TEST(DumpTimeline, PagesOfHugeLogsAreBounded) {
  std::string text;
  for (int i = 0; i < 5000; ++i)
    text +=
        dump("After", "pass" + std::to_string(i), function("f" + std::to_string(i % 7), i % 2 ? addition : product));
  Log log(text);
  ASSERT_EQ(log.recording.steps.size(), 5000u);
  std::string page = renderReport(log.recording, "huge.log", ReportFormat::Html);
  EXPECT_NE(page.find("\"stepsLeftOut\":3000"), std::string::npos);
  EXPECT_LT(page.size(), 8u << 20);
}

TEST(StepRanges, HaveFourForms) {
  auto range = [](llvm::StringRef text) {
    auto parsed = parseStepRange(text);
    return parsed ? std::to_string(parsed->first) + ".." + std::to_string(parsed->last)
                  : takeFailure(parsed.takeError()).message;
  };
  EXPECT_EQ(range("12"), "12..12");
  EXPECT_EQ(range("12-40"), "12..40");
  EXPECT_EQ(range("12-"), "12..4294967295");
  EXPECT_EQ(range("-40"), "0..40");
  for (const char *bad : {"", "-", "a-b", "5-2", "1-2-3"})
    EXPECT_NE(range(bad).find("is no range"), std::string::npos) << bad;
}

/// A directory that goes with everything in it.
struct TemporaryDirectory {
  llvm::SmallString<128> path;
  TemporaryDirectory() { EXPECT_FALSE(llvm::sys::fs::createUniqueDirectory("fuselage", path)); }
  ~TemporaryDirectory() { llvm::sys::fs::remove_directories(path); }
  std::string file(llvm::StringRef name) const { return (path + "/" + name).str(); }
};

/// Runs mlir-opt on smallModule; stderr goes to `errors`.
void runMlirOpt(const TemporaryDirectory &directory, std::vector<std::string> options, llvm::StringRef errors) {
  TemporaryFile input(smallModule);
  std::vector<std::string> owned{
      MLIR_OPT, input.path(), "-o", directory.file("out.txt.ignored"),
      "--pass-pipeline=builtin.module(canonicalize,func.func(cse,canonicalize),one-shot-bufferize{bufferize-function-"
      "boundaries},func.func(convert-linalg-to-loops),canonicalize)"};
  owned.insert(owned.end(), options.begin(), options.end());
  std::vector<llvm::StringRef> arguments(owned.begin(), owned.end());
  std::string path = directory.file(errors);
  std::optional<llvm::StringRef> redirects[] = {llvm::StringRef(""), llvm::StringRef(""), llvm::StringRef(path)};
  ASSERT_EQ(llvm::sys::ExecuteAndWait(MLIR_OPT, arguments, std::nullopt, redirects, 60), 0);
}

/// What the steps did: "canonicalize changed", "cse @f same".
std::vector<std::string> describe(const Recording &recording) {
  std::vector<std::string> lines;
  for (const Step &step : recording.steps)
    lines.push_back(step.name + (step.scope.empty() ? "" : " " + step.scope.substr(step.scope.find('@'))) +
                    (step.before < 0  ? " first"
                     : step.after < 0 ? " unknown"
                     : step.changed   ? " changed"
                                      : " same"));
  return lines;
}

TEST(DumpTimeline, TreeOfTheRealMlirOpt) {
  TemporaryDirectory directory;
  runMlirOpt(directory, {"--mlir-print-ir-after-all", "--mlir-print-ir-tree-dir=" + directory.file("tree")}, "errors");
  EXPECT_TRUE(DumpLog::isDump(directory.file("tree")));
  Session session(allDialects());
  auto recording = openTimeline(session, directory.file("tree"));
  ASSERT_TRUE(bool(recording)) << llvm::toString(recording.takeError());
  std::vector<std::string> expected{"canonicalize first",
                                    "cse @f same",
                                    "cse @g changed",
                                    "canonicalize @f same",
                                    "canonicalize @g same",
                                    "one-shot-bufferize changed",
                                    "convert-linalg-to-loops @f changed",
                                    "convert-linalg-to-loops @g same",
                                    "canonicalize same"};
  EXPECT_EQ(describe(*recording), expected);
  EXPECT_GT(recording->snapshots.size(), 1u);
  for (const auto &snapshot : recording->snapshots)
    EXPECT_TRUE(bool(snapshot->module())) << snapshot->lines().text();
}

TEST(DumpTimeline, LogsOfTheRealMlirOptAgree) {
  TemporaryDirectory directory;
  unsigned logs = 0;
  auto steps = [&](std::vector<std::string> options) {
    options.push_back("--mlir-disable-threading");
    std::string name = "log" + std::to_string(logs++);
    runMlirOpt(directory, options, name);
    Session session(allDialects());
    auto recording = openTimeline(session, directory.file(name));
    if (recording)
      return describe(*recording);
    ADD_FAILURE() << llvm::toString(recording.takeError());
    return std::vector<std::string>();
  };
  std::vector<std::string> both = steps({"--mlir-print-ir-before-all", "--mlir-print-ir-after-all"});
  std::vector<std::string> expected{"canonicalize changed",
                                    "cse @f same",
                                    "canonicalize @f same",
                                    "cse @g changed",
                                    "canonicalize @g same",
                                    "one-shot-bufferize changed",
                                    "convert-linalg-to-loops @f changed",
                                    "convert-linalg-to-loops @g same",
                                    "canonicalize same"};
  EXPECT_EQ(both, expected);
  expected[0] = "canonicalize first";
  EXPECT_EQ(steps({"--mlir-print-ir-after-all"}), expected);
  EXPECT_EQ(steps({"--mlir-print-ir-after-all", "--mlir-print-ir-module-scope"}), expected);
  expected[0] = "canonicalize changed";
  std::vector<std::string> before = steps({"--mlir-print-ir-before-all"});
  // Nobody dumped what the last pass led to.
  expected.back() = "canonicalize unknown";
  EXPECT_EQ(before, expected);
}

} // namespace
} // namespace fuselage::test

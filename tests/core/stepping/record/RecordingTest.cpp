#include "core/codegen/Targets.h"
#include "core/ir/module/IrFingerprint.h"
#include "core/ir/module/SharedContext.h"
#include "core/ir/module/Splits.h"
#include "core/protocol/json/JsonWriter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "tests/core/stepping/SteppingTestSupport.h"
#include "tests/support/BreakReturns.h"
#include "tests/support/LayeredModel.h"
#include <limits>

namespace fuselage::test {
namespace {

TEST(Recording, KeepsASnapshotPerStep) {
  Input input;
  Recording recording = input.recordPipeline("canonicalize,cse,cse");
  ASSERT_EQ(recording.steps.size(), 3u);
  ASSERT_EQ(recording.snapshots.size(), 4u);
  EXPECT_EQ(recording.steps[0].name, "canonicalize");
  EXPECT_TRUE(recording.steps[0].changed);
  EXPECT_EQ(recording.steps[0].opDelta.at("arith.addf"), -1);
  EXPECT_TRUE(recording.steps[1].changed);
  EXPECT_EQ(recording.steps[1].opDelta.at("arith.addf"), -1);
  EXPECT_FALSE(recording.steps[2].changed);
  EXPECT_TRUE(recording.steps[2].opDelta.empty());
  EXPECT_EQ(recording.snapshots[2], recording.snapshots[3]);
  for (const auto &snapshot : recording.snapshots)
    EXPECT_TRUE(mlir::succeeded(mlir::verify(snapshot->module())));
}

TEST(Recording, AnInfiniteErrorIsNoZero) {
  Step step;
  step.fusion = StepFusion();
  step.fusion->checked = true;
  step.fusion->maxAbsError = std::numeric_limits<double>::infinity();
  step.fusion->maxRelError = std::numeric_limits<double>::quiet_NaN();
  llvm::json::Object json = message::encode(messageOf(step, 0));
  const llvm::json::Object *fusion = json.getObject("fusion");
  ASSERT_TRUE(fusion);
  EXPECT_EQ(fusion->getString("max_abs_error"), "inf");
  EXPECT_EQ(fusion->getString("max_rel_error"), "nan");
}

TEST(Recording, LeavesTheInputAlone) {
  Input input;
  std::string before = PrintedModule(*input.module).text();
  Recording recording = input.recordPipeline("canonicalize,cse");
  EXPECT_EQ(PrintedModule(*input.module).text(), before);
  EXPECT_EQ(recording.snapshots.front()->printed().text(), before);
  EXPECT_NE(recording.snapshots.back()->printed().text(), before);
}

TEST(Recording, TellsOfStepsAsTheyRun) {
  Input input;
  std::vector<std::string> events;
  RecordOptions options;
  options.pipeline = "canonicalize,cse";
  options.beforeStep = [&](unsigned index, unsigned total, const Step &step) {
    EXPECT_EQ(total, 2u);
    events.push_back("before " + std::to_string(index) + " " + step.name);
  };
  options.afterStep = [&](unsigned index, unsigned, const Step &step) {
    events.push_back("after " + std::to_string(index) + (step.changed ? " changed" : ""));
  };
  ASSERT_TRUE(bool(input.record(options)));
  EXPECT_EQ(events,
            (std::vector<std::string>{"before 0 canonicalize", "after 0 changed", "before 1 cse", "after 1 changed"}));
}

TEST(Recording, StopsAtTheLimit) {
  Input input;
  RecordOptions options;
  options.pipeline = "canonicalize,cse,symbol-dce";
  options.limit = 1;
  auto recording = input.record(options);
  ASSERT_TRUE(bool(recording));
  EXPECT_EQ(recording->steps.size(), 1u);
}

TEST(Recording, AStepThatIsKnownToBeDeadlyDoesNotRun) {
  Input input;
  RecordOptions options;
  options.pipeline = "canonicalize,cse,symbol-dce";
  options.deadly = DeadlyStep{.index = 1, .message = "crashed"};
  auto recording = input.record(options);
  ASSERT_TRUE(bool(recording));
  ASSERT_EQ(recording->steps.size(), 2u);
  EXPECT_TRUE(recording->steps[0].changed);
  const Step &deadly = recording->steps[1];
  EXPECT_TRUE(deadly.failed);
  EXPECT_EQ(deadly.name, "cse");
  EXPECT_FALSE(deadly.milliseconds.has_value());
  ASSERT_EQ(deadly.diagnostics.size(), 1u);
  EXPECT_EQ(deadly.diagnostics[0].message, "crashed");
  EXPECT_EQ(recording->snapshots[1], recording->snapshots[2]);
}

TEST(Recording, CanBeCancelledBetweenSteps) {
  Input input;
  std::atomic<bool> cancelled = false;
  RecordOptions options;
  options.pipeline = "canonicalize,cse";
  options.cancelled = &cancelled;
  options.afterStep = [&](unsigned, unsigned, const Step &) { cancelled = true; };
  auto recording = input.record(options);
  ASSERT_FALSE(bool(recording));
  EXPECT_NE(takeFailure(recording.takeError()).message.find("cancelled"), std::string::npos);
}

TEST(Recording, ACancelKeepsTheStepsThatHaveFinished) {
  Input input;
  std::atomic<bool> cancelled = false;
  RecordOptions options;
  options.pipeline = "canonicalize,cse,symbol-dce";
  options.cancelled = &cancelled;
  options.keepsFinished = true;
  options.afterStep = [&](unsigned index, unsigned, const Step &) { cancelled = index == 1; };
  auto recording = input.record(options);
  ASSERT_TRUE(bool(recording)) << takeFailure(recording.takeError()).message;
  EXPECT_TRUE(recording->cancelled);
  ASSERT_EQ(recording->steps.size(), 2u);
  EXPECT_EQ(recording->steps.back().pass, "cse");
  EXPECT_EQ(recording->snapshots.size(), 3u);
  cancelled = true; // before the first
  auto nothing = input.record(options);
  ASSERT_FALSE(bool(nothing));
  EXPECT_NE(takeFailure(nothing.takeError()).message.find("cancelled"), std::string::npos);
}

TEST(Recording, AFailingPassEndsItAndKeepsTheRest) {
  Input input(R"mlir(
func.func @f(%a: f32) -> f32 {
  %x = arith.addf %a, %a : f32
  %y = arith.addf %a, %a : f32
  %z = arith.mulf %x, %y : f32
  %t = "test.unknown"(%z) : (f32) -> tensor<4xf32>
  %u = "test.unknown"(%t) : (tensor<4xf32>) -> f32
  return %u : f32
}
)mlir");
  Recording recording = input.recordPipeline("cse,one-shot-bufferize,canonicalize");
  ASSERT_EQ(recording.steps.size(), 2u);
  ASSERT_EQ(recording.snapshots.size(), 3u);
  EXPECT_TRUE(recording.steps[0].changed);
  EXPECT_FALSE(recording.steps[0].failed);
  const Step &failed = recording.steps[1];
  EXPECT_TRUE(failed.failed);
  ASSERT_FALSE(failed.diagnostics.empty());
  EXPECT_EQ(failed.diagnostics[0].file, "input.mlir");
  EXPECT_EQ(failed.diagnostics[0].line, 6u);
  EXPECT_EQ(recording.snapshots[1], recording.snapshots[2]);
}

/// The passes of a step of the default pipeline are verified together; the one to blame is found all the same.
TEST(Recording, AStepThatLeavesABrokenModuleNamesThePass) {
  registerBreakReturns();
  for (llvm::StringRef passes :
       {"test-break-returns", "test-break-returns,fuselage-cse-dispatches", "cse,test-break-returns"}) {
    Input input;
    RecordOptions options;
    options.tuning = [&](mlir::ModuleOp) -> std::optional<TunedSteps> {
      return TunedSteps{
          .target = *targetByName("spirv"),
          .step = {.title = "Break", .pipeline = ("builtin.module(func.func(" + passes + "))").str(), .teaches = ""},
          .note = "tuned"};
    };
    auto recording = input.record(options);
    ASSERT_TRUE(bool(recording)) << takeFailure(recording.takeError()).message;
    const Step &failed = recording->steps.back();
    EXPECT_EQ(failed.name, "Break");
    EXPECT_TRUE(failed.failed);
    ASSERT_FALSE(failed.diagnostics.empty());
    EXPECT_NE(failed.diagnostics[0].message.find("has 0 operands, but enclosing function"), std::string::npos)
        << failed.diagnostics[0].message;
    EXPECT_EQ(failed.diagnostics.size(), 2u) << "each function is told of once";
    EXPECT_EQ(failed.diagnostics[0].notes.back().message, "reported by pass 'test-break-returns'");
    EXPECT_TRUE(mlir::succeeded(mlir::verify(recording->snapshots.back()->module())));
  }
}

TEST(Recording, BadPipelinesAreFailures) {
  Input input;
  EXPECT_NE(input.failureOf("canonicalise").find("canonicalize"), std::string::npos);
  RecordOptions options;
  options.target = "quantum";
  auto recording = input.record(options);
  ASSERT_FALSE(bool(recording));
  EXPECT_NE(takeFailure(recording.takeError()).message.find("spirv and ptx"), std::string::npos);
}

TEST(Recording, RunsOnEverySplit) {
  Input input(R"mlir(
func.func @f(%a: f32) -> f32 {
  %x = arith.addf %a, %a : f32
  %y = arith.addf %a, %a : f32
  %z = arith.mulf %x, %y : f32
  return %z : f32
}
// -----
func.func @f(%a: f32) -> f32 {
  %x = arith.subf %a, %a : f32
  %y = arith.subf %a, %a : f32
  %z = arith.mulf %x, %y : f32
  return %z : f32
}
)mlir");
  ASSERT_EQ(splitModules(*input.module).size(), 2u);
  Recording recording = input.recordPipeline("builtin.module(func.func(cse),symbol-dce)");
  ASSERT_EQ(recording.steps.size(), 2u);
  EXPECT_EQ(recording.steps[0].opDelta.at("arith.addf"), -1);
  EXPECT_EQ(recording.steps[0].opDelta.at("arith.subf"), -1);
}

TEST(Recording, AnEmptyPipelineTextIsTheDefaultOne) {
  Input input;
  Recording recording = input.recordPipeline(" ");
  ASSERT_GE(recording.steps.size(), 9u);
  EXPECT_EQ(recording.steps[0].name, "Clean up");
  EXPECT_EQ(recording.steps[0].pass,
            "fuselage-decompose-composites{keep-fusable=true},canonicalize,convert-elementwise-to-linalg,cse");
  for (const Step &step : recording.steps) {
    EXPECT_FALSE(step.teaches.empty()) << step.name;
    EXPECT_FALSE(step.failed) << step.name << ": "
                              << (step.diagnostics.empty() ? "" : formatDiagnostic(step.diagnostics[0]));
  }
}

std::vector<std::string> namesOf(const Recording &recording) {
  std::vector<std::string> names;
  for (const Step &step : recording.steps) {
    EXPECT_FALSE(step.failed) << step.name;
    names.push_back(step.name);
  }
  return names;
}

size_t indexOf(const std::vector<std::string> &names, llvm::StringRef name) {
  return size_t(llvm::find(names, name) - names.begin());
}

TEST(Recording, EqualLayersAreMergedBeforeTheyAreTiled) {
  Input many(layeredModel({.layers = 12})), few(layeredModel({.layers = 2}));
  const Recording merged = many.recordPipeline(""), each = few.recordPipeline("");
  std::vector<std::string> early = namesOf(merged), late = namesOf(each);
  EXPECT_LT(indexOf(early, "Merge equal dispatches"), indexOf(early, "Tile to workgroups"));
  EXPECT_LT(indexOf(late, "Tile to workgroups"), indexOf(late, "Outline dispatches"));
  EXPECT_TRUE(llvm::StringRef(merged.steps[indexOf(early, "Outline dispatches")].teaches).starts_with("Most layers"));
  EXPECT_FALSE(llvm::StringRef(each.steps[indexOf(late, "Outline dispatches")].teaches).starts_with("Most layers"));
  // The same steps, and a loop over workgroups for each function that is left.
  std::sort(early.begin(), early.end());
  std::sort(late.begin(), late.end());
  EXPECT_EQ(early, late);
  unsigned dispatches = 0, loops = 0, calls = 0;
  merged.snapshots[indexOf(namesOf(merged), "Tile to workgroups") + 1]->module().walk([&](mlir::Operation *op) {
    dispatches += op->hasAttr("fuselage.dispatch");
    loops += llvm::isa<mlir::scf::ForallOp>(op);
    calls += llvm::isa<mlir::func::CallOp>(op);
  });
  EXPECT_GT(dispatches, 0u);
  EXPECT_EQ(loops, dispatches);
  EXPECT_GE(calls, 12u * 2);
  EXPECT_LT(dispatches, calls / 2);
}

/// Texts of the snapshots, and which steps changed something.
std::vector<std::string> textsOf(const Recording &recording) {
  std::vector<std::string> texts;
  for (const auto &snapshot : recording.snapshots)
    texts.push_back(snapshot->lines().text());
  for (const Step &step : recording.steps)
    texts.push_back(step.name + (step.changed ? " changed " : " left ") + std::to_string(step.opDelta.size()));
  return texts;
}

TEST(Recording, TwoThreadsRecordALargeModuleAsOneDoes) {
  const std::string source = layeredModel({.layers = 200});
  auto record = [&] {
    Session session(allDialects());
    // Not by the session, which gives a text too little time for Valgrind.
    auto module = mlir::parseSourceString<mlir::ModuleOp>(source, &session.context());
    EXPECT_TRUE(module && (isWorthTwoThreads(*module) || !hasTwoProcessors()));
    RecordOptions options;
    options.pipeline = "canonicalize,cse,cse";
    auto recording = fuselage::record(session, *module, options);
    EXPECT_TRUE(bool(recording)) << llvm::toString(recording.takeError());
    return recording ? textsOf(*recording) : std::vector<std::string>();
  };
  const std::vector<std::string> texts = record();
  EXPECT_FALSE(texts.empty());
  setenv("FUSELAGE_JOBS", "1", 1);
  EXPECT_EQ(texts, record());
  unsetenv("FUSELAGE_JOBS");
}

TEST(Fingerprint, IgnoresPlacesOnly) {
  Input input;
  mlir::OwningOpRef<mlir::ModuleOp> copy = input.module->clone();
  EXPECT_EQ(fingerprint(*input.module).hash, fingerprint(*copy).hash);
  copy->walk([&](mlir::Operation *op) { op->setLoc(mlir::UnknownLoc::get(&input.session.context())); });
  EXPECT_EQ(fingerprint(*input.module).hash, fingerprint(*copy).hash);

  // An operand swapped, an attribute added, an inherent attribute changed.
  auto changed = [&](auto change) {
    mlir::OwningOpRef<mlir::ModuleOp> other = input.module->clone();
    other->walk(change);
    return fingerprint(*input.module).hash != fingerprint(*other).hash;
  };
  EXPECT_TRUE(changed([](mlir::arith::MulFOp op) { op->setOperand(1, op->getOperand(0)); }));
  EXPECT_TRUE(changed([](mlir::func::FuncOp op) { op->setAttr("mark", mlir::UnitAttr::get(op.getContext())); }));
  EXPECT_TRUE(changed([](mlir::arith::AddFOp op) { op.setFastmath(mlir::arith::FastMathFlags::fast); }));
  EXPECT_FALSE(changed([](mlir::arith::AddFOp) {}));
}

} // namespace
/// A function of another compiler, with a matmul; in MLIR's generic form.
constexpr llvm::StringLiteral foreignModule = R"mlir(
"util.func"() ({
^bb0(%a_view: !hal.buffer_view, %b_view: !hal.buffer_view):
  %zero = arith.constant 0.0 : f32
  %a = "hal.tensor.import"(%a_view) : (!hal.buffer_view) -> tensor<64x32xf32>
  %b = "hal.tensor.import"(%b_view) : (!hal.buffer_view) -> tensor<32x64xf32>
  %empty = tensor.empty() : tensor<64x64xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%empty : tensor<64x64xf32>) -> tensor<64x64xf32>
  %r = linalg.matmul ins(%a, %b : tensor<64x32xf32>, tensor<32x64xf32>)
                     outs(%fill : tensor<64x64xf32>) -> tensor<64x64xf32>
  %out = "hal.tensor.export"(%r) : (tensor<64x64xf32>) -> !hal.buffer_view
  "util.return"(%out) : (!hal.buffer_view) -> ()
}) {sym_name = "main", function_type = (!hal.buffer_view, !hal.buffer_view) -> !hal.buffer_view} : () -> ()
)mlir";

TEST(Recording, ForeignFunctionsAreNormalizedFirst) {
  Input input(foreignModule);
  auto recording = input.record({});
  ASSERT_TRUE(static_cast<bool>(recording)) << llvm::toString(recording.takeError());
  ASSERT_GT(recording->steps.size(), 9u);
  EXPECT_EQ(recording->steps[0].pass, "fuselage-normalize-foreign");
  EXPECT_FALSE(recording->steps[0].teaches.empty());
  EXPECT_TRUE(recording->steps[0].changed);
  for (const Step &step : recording->steps) {
    EXPECT_FALSE(step.failed) << step.name;
  }
  // What the user wrote stays as it was.
  EXPECT_NE(recording->snapshots[0]->printed().text().find("util.func"), std::string::npos);
  EXPECT_EQ(recording->snapshots[1]->printed().text().find("util."), std::string::npos);
}

TEST(Recording, OtherModulesAreNot) {
  Input input;
  RecordOptions options;
  options.limit = 1;
  auto recording = input.record(options);
  ASSERT_TRUE(static_cast<bool>(recording)) << llvm::toString(recording.takeError());
  EXPECT_EQ(recording->steps[0].name, "Clean up");
}

} // namespace fuselage::test

#include "core/ir/module/IrFingerprint.h"
#include "core/ir/module/RunPipeline.h"
#include "core/ir/module/Splits.h"
#include "core/stepping/rewrites/StepRewrites.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "tests/core/stepping/SteppingTestSupport.h"
#include "tests/support/RandomModules.h"
#include "tests/support/SampleTexts.h"
#include "llvm/ADT/STLExtras.h"
#include <chrono>
#include <map>
#include <regex>

namespace fuselage::test {
namespace {

std::shared_ptr<const RewriteLog> logOf(const Step &step) {
  auto log = rewritesOf(step);
  if (log)
    return *log;
  ADD_FAILURE() << step.name << ": " << llvm::toString(log.takeError());
  return std::make_shared<const RewriteLog>();
}

std::string textAfter(const Step &step, const RewriteLog &log, unsigned rewrite) {
  auto module = moduleAfter(step, log, rewrite);
  if (module)
    return module->snapshot->lines().text();
  ADD_FAILURE() << step.name << ": " << llvm::toString(module.takeError());
  return "";
}

std::map<std::string, int> kindsOf(const RewriteLog &log) {
  std::map<std::string, int> kinds;
  for (const Rewrite &rewrite : log.rewrites)
    ++kinds[nameOf(rewrite.kind).str()];
  return kinds;
}

/// Without the times that the NVPTX back end writes into its object.
std::string withoutTimes(std::string text) {
  static const std::regex time("TimeInMs = [0-9]+");
  return std::regex_replace(text, time, "TimeInMs = _");
}

/// The text after the last rewrite is what the step left; a step that changed something has some.
void expectWhole(const Recording &recording, const Step &step, llvm::StringRef where) {
  if (step.failed || !step.replay)
    return;
  std::shared_ptr<const RewriteLog> log = logOf(step);
  if (log->rewrites.empty())
    EXPECT_FALSE(step.changed) << where.str() << ": nothing is listed of " << step.name;
  else
    EXPECT_EQ(withoutTimes(textAfter(step, *log, log->rewrites.size() - 1)),
              withoutTimes(recording.after(step)->lines().text()))
        << where.str() << ": " << step.name;
}

void expectWhole(const Recording &recording, llvm::StringRef where) {
  for (const Step &step : recording.steps)
    expectWhole(recording, step, where);
}

TEST(Rewrites, TheLinkedMlirTells) { EXPECT_TRUE(RewriteWatch::works()); }

TEST(Rewrites, HaveTimesThatAddUp) {
  Input input(sampleTexts()[FUSELAGE_SOURCE_DIR "/samples/bert_attention.mlir"]);
  Recording recording = input.recordPipeline("linalg-fuse-elementwise-ops");
  ASSERT_EQ(recording.steps.size(), 1u);
  const auto start = std::chrono::steady_clock::now();
  std::shared_ptr<const RewriteLog> log = logOf(recording.steps[0]);
  const std::chrono::duration<double, std::micro> all = std::chrono::steady_clock::now() - start;
  double sum = 0, applied = 0;
  for (const PatternSum &pattern : log->patterns)
    sum += pattern.microseconds;
  for (const Rewrite &rewrite : log->rewrites)
    applied += rewrite.microseconds.value_or(0);
  EXPECT_GT(applied, 0);
  EXPECT_GE(sum * 1.01, applied); // floats
  EXPECT_LT(sum, all.count());
}

TEST(Rewrites, OfBertAttentionAreSeventeenByPatterns) {
  Input input(sampleTexts()[FUSELAGE_SOURCE_DIR "/samples/bert_attention.mlir"]);
  Recording recording = input.recordPipeline("canonicalize,linalg-fuse-elementwise-ops");
  ASSERT_EQ(recording.steps.size(), 2u);
  std::shared_ptr<const RewriteLog> first = logOf(recording.steps[0]), log = logOf(recording.steps[1]);
  EXPECT_TRUE(first->rewrites.empty());
  EXPECT_EQ(kindsOf(*log)["pattern"], 17);
  // As many as a preloaded library counts in mlir-opt that does nothing but count; there the vector dialect, whose
  // pattern on arith.addf is tried here too, is not loaded.
  unsigned attempts = 0;
  for (const RewriteLog *each : {first.get(), log.get()})
    for (const PatternSum &sum : each->patterns)
      attempts += llvm::StringRef(sum.name).contains("CanonicalizeContractAdd") ? 0 : sum.attempts;
  EXPECT_EQ(attempts, 1269u);
  std::map<std::string, int> reasons;
  for (const PatternAttempt &attempt : log->attempts)
    ++reasons[log->reasons[attempt.reason]];
  EXPECT_EQ(reasons["failed preconditions of fusion with producer generic op"], 14);
  EXPECT_EQ(reasons["producer not a generic op"], 4);
  // Each rewrite changes the text.
  std::string last = recording.before(recording.steps[1])->lines().text();
  for (unsigned i = 0; i < log->rewrites.size(); ++i) {
    std::string text = textAfter(recording.steps[1], *log, i);
    EXPECT_NE(text, last) << "rewrite " << i;
    last = std::move(text);
  }
  EXPECT_EQ(last, recording.snapshots.back()->lines().text());
}

/// Where drivers do not tell, Actions do: the same attempts, without their results.
TEST(Rewrites, WithoutTheDriversAttemptsAreKnownByActions) {
  Input input(sampleTexts()[FUSELAGE_SOURCE_DIR "/samples/bert_attention.mlir"]);
  Recording recording = input.recordPipeline("canonicalize,linalg-fuse-elementwise-ops");
  const Step &step = recording.steps[1];
  auto byActions = rewritesOf(step, /*driversTell=*/false);
  ASSERT_TRUE(bool(byActions)) << llvm::toString(byActions.takeError());
  EXPECT_FALSE((*byActions)->resultsAreKnown);
  auto countsOf = [](const RewriteLog &log) {
    std::map<std::tuple<std::string, std::string, std::string>, int> counts;
    for (const PatternAttempt &attempt : log.attempts)
      ++counts[{log.patterns[attempt.pattern].name, log.ops[attempt.op].name.getStringRef().str(),
                log.functions[log.ops[attempt.op].function]}];
    return counts;
  };
  std::shared_ptr<const RewriteLog> log = logOf(step);
  EXPECT_EQ(countsOf(**byActions), countsOf(*log));
  EXPECT_GT(log->attempts.size(), 900u);
  for (const PatternAttempt &attempt : (*byActions)->attempts)
    EXPECT_EQ(attempt.outcome, PatternAttempt::Outcome::Unknown);
  const std::string text = rewritesText(
      **byActions, [](unsigned) { return true; }, [](int64_t) { return 0u; });
  EXPECT_NE(text.find("whose results are not known"), std::string::npos) << text;
  // An op before the step is asked for by its name.
  for (auto [index, op] : llvm::enumerate((*byActions)->ops))
    if (op.before >= 0 && op.name.getStringRef() == "linalg.generic") {
      message::OpRewrites<> tried = messageOfOp(**byActions, unsigned(index));
      ASSERT_FALSE(tried.attempts.empty());
      EXPECT_EQ(tried.attempts.front().outcome, "unknown");
      break;
    }
}

TEST(Rewrites, OpsKnowWhatMadeAndErasedThem) {
  Input input(sampleTexts()[FUSELAGE_SOURCE_DIR "/samples/bert_attention.mlir"]);
  Recording recording = input.recordPipeline("linalg-fuse-elementwise-ops");
  std::shared_ptr<const RewriteLog> log = logOf(recording.steps[0]);
  size_t inBefore = 0, inAfter = 0;
  for (const RewriteOp &op : log->ops) {
    inBefore += op.before >= 0;
    inAfter += op.after >= 0;
    EXPECT_NE(op.before >= 0, op.made >= 0) << op.name.getStringRef().str();
    EXPECT_NE(op.after >= 0, op.removed >= 0) << op.name.getStringRef().str();
  }
  EXPECT_EQ(inBefore, size_t(recording.snapshots[0]->printed().opCount()));
  EXPECT_EQ(inAfter, size_t(recording.snapshots[1]->printed().opCount()));
}

class RewritesOfSample : public testing::TestWithParam<std::string> {};

TEST_P(RewritesOfSample, TheDefaultPipelineIsWhole) {
  Input input(sampleTexts()[FUSELAGE_SOURCE_DIR "/samples/" + GetParam() + ".mlir"]);
  for (const char *target : {"spirv", "ptx"}) {
    RecordOptions options;
    options.target = target;
    auto recording = input.record(options);
    ASSERT_TRUE(bool(recording)) << llvm::toString(recording.takeError());
    expectWhole(*recording, target);
  }
}

TEST_P(RewritesOfSample, AreListedWhileItIsRecorded) {
  Input input(sampleTexts()[FUSELAGE_SOURCE_DIR "/samples/" + GetParam() + ".mlir"]);
  RecordOptions options;
  options.listsRewrites = true;
  auto recording = input.record(options);
  ASSERT_TRUE(bool(recording)) << llvm::toString(recording.takeError());
  for (const Step &step : recording->steps) {
    ASSERT_TRUE(step.rewrites) << step.name;
    auto again = step.replay->run({});
    ASSERT_TRUE(bool(again)) << llvm::toString(again.takeError());
    EXPECT_EQ(step.rewrites->rewrites.size(), again->log.rewrites.size()) << step.name;
    // Bufferization visits some ops in the order of their addresses, so that a few attempts more or less fail.
    EXPECT_NEAR(step.rewrites->attempts.size(), again->log.attempts.size(), 0.05 * again->log.attempts.size())
        << step.name;
  }
}

TEST_P(RewritesOfSample, AreShownAlikeFromPointsOnTheWay) {
  Input input(sampleTexts()[FUSELAGE_SOURCE_DIR "/samples/" + GetParam() + ".mlir"]);
  auto recording = input.record({});
  ASSERT_TRUE(bool(recording)) << llvm::toString(recording.takeError());
  bool keptAny = false;
  for (const Step &step : recording->steps) {
    auto player = RewritePlayer::listing(step);
    ASSERT_TRUE(bool(player)) << llvm::toString(player.takeError());
    const RewriteLog &log = *(*player)->log();
    keptAny |= (*player)->keptOps() > 0;
    const unsigned count = unsigned(log.rewrites.size()), every = std::max(1u, count / 12);
    for (unsigned rewrite = count - 1; rewrite < count; rewrite -= every) { // wraps around
      auto shown = (*player)->moduleAfter(rewrite);
      ASSERT_TRUE(bool(shown)) << step.name << " " << rewrite << ": " << llvm::toString(shown.takeError());
      auto fromStart = moduleAfter(step, log, rewrite);
      ASSERT_TRUE(bool(fromStart)) << step.name << " " << rewrite << ": " << llvm::toString(fromStart.takeError());
      if (step.name == "Bufferize") // which takes functions and ops in the order of their addresses
        continue;
      EXPECT_EQ(shown->note + fromStart->note, "") << step.name << " " << rewrite;
      EXPECT_EQ(shown->snapshot->lines().text(), fromStart->snapshot->lines().text()) << step.name << " " << rewrite;
    }
  }
  EXPECT_TRUE(keptAny);
}

INSTANTIATE_TEST_SUITE_P(Samples, RewritesOfSample,
                         testing::Values("batch_matmul", "bert_attention", "bert_attention_16x512", "conv_bias_relu",
                                         "dynamic_matmul", "int4_dequant_matmul", "int4_dequant_matmul_small",
                                         "matmul_transpose_bias", "mlp_gelu", "softmax", "transpose_slice_reshape"));

TEST(Rewrites, OfASchedule) {
  Input input(sampleTexts()[FUSELAGE_SOURCE_DIR "/samples/batch_matmul.mlir"]);
  RecordOptions options;
  options.schedule = FUSELAGE_SOURCE_DIR "/samples/schedules/batch_matmul.mlir";
  auto recording = input.record(options);
  ASSERT_TRUE(bool(recording)) << llvm::toString(recording.takeError());
  EXPECT_GT(llvm::count_if(recording->steps, [](const Step &step) { return step.changed; }), 1);
  expectWhole(*recording, options.schedule);
}

/// The passes that mlir-opt's users run most. The pass runs beside in a context whose functions are processed in
/// parallel, as in mlir-opt.
class RewritesOfPass : public testing::TestWithParam<std::string> {};

/// What the pass leaves of a text; empty: it refuses.
std::string afterParallel(const std::string &text, const std::string &pipeline) {
  Session session(allDialects());
  session.context().enableMultithreading();
  DiagnosticCapture capture(session.context());
  auto module = session.parse(text, "input.mlir");
  if (!module) {
    llvm::consumeError(module.takeError());
    return "";
  }
  if (llvm::Error error = runPipeline(**module, pipeline)) {
    llvm::consumeError(std::move(error));
    return "";
  }
  return PrintedModule(**module).text();
}

TEST_P(RewritesOfPass, LeadToWhatItLeaves) {
  const std::string pipeline = "builtin.module(" + GetParam() + ")";
  unsigned compared = 0;
  std::error_code error;
  for (llvm::sys::fs::recursive_directory_iterator file(FUSELAGE_SOURCE_DIR "/tests/lit", error), end;
       file != end && !error; file.increment(error)) {
    if (!llvm::StringRef(file->path()).ends_with(".mlir"))
      continue;
    Session session(allDialects());
    DiagnosticCapture capture(session.context());
    auto module = session.open(file->path());
    if (!module || splitModules(**module).size() != 1) {
      if (!module)
        llvm::consumeError(module.takeError());
      continue;
    }
    const std::string text = PrintedModule(**module).text();
    const std::string expected = afterParallel(text, pipeline);
    auto again = session.parse(text, "input.mlir");
    if (expected.empty() || !again) {
      if (!again)
        llvm::consumeError(again.takeError());
      continue;
    }
    RecordOptions options;
    options.pipeline = pipeline;
    auto recording = record(session, **again, options);
    ASSERT_TRUE(bool(recording)) << file->path() << ": " << llvm::toString(recording.takeError());
    const Step &step = recording->steps.back();
    if (recording->steps.size() != 1 || step.failed) // another compiler's functions are normalized first
      continue;
    std::shared_ptr<const RewriteLog> log = logOf(step);
    if (log->rewrites.empty()) {
      EXPECT_EQ(expected, PrintedModule(**again).text()) << file->path() << ": nothing is listed";
      continue;
    }
    EXPECT_EQ(textAfter(step, *log, log->rewrites.size() - 1), expected) << file->path();
    ++compared;
  }
  EXPECT_FALSE(error) << error.message();
  EXPECT_GT(compared, 3u);
}

INSTANTIATE_TEST_SUITE_P(Passes, RewritesOfPass,
                         testing::Values("canonicalize", "cse", "loop-invariant-code-motion", "symbol-dce", "sccp",
                                         "one-shot-bufferize{bufferize-function-boundaries allow-unknown-ops}",
                                         "func.func(convert-linalg-to-loops)", "func.func(linalg-generalize-named-ops)",
                                         "linalg-fuse-elementwise-ops", "convert-scf-to-cf", "convert-arith-to-llvm",
                                         "lower-affine"),
                         [](const testing::TestParamInfo<std::string> &info) {
                           std::string name;
                           for (char c : info.param)
                             if (std::isalnum(static_cast<unsigned char>(c)))
                               name += c;
                           return name;
                         });

TEST(Rewrites, OfRandomModules) {
  std::mt19937 random(7);
  for (int draw = 0; draw < 40; ++draw) {
    const std::string text = randomModule({.steps = 12, .dynamicSizes = draw % 2 == 1}, random);
    Input input(text);
    Recording recording = input.recordPipeline(
        "canonicalize,cse,func.func(linalg-generalize-named-ops),linalg-fuse-elementwise-ops,canonicalize,"
        "one-shot-bufferize{bufferize-function-boundaries allow-unknown-ops},func.func(convert-linalg-to-loops),"
        "convert-scf-to-cf");
    expectWhole(recording, text);
  }
}

TEST(Rewrites, ChangesWithoutARewriterAreSeenFromPassToPass) {
  Session session(allDialects());
  auto module =
      session.readText("func.func @f(%a: f32) -> f32 {\n  %b = arith.addf %a, %a : f32\n  return %b : f32\n}\n"
                       "func.func @g(%a: f32) -> f32 {\n  %b = arith.mulf %a, %a : f32\n  return %b : f32\n}",
                       "two.mlir");
  ASSERT_TRUE(bool(module)) << llvm::toString(module.takeError());
  mlir::ModuleOp whole = *module->module;
  auto functions = llvm::to_vector(whole.getOps<mlir::func::FuncOp>());
  auto firstOf = [](mlir::func::FuncOp function) { return &function.getBody().front().front(); };
  mlir::Attribute note = mlir::UnitAttr::get(whole.getContext());
  auto fast = mlir::arith::FastMathFlagsAttr::get(whole.getContext(), mlir::arith::FastMathFlags::fast);
  PassHashes hashes;
  const uint64_t start = hashes.beginPass(whole);
  EXPECT_EQ(start, contentHash(whole));
  EXPECT_EQ(hashes.endPass(whole), start) << "nothing was changed";
  // A pass on each function, of which the second changes what it has of its own, the first an attribute beside.
  EXPECT_EQ(hashes.beginPass(functions[0]), contentHash(functions[0]));
  firstOf(functions[0])->setDiscardableAttr("test.note", note);
  const uint64_t noted = hashes.endPass(functions[0]);
  EXPECT_EQ(noted, contentHash(functions[0]));
  const uint64_t before = hashes.beginPass(functions[1]);
  firstOf(functions[1])->setAttr("fastmath", fast);
  EXPECT_NE(hashes.endPass(functions[1]), before);
  // What the next one on the module begins with is put together from what is known of both.
  EXPECT_EQ(hashes.beginPass(whole), contentHash(whole));
  EXPECT_NE(contentHash(whole), start);
  functions[1]->setDiscardableAttr("test.note", note);
  EXPECT_EQ(hashes.endPass(whole), contentHash(whole));
  EXPECT_EQ(hashes.beginPass(functions[0]), noted);
}

TEST(Rewrites, OfAFailedConversionAreTakenBack) {
  // scf.parallel becomes loops and branches, math.absf in one of them has no pattern in this pass and stays legal; a
  // full conversion of the same would fail. What a pattern made that could not be legalized is in no list.
  Input input(R"mlir(
func.func @f(%n: index, %m: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %m[%i] : memref<?xf32>
    memref.store %x, %m[%i] : memref<?xf32>
  }
  return
})mlir");
  Recording recording = input.recordPipeline("convert-scf-to-cf");
  std::shared_ptr<const RewriteLog> log = logOf(recording.steps[0]);
  EXPECT_EQ(kindsOf(*log)["conversion"], 1);
  EXPECT_EQ(log->rewrites.back().kind, RewriteKind::Conversion);
  unsigned applied = 0;
  for (const PatternSum &sum : log->patterns) {
    EXPECT_GE(sum.attempts, sum.applied + sum.rolledBack);
    applied += sum.applied;
  }
  EXPECT_EQ(int(applied), kindsOf(*log)["pattern"]);
  expectWhole(recording, "convert-scf-to-cf");
}

TEST(Rewrites, CanBeLeftOut) {
  Input input(sampleTexts()[FUSELAGE_SOURCE_DIR "/samples/bert_attention.mlir"]);
  Recording recording = input.recordPipeline("linalg-fuse-elementwise-ops");
  const Step &step = recording.steps[0];
  std::shared_ptr<const RewriteLog> log = logOf(step);
  auto without = runWithout(step, *log, 0, /*wholePattern=*/false);
  ASSERT_TRUE(bool(without)) << llvm::toString(without.takeError());
  EXPECT_TRUE(mlir::succeeded(mlir::verify(**without)));
  EXPECT_NE(PrintedModule(**without).text(), recording.snapshots[1]->lines().text());
  auto noFusion = runWithout(step, *log, 0, /*wholePattern=*/true);
  ASSERT_TRUE(bool(noFusion)) << llvm::toString(noFusion.takeError());
  EXPECT_GT(fingerprint(**noFusion).ops["linalg.generic"], fingerprint(**without).ops["linalg.generic"]);
  unsigned dead = 0;
  while (log->rewrites[dead].kind != RewriteKind::Dead)
    ++dead;
  auto refused = runWithout(step, *log, dead, /*wholePattern=*/false);
  ASSERT_FALSE(bool(refused));
  EXPECT_NE(takeFailure(refused.takeError()).message.find("only patterns and folds"), std::string::npos);
}

TEST(Rewrites, ThereIsNoneThatFar) {
  Input input;
  Recording recording = input.recordPipeline("canonicalize");
  std::shared_ptr<const RewriteLog> log = logOf(recording.steps[0]);
  ASSERT_FALSE(log->rewrites.empty());
  auto none = moduleAfter(recording.steps[0], *log, log->rewrites.size());
  ASSERT_FALSE(bool(none));
  EXPECT_NE(takeFailure(none.takeError()).message.find("there is no rewrite"), std::string::npos);
}

TEST(Rewrites, NamesOfPatternsAreShort) {
  EXPECT_EQ(shortPatternName("(anonymous namespace)::FuseElementwiseOps"), "FuseElementwiseOps");
  EXPECT_EQ(shortPatternName("mlir::linalg::EraseIdentityLinalgOp<mlir::linalg::GenericOp>"),
            "EraseIdentityLinalgOp<GenericOp>");
  EXPECT_EQ(shortPatternName("a::B<(anonymous namespace)::C, d::E<f::G> >"), "B<C, E<G> >");
  EXPECT_EQ(shortPatternName("pdl_pattern"), "pdl_pattern");
  EXPECT_EQ(shortPatternName(""), "");
}

} // namespace
} // namespace fuselage::test

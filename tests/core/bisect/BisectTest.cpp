#include "core/bisect/Judges.h"
#include "core/bisect/LongRuns.h"
#include "core/ir/Session.h"
#include "core/registration/Registration.h"
#include "core/stepping/record/Recording.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Transforms/DialectConversion.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include <cmath>
#include <gtest/gtest.h>

namespace fuselage::test {
namespace {

using namespace mlir;

constexpr llvm::StringLiteral kDone = "test.done";

/// A pattern on the n-th op of a kind in the program, which is wrong, among right ones on all ops of the kind.
enum class Fault { Sign, Order, Precision, DroppedOp, WrongConstant, WrongOp, WrongMap, OneShapeOnly };

/// Right on most ops: marks them, so that there are many rewrites. Wrong on those that are marked so.
struct Seeded : public OpRewritePattern<arith::SubFOp> {
  Seeded(MLIRContext *context, Fault fault, int64_t at)
      : OpRewritePattern(context), fault(fault), at(at), seen(std::make_shared<int64_t>(0)) {
    setDebugName("SeededPattern");
  }
  LogicalResult matchAndRewrite(arith::SubFOp op, PatternRewriter &rewriter) const override {
    if (op->hasAttr(kDone))
      return rewriter.notifyMatchFailure(op, "was rewritten before");
    const bool isWrong = (*seen)++ == at;
    Value left = op.getLhs(), right = op.getRhs();
    if (!isWrong) {
      rewriter.modifyOpInPlace(op, [&] { op->setAttr(kDone, rewriter.getUnitAttr()); });
      return success();
    }
    Location loc = op.getLoc();
    switch (fault) {
    case Fault::Sign:
      rewriter.replaceOpWithNewOp<arith::AddFOp>(op, left, right);
      break;
    case Fault::Order: {
      auto swapped = arith::SubFOp::create(rewriter, loc, right, left);
      swapped->setAttr(kDone, rewriter.getUnitAttr());
      rewriter.replaceOp(op, swapped.getResult());
      break;
    }
    case Fault::Precision: {
      Type narrow = rewriter.getF16Type();
      auto a = arith::TruncFOp::create(rewriter, loc, narrow, left),
           b = arith::TruncFOp::create(rewriter, loc, narrow, right);
      auto difference = arith::SubFOp::create(rewriter, loc, a, b);
      difference->setAttr(kDone, rewriter.getUnitAttr());
      rewriter.replaceOpWithNewOp<arith::ExtFOp>(op, op.getType(), difference.getResult());
      break;
    }
    case Fault::DroppedOp:
      rewriter.replaceOp(op, left);
      break;
    case Fault::WrongConstant: {
      auto one = arith::ConstantOp::create(rewriter, loc, rewriter.getFloatAttr(op.getType(), 1.0));
      auto difference = arith::SubFOp::create(rewriter, loc, left, one.getResult());
      difference->setAttr(kDone, rewriter.getUnitAttr());
      rewriter.replaceOp(op, difference.getResult());
      break;
    }
    case Fault::WrongOp:
      rewriter.replaceOpWithNewOp<arith::MaximumFOp>(op, left, right);
      break;
    case Fault::WrongMap:
      rewriter.replaceOp(op, right);
      break;
    case Fault::OneShapeOnly: {
      auto generic = op->getParentOfType<linalg::GenericOp>();
      if (generic && generic.getStaticLoopRanges()[0] == 5)
        rewriter.replaceOpWithNewOp<arith::MulFOp>(op, left, right);
      else
        rewriter.modifyOpInPlace(op, [&] { op->setAttr(kDone, rewriter.getUnitAttr()); });
      break;
    }
    }
    return success();
  }
  Fault fault;
  int64_t at;
  std::shared_ptr<int64_t> seen;
};

struct SeededPass : public PassWrapper<SeededPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(SeededPass)
  SeededPass() = default;
  SeededPass(const SeededPass &other) : PassWrapper(other) {}
  StringRef getArgument() const final { return "test-seeded"; }
  StringRef getDescription() const final { return "rewrites arith.subf, wrongly once"; }
  void runOnOperation() final {
    RewritePatternSet patterns(&getContext());
    patterns.add(std::make_unique<Seeded>(&getContext(), Fault(int(fault)), at));
    (void)applyPatternsGreedily(getOperation(), std::move(patterns));
  }
  Option<int> fault{*this, "fault", llvm::cl::init(0)};
  Option<int> at{*this, "at", llvm::cl::init(-1)};
};

/// Converts arith.subf to one of its operands.
struct WrongConversion : public OpConversionPattern<arith::SubFOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(arith::SubFOp op, OpAdaptor operands,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOp(op, operands.getLhs());
    return success();
  }
};

struct WrongConversionPass : public PassWrapper<WrongConversionPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(WrongConversionPass)
  StringRef getArgument() const final { return "test-wrong-conversion"; }
  StringRef getDescription() const final { return "converts arith.subf to its first operand"; }
  void runOnOperation() final {
    ConversionTarget target(getContext());
    target.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
    target.addIllegalOp<arith::SubFOp>();
    RewritePatternSet patterns(&getContext());
    patterns.add<WrongConversion>(&getContext());
    if (failed(applyPartialConversion(getOperation(), target, std::move(patterns))))
      signalPassFailure();
  }
};

/// So many elementwise ops on tensors, one after the other, each with a subtraction. Values stay near 1.
std::string chainOf(int ops, int size) {
  std::string type = "tensor<" + std::to_string(size) + "xf32>";
  std::string text = "#m = affine_map<(d0) -> (d0)>\nfunc.func @main(%a: " + type + ", %b: " + type + ") -> " + type +
                     " {\n  %e = tensor.empty() : " + type + "\n";
  std::string last = "%a";
  for (int i = 0; i < ops; ++i) {
    std::string next = "%v" + std::to_string(i);
    text += "  " + next + " = linalg.generic {indexing_maps = [#m, #m, #m], iterator_types = [\"parallel\"]} ins(" +
            last + ", %b : " + type + ", " + type + ") outs(%e : " + type +
            ") {\n  ^bb0(%x: f32, %y: f32, %o: f32):\n" +
            "    %h = arith.constant 0.5 : f32\n    %p = arith.mulf %y, %h : f32\n    %q = arith.subf %x, %p : f32\n" +
            "    linalg.yield %q : f32\n  } -> " + type + "\n";
    last = next;
  }
  return text + "  return " + last + " : " + type + "\n}\n";
}

struct Program {
  Session session{allDialects()};
  OwningOpRef<ModuleOp> module;
  explicit Program(const std::string &text) {
    [[maybe_unused]] static const bool isRegistered =
        (PassRegistration<SeededPass>(), PassRegistration<WrongConversionPass>(), true);
    auto parsed = session.parse(text, "input.mlir");
    if (parsed)
      module = std::move(*parsed);
    else
      ADD_FAILURE() << llvm::toString(parsed.takeError());
  }
  llvm::Expected<Recording> record(const std::string &pipeline) {
    RecordOptions options;
    options.pipeline = pipeline;
    return fuselage::record(session, *module, options);
  }
};

std::string seededPipeline(Fault fault, int at) {
  return "builtin.module(canonicalize,cse,test-seeded{fault=" + std::to_string(int(fault)) +
         " at=" + std::to_string(at) + "},canonicalize,linalg-fuse-elementwise-ops)";
}

Culprit culpritOf(const Recording &recording, ModuleOp input) {
  auto judge = judgeByResults(input, HostCheckOptions(), 2);
  if (!judge) {
    ADD_FAILURE() << llvm::toString(judge.takeError());
    return {};
  }
  auto culprit = bisect(recording, {.judge = *judge});
  if (culprit)
    return std::move(*culprit);
  ADD_FAILURE() << llvm::toString(culprit.takeError());
  return {};
}

TEST(Bisect, SaysHowLongALargeProgramTakes) {
  Session session(allDialects());
  auto note = [&](llvm::StringRef sample) {
    auto module = session.open(FUSELAGE_SOURCE_DIR "/samples/" + sample.str());
    return module ? noteOfLongRuns(**module, "") : llvm::toString(module.takeError());
  };
  EXPECT_EQ(note("int4_dequant_matmul_small.mlir"), "");
  EXPECT_EQ(note("bert_attention.mlir"), "");
  const std::string large = note("int4_dequant_matmul.mlir");
  EXPECT_TRUE(llvm::StringRef(large).starts_with("@int4_dequant_matmul computes 18")) << large;
  EXPECT_NE(large.find("3 minutes each of at least 4 runs"), std::string::npos) << large;
}

class BisectSeeds : public testing::TestWithParam<int> {};

TEST_P(BisectSeeds, FindTheWrongRewrite) {
  const Fault fault = Fault(GetParam() % 8);
  const int ops = 24, at = (7 * GetParam() + 3) % ops;
  Program program(chainOf(ops, 5));
  auto recording = program.record(seededPipeline(fault, at));
  ASSERT_TRUE(bool(recording)) << llvm::toString(recording.takeError());
  ASSERT_EQ(recording->steps.size(), 5u);
  Culprit culprit = culpritOf(*recording, *program.module);
  ASSERT_TRUE(culprit.step) << culprit.note;
  EXPECT_EQ(recording->steps[*culprit.step].pass, "test-seeded");
  EXPECT_EQ(culprit.firstSuspect, *culprit.step);
  ASSERT_TRUE(culprit.rewrite) << culprit.note;
  EXPECT_EQ(culprit.firstRewriteSuspect, *culprit.rewrite);
  const RewriteLog &log = *culprit.log;
  const Rewrite &found = log.rewrites[*culprit.rewrite];
  ASSERT_EQ(found.kind, RewriteKind::Pattern);
  // The one that did more than to mark its op, or the at-th.
  unsigned pattern = 0;
  for (unsigned i = 0; i < *culprit.rewrite; ++i)
    pattern += log.rewrites[i].kind == RewriteKind::Pattern;
  EXPECT_EQ(pattern, unsigned(at));
  EXPECT_LE(culprit.rewriteRuns, unsigned(std::log2(log.rewrites.size())) + 2);
}

TEST(Bisect, AllPatternsOfAConversionAreSuspect) {
  Program program(chainOf(3, 5));
  auto recording = program.record("builtin.module(test-wrong-conversion)");
  ASSERT_TRUE(bool(recording)) << llvm::toString(recording.takeError());
  Culprit culprit = culpritOf(*recording, *program.module);
  ASSERT_TRUE(culprit.rewrite) << culprit.note;
  EXPECT_EQ(culprit.log->rewrites[*culprit.rewrite].kind, RewriteKind::Conversion);
  EXPECT_EQ(*culprit.rewrite, 3u);
  EXPECT_EQ(culprit.firstRewriteSuspect, 0u);
}

INSTANTIATE_TEST_SUITE_P(Seeds, BisectSeeds, testing::Range(0, 20));

TEST(Bisect, BlamesNothingWhereAllIsRight) {
  for (int i = 0; i < 20; ++i) {
    Program program(chainOf(2 + i, 3 + i));
    auto recording = program.record(seededPipeline(Fault::Sign, -1));
    ASSERT_TRUE(bool(recording)) << llvm::toString(recording.takeError());
    Culprit culprit = culpritOf(*recording, *program.module);
    EXPECT_FALSE(culprit.step) << i << ": " << culprit.why;
  }
}

TEST(Bisect, FindsWhereACommandIsAnswered) {
  Program program(chainOf(6, 5));
  auto recording = program.record(seededPipeline(Fault::WrongOp, 4));
  ASSERT_TRUE(bool(recording)) << llvm::toString(recording.takeError());
  // grep ends with 0 where it finds the words: bad is what has none, so that -L asks the other way round.
  auto judge = judgeByCommand("grep -q -v -z arith.maximumf {}");
  ASSERT_TRUE(bool(judge)) << llvm::toString(judge.takeError());
  auto culprit = bisect(*recording, {.judge = *judge});
  ASSERT_TRUE(bool(culprit)) << llvm::toString(culprit.takeError());
  ASSERT_TRUE(culprit->rewrite);
  EXPECT_EQ(recording->steps[*culprit->step].pass, "test-seeded");
  EXPECT_NE(culprit->why.find("exit code 1"), std::string::npos);
  auto none = judgeByCommand("no-such-program-anywhere");
  ASSERT_FALSE(bool(none));
  llvm::consumeError(none.takeError());
}

// A judge that answers by chance is found out: no step is named.
TEST(Bisect, CannotTellByChance) {
  Program program(chainOf(6, 5));
  auto recording = program.record(seededPipeline(Fault::Sign, 2));
  ASSERT_TRUE(bool(recording)) << llvm::toString(recording.takeError());
  unsigned named = 0;
  for (unsigned seed = 0; seed < 200; ++seed) {
    unsigned state = seed;
    Judge chance = [&state](const Snapshot &) -> Judgement {
      state = state * 1664525u + 1013904223u;
      return {state >> 31 ? IrVerdict::Good : IrVerdict::Bad, "by chance"};
    };
    auto culprit = bisect(*recording, {.judge = chance, .confirmations = 3});
    if (!culprit) {
      llvm::consumeError(culprit.takeError()); // the input is bad, four times in a row
      ++named;
      continue;
    }
    named += culprit->step.has_value() || culprit->undecided.empty();
    if (!culprit->undecided.empty())
      EXPECT_NE(culprit->undecided.find("answers by chance"), std::string::npos) << culprit->undecided;
  }
  EXPECT_LE(named, 40u);
}

TEST(Bisect, PassesOverWhatCannotBeJudged) {
  Program program(chainOf(6, 5));
  auto recording = program.record(seededPipeline(Fault::Sign, 2));
  ASSERT_TRUE(bool(recording)) << llvm::toString(recording.takeError());
  const Snapshot *input = recording->snapshots.front().get();
  Judge onlyInput = [input](const Snapshot &snapshot) -> Judgement {
    return {&snapshot == input ? IrVerdict::Good : IrVerdict::Unknown, "nobody knows"};
  };
  auto culprit = bisect(*recording, {.judge = onlyInput});
  ASSERT_TRUE(bool(culprit)) << llvm::toString(culprit.takeError());
  EXPECT_FALSE(culprit->step);
  ASSERT_FALSE(culprit->notJudged.empty());
  EXPECT_NE(culprit->notJudged.front().find("nobody knows"), std::string::npos);
  Judge nothing = [](const Snapshot &) -> Judgement { return {IrVerdict::Unknown, "nobody knows"}; };
  auto undecided = bisect(*recording, {.judge = nothing});
  ASSERT_TRUE(bool(undecided)) << llvm::toString(undecided.takeError());
  EXPECT_NE(undecided->undecided.find("cannot be judged"), std::string::npos);
  EXPECT_FALSE(undecided->step);
}

} // namespace
} // namespace fuselage::test

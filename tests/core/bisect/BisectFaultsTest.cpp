// Crashes, hangs, lost fusions, more bytes, and searches that are stopped and go on.
#include "core/bisect/Blame.h"
#include "core/bisect/FusionJudge.h"
#include "core/bisect/JudgementFile.h"
#include "core/bisect/TimeJudge.h"
#include "core/ir/Session.h"
#include "core/registration/Registration.h"
#include "core/stepping/record/Recording.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/Support/FileSystem.h"
#include <csignal>
#include <gtest/gtest.h>

namespace fuselage::test {
namespace {

using namespace mlir;

constexpr llvm::StringLiteral kDone = "test.done";

/// Marks additions; at the n-th it crashes or hangs, or makes two iterators reductions that nobody can fuse.
struct Deadly : public OpRewritePattern<arith::AddFOp> {
  Deadly(MLIRContext *context, bool hangs, int64_t at)
      : OpRewritePattern(context), hangs(hangs), at(at), seen(std::make_shared<int64_t>(0)) {
    setDebugName("DeadlyPattern");
  }
  LogicalResult matchAndRewrite(arith::AddFOp op, PatternRewriter &rewriter) const override {
    if (op->hasAttr(kDone))
      return failure();
    if ((*seen)++ == at) {
      volatile bool goesOn = hangs;
      while (goesOn)
        ;
      raise(SIGSEGV);
    }
    rewriter.modifyOpInPlace(op, [&] { op->setAttr(kDone, rewriter.getUnitAttr()); });
    return success();
  }
  bool hangs;
  int64_t at;
  std::shared_ptr<int64_t> seen;
};

struct DeadlyPass : public PassWrapper<DeadlyPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(DeadlyPass)
  DeadlyPass() = default;
  DeadlyPass(const DeadlyPass &other) : PassWrapper(other) {}
  StringRef getArgument() const final { return "test-deadly"; }
  StringRef getDescription() const final { return "crashes or hangs at an addition"; }
  void runOnOperation() final {
    RewritePatternSet patterns(&getContext());
    patterns.add(std::make_unique<Deadly>(&getContext(), hangs, at));
    (void)applyPatternsGreedily(getOperation(), std::move(patterns));
  }
  Option<bool> hangs{*this, "hangs", llvm::cl::init(false)};
  Option<int> at{*this, "at", llvm::cl::init(0)};
};

/// Gives the value of each elementwise op a second user of another shape of loops, so that the edge is lost.
struct Fence : public OpRewritePattern<linalg::GenericOp> {
  explicit Fence(MLIRContext *context) : OpRewritePattern(context) { setDebugName("FencePattern"); }
  LogicalResult matchAndRewrite(linalg::GenericOp op, PatternRewriter &rewriter) const override {
    if (op->hasAttr(kDone) || !op.getResult(0).hasOneUse())
      return failure();
    rewriter.modifyOpInPlace(op, [&] { op->setAttr(kDone, rewriter.getUnitAttr()); });
    Operation *user = *op->getUsers().begin();
    if (!isa<linalg::GenericOp>(user))
      return success();
    // What no pass can see through.
    OperationState state(op.getLoc(), "test.opaque", op.getResult(0), op->getResultTypes());
    rewriter.setInsertionPointAfter(op);
    Operation *opaque = rewriter.create(state);
    rewriter.modifyOpInPlace(user, [&] { user->replaceUsesOfWith(op.getResult(0), opaque->getResult(0)); });
    return success();
  }
};

struct FencePass : public PassWrapper<FencePass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(FencePass)
  StringRef getArgument() const final { return "test-fence"; }
  StringRef getDescription() const final { return "separates elementwise ops"; }
  void runOnOperation() final {
    getContext().allowUnregisteredDialects();
    RewritePatternSet patterns(&getContext());
    patterns.add(std::make_unique<Fence>(&getContext()));
    (void)applyPatternsGreedily(getOperation(), std::move(patterns));
  }
};

constexpr llvm::StringLiteral kChain = R"(#m = affine_map<(d0) -> (d0)>
func.func @main(%a: tensor<64xf32>) -> tensor<64xf32> {
  %e = tensor.empty() : tensor<64xf32>
  %first = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel"]} ins(%a : tensor<64xf32>) outs(%e : tensor<64xf32>) {
  ^bb0(%x: f32, %o: f32):
    %p = arith.addf %x, %x : f32
    %q = arith.addf %p, %x : f32
    linalg.yield %q : f32
  } -> tensor<64xf32>
  %second = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel"]} ins(%first : tensor<64xf32>) outs(%e : tensor<64xf32>) {
  ^bb0(%x: f32, %o: f32):
    %p = arith.addf %x, %x : f32
    linalg.yield %p : f32
  } -> tensor<64xf32>
  return %second : tensor<64xf32>
}
)";

struct Program {
  Session session{allDialects()};
  OwningOpRef<ModuleOp> module;
  Program() {
    [[maybe_unused]] static const bool isRegistered =
        (PassRegistration<DeadlyPass>(), PassRegistration<FencePass>(), true);
    auto parsed = session.parse(kChain.str(), "input.mlir");
    if (parsed)
      module = std::move(*parsed);
    else
      ADD_FAILURE() << llvm::toString(parsed.takeError());
  }
  llvm::Expected<CarefulRecording> record(const std::string &pipeline, unsigned seconds = 20) {
    RecordOptions options;
    options.pipeline = pipeline;
    return recordCarefully(session, *module, options, seconds);
  }
};

Culprit culpritOfDeath(Program &program, const std::string &pipeline, unsigned seconds) {
  auto careful = program.record(pipeline, seconds);
  if (!careful || !careful->death) {
    ADD_FAILURE() << (careful ? "nothing died" : llvm::toString(careful.takeError()));
    return {};
  }
  EXPECT_TRUE(careful->recording.steps.back().failed);
  auto culprit = bisectDeath(careful->recording, *careful->death, seconds);
  if (culprit)
    return std::move(*culprit);
  ADD_FAILURE() << llvm::toString(culprit.takeError());
  return {};
}

TEST(BisectDeath, NamesTheStepAndTheRewriteBeforeACrash) {
  Program program;
  Culprit culprit = culpritOfDeath(program, "builtin.module(cse,test-deadly{at=2},canonicalize)", 20);
  EXPECT_EQ(culprit.step, 1u);
  EXPECT_NE(culprit.why.find("signal 11"), std::string::npos) << culprit.why;
  ASSERT_TRUE(culprit.death) << culprit.note;
  EXPECT_EQ(culprit.death->rewrites, 2u);
  EXPECT_EQ(culprit.death->last, "DeadlyPattern on arith.addf in @main");
  EXPECT_EQ(culprit.death->going, "DeadlyPattern on arith.addf in @main");
  EXPECT_EQ(culprit.death->source, "input.mlir:6");
  // The IR that it died on: two additions are marked, and it was at the third.
  ASSERT_TRUE(culprit.death->there);
  auto module = culprit.death->there->parsed();
  ASSERT_TRUE(bool(module)) << llvm::toString(module.takeError());
  unsigned marked = 0;
  int64_t number = 0;
  module->walk<WalkOrder::PreOrder>([&](Operation *op) {
    marked += op->hasAttr(kDone);
    if (number++ != culprit.death->opThere)
      return;
    EXPECT_TRUE(isa<arith::AddFOp>(op) && !op->hasAttr(kDone)) << op->getName().getStringRef().str();
    EXPECT_EQ(op->getDiscardableAttrs().begin(), op->getDiscardableAttrs().end());
  });
  EXPECT_EQ(marked, 2u);
}

TEST(BisectDeath, NamesTheStepAndTheRewriteBeforeAHang) {
  Program program;
  Culprit culprit = culpritOfDeath(program, "builtin.module(cse,test-deadly{at=1 hangs=true})", 1);
  EXPECT_EQ(culprit.step, 1u);
  EXPECT_NE(culprit.why.find("takes more than 1 s"), std::string::npos) << culprit.why;
  ASSERT_TRUE(culprit.death) << culprit.note;
  EXPECT_EQ(culprit.death->rewrites, 1u);
  EXPECT_EQ(culprit.death->going, "DeadlyPattern on arith.addf in @main");
}

TEST(BisectDeath, LeavesOthersAlone) {
  Program program;
  auto careful = program.record("builtin.module(cse,test-deadly{at=99},canonicalize)");
  ASSERT_TRUE(bool(careful)) << llvm::toString(careful.takeError());
  EXPECT_FALSE(careful->death);
  EXPECT_EQ(careful->recording.steps.size(), 3u);
}

TEST(BisectFusion, FindsWhereAnEdgeIsLost) {
  Program program;
  auto careful = program.record("builtin.module(canonicalize,test-fence,canonicalize)");
  ASSERT_TRUE(bool(careful)) << llvm::toString(careful.takeError());
  auto judge = judgeByFusion(*program.module, "input.mlir:4", "input.mlir:10");
  ASSERT_TRUE(bool(judge)) << llvm::toString(judge.takeError());
  BlameOptions options;
  options.producer = "input.mlir:4";
  options.consumer = "input.mlir:10";
  auto culprit = findCulprit(careful->recording, options);
  ASSERT_TRUE(bool(culprit)) << llvm::toString(culprit.takeError());
  EXPECT_EQ(culprit->step, 1u) << culprit->note;
  ASSERT_TRUE(culprit->rewrite) << culprit->note;
  EXPECT_EQ(culprit->log->rewrites[*culprit->rewrite].kind, RewriteKind::Pattern);
  auto none = judgeByFusion(*program.module, "input.mlir:10", "input.mlir:4");
  ASSERT_FALSE(bool(none));
  EXPECT_NE(takeFailure(none.takeError()).message.find("no edge"), std::string::npos);
}

TEST(BisectFusion, FusedIsNotLost) {
  Program program;
  auto careful = program.record("builtin.module(canonicalize,linalg-fuse-elementwise-ops)");
  ASSERT_TRUE(bool(careful)) << llvm::toString(careful.takeError());
  BlameOptions options;
  options.producer = "input.mlir:4";
  options.consumer = "input.mlir:10";
  auto culprit = findCulprit(careful->recording, options);
  ASSERT_TRUE(bool(culprit)) << llvm::toString(culprit.takeError());
  EXPECT_FALSE(culprit->step) << culprit->why;
  EXPECT_EQ(culprit->note, "the edge from input.mlir:4 to input.mlir:10 is fused, not lost: both are in one "
                           "linalg.generic");
  EXPECT_TRUE(culprit->notJudged.empty());
}

TEST(BisectFusion, FollowsOpsOfSamples) {
  // Fused by upstream into one op; into loops, a function and a kernel of one dispatch; gone into the maps of another.
  const struct {
    const char *sample, *pipeline, *producer, *consumer, *note;
  } cases[] = {
      {"softmax", "linalg-fuse-elementwise-ops,canonicalize,cse", "softmax.mlir:19", "softmax.mlir:25",
       "both are in one linalg.generic"},
      {"softmax", "", "softmax.mlir:13", "softmax.mlir:19", "both are in one spirv.func"},
      {"bert_attention", "linalg-fuse-elementwise-ops,cse", "bert_attention.mlir:38", "bert_attention.mlir:50",
       "bert_attention.mlir:50 does without it"},
  };
  for (const auto &each : cases) {
    Session session(allDialects());
    auto module = session.open(std::string(FUSELAGE_SOURCE_DIR) + "/samples/" + each.sample + ".mlir");
    ASSERT_TRUE(bool(module)) << llvm::toString(module.takeError());
    RecordOptions recorded;
    recorded.pipeline = each.pipeline;
    auto recording = fuselage::record(session, **module, recorded);
    ASSERT_TRUE(bool(recording)) << llvm::toString(recording.takeError());
    BlameOptions options;
    options.producer = each.producer;
    options.consumer = each.consumer;
    auto culprit = findCulprit(*recording, options);
    ASSERT_TRUE(bool(culprit)) << llvm::toString(culprit.takeError());
    EXPECT_FALSE(culprit->step) << culprit->why;
    EXPECT_NE(culprit->note.find(each.note), std::string::npos) << culprit->note;
  }
}

TEST(BisectBytes, FindsNothingWhereFusionSavesThem) {
  Program program;
  auto careful = program.record("builtin.module(fuselage-form-dispatches,canonicalize)");
  ASSERT_TRUE(bool(careful)) << llvm::toString(careful.takeError());
  BlameOptions options;
  options.worse = Worse::Bytes;
  auto culprit = findCulprit(careful->recording, options);
  ASSERT_TRUE(bool(culprit)) << llvm::toString(culprit.takeError());
  EXPECT_FALSE(culprit->step) << culprit->why;
}

TEST(BisectTime, IsNotBlamedOnWhatChangesNothing) {
  Program program;
  auto judge = judgeByTime(*program.module, HostCheckOptions());
  ASSERT_TRUE(bool(judge)) << llvm::toString(judge.takeError());
  Snapshot same{OwningOpRef<ModuleOp>(program.module->clone())};
  Judgement judgement = (*judge)(same);
  EXPECT_NE(judgement.verdict, IrVerdict::Bad) << judgement.why; // in much noise, it cannot tell
}

TEST(JudgementFile, GoesOnWithTheSameKeyAlone) {
  llvm::SmallString<128> path;
  ASSERT_FALSE(llvm::sys::fs::createTemporaryFile("bisect", "json", path));
  const std::string key = JudgementFile::keyOf({"input", "pipeline"});
  EXPECT_NE(key, JudgementFile::keyOf({"inputp", "ipeline"}));
  auto file = JudgementFile::open(path.str().str(), key);
  ASSERT_TRUE(bool(file)) << llvm::toString(file.takeError());
  ASSERT_FALSE(bool(file->add("after step 3, cse", {IrVerdict::Bad, "it differs"})));
  auto again = JudgementFile::open(path.str().str(), key);
  ASSERT_TRUE(bool(again)) << llvm::toString(again.takeError());
  auto known = again->find("after step 3, cse");
  ASSERT_TRUE(known);
  EXPECT_EQ(known->verdict, IrVerdict::Bad);
  EXPECT_EQ(known->why, "it differs");
  auto other = JudgementFile::open(path.str().str(), "another");
  ASSERT_TRUE(bool(other)) << llvm::toString(other.takeError());
  EXPECT_EQ(other->count(), 0u);
  again->remove();
  EXPECT_FALSE(llvm::sys::fs::exists(path));
}

TEST(Bisect, AsksNothingThatIsKnown) {
  Program program;
  auto careful = program.record("builtin.module(canonicalize,linalg-fuse-elementwise-ops)");
  ASSERT_TRUE(bool(careful)) << llvm::toString(careful.takeError());
  BlameOptions options;
  options.draws = 1;
  std::map<std::string, Judgement> known;
  options.search.judged = [&](llvm::StringRef where, const Judgement &judgement) {
    known[where.str()] = judgement;
    return llvm::Error::success();
  };
  auto first = findCulprit(careful->recording, options);
  ASSERT_TRUE(bool(first)) << llvm::toString(first.takeError());
  EXPECT_GT(first->stepRuns, 0u);
  options.search.known = [&](llvm::StringRef where) {
    auto found = known.find(where.str());
    return found == known.end() ? std::nullopt : std::optional(found->second);
  };
  auto second = findCulprit(careful->recording, options);
  ASSERT_TRUE(bool(second)) << llvm::toString(second.takeError());
  EXPECT_EQ(second->stepRuns, 0u);
}

} // namespace
} // namespace fuselage::test

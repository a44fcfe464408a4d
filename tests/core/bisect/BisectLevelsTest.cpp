// IR below tensors is judged, too: seeds in late steps are found, and correct programs are not blamed at any level.
#include "core/bisect/Blame.h"
#include "core/bisect/Judges.h"
#include "core/ir/Session.h"
#include "core/registration/Registration.h"
#include "core/stepping/record/Recording.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/ADT/StringExtras.h"
#include <cmath>
#include <gtest/gtest.h>

namespace fuselage::test {
namespace {

using namespace mlir;

constexpr llvm::StringLiteral kDone = "test.done";

/// Marks subtractions, and makes the at-th something else.
template <typename Sub, typename Add> struct Wrong : public OpRewritePattern<Sub> {
  Wrong(MLIRContext *context, int fault, int64_t at)
      : OpRewritePattern<Sub>(context), fault(fault), at(at), seen(std::make_shared<int64_t>(0)) {
    this->setDebugName("WrongSubtraction");
  }
  LogicalResult matchAndRewrite(Sub op, PatternRewriter &rewriter) const override {
    if (op->hasAttr(kDone))
      return failure();
    if ((*seen)++ != at) {
      rewriter.modifyOpInPlace(op, [&] { op->setAttr(kDone, rewriter.getUnitAttr()); });
      return success();
    }
    Value left = op.getLhs(), right = op.getRhs();
    switch (fault) {
    case 0: // sign
      rewriter.template replaceOpWithNewOp<Add>(op, left, right);
      break;
    case 1: { // order
      auto swapped = Sub::create(rewriter, op.getLoc(), right, left);
      swapped->setAttr(kDone, rewriter.getUnitAttr());
      rewriter.replaceOp(op, swapped.getResult());
      break;
    }
    case 2: // dropped op
      rewriter.replaceOp(op, left);
      break;
    default: // wrong value
      rewriter.replaceOp(op, right);
    }
    return success();
  }
  int fault;
  int64_t at;
  std::shared_ptr<int64_t> seen;
};

struct SeededBelowPass : public PassWrapper<SeededBelowPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(SeededBelowPass)
  SeededBelowPass() = default;
  SeededBelowPass(const SeededBelowPass &other) : PassWrapper(other) {}
  StringRef getArgument() const final { return "test-seeded-below"; }
  StringRef getDescription() const final { return "rewrites subtractions of any level, wrongly once"; }
  void runOnOperation() final {
    RewritePatternSet patterns(&getContext());
    patterns.add(std::make_unique<Wrong<arith::SubFOp, arith::AddFOp>>(&getContext(), fault, at));
    patterns.add(std::make_unique<Wrong<LLVM::FSubOp, LLVM::FAddOp>>(&getContext(), fault, at));
    (void)applyPatternsGreedily(getOperation(), std::move(patterns));
  }
  Option<int> fault{*this, "fault", llvm::cl::init(0)};
  Option<int> at{*this, "at", llvm::cl::init(-1)};
};

/// One elementwise op with as many subtractions, which differ.
std::string subtractions(int count) {
  std::string text = "#m = affine_map<(d0) -> (d0)>\nfunc.func @main(%a: tensor<8xf32>, %b: tensor<8xf32>) -> "
                     "tensor<8xf32> {\n  %e = tensor.empty() : tensor<8xf32>\n  %r = linalg.generic {indexing_maps = "
                     "[#m, #m, #m], iterator_types = [\"parallel\"]} ins(%a, %b : tensor<8xf32>, tensor<8xf32>) "
                     "outs(%e : tensor<8xf32>) {\n  ^bb0(%x0: f32, %y: f32, %o: f32):\n";
  for (int i = 0; i < count; ++i) {
    std::string n = std::to_string(i), next = std::to_string(i + 1);
    text += "    %c" + n + " = arith.constant 0." + n + "5 : f32\n    %p" + n + " = arith.mulf %y, %c" + n +
            " : f32\n    %x" + next + " = arith.subf %x" + n + ", %p" + n + " : f32\n";
  }
  return text + "    linalg.yield %x" + std::to_string(count) +
         " : f32\n  } -> tensor<8xf32>\n  return %r : tensor<8xf32>\n}\n";
}

struct Program {
  Session session{allDialects()};
  OwningOpRef<ModuleOp> module;
  explicit Program(llvm::Expected<OwningOpRef<ModuleOp>> (*make)(Session &, const std::string &),
                   const std::string &from) {
    [[maybe_unused]] static const bool isRegistered = (PassRegistration<SeededBelowPass>(), true);
    auto made = make(session, from);
    if (made)
      module = std::move(*made);
    else
      ADD_FAILURE() << llvm::toString(made.takeError());
  }
  Recording record(RecordOptions options) {
    auto recording = fuselage::record(session, *module, options);
    if (recording)
      return std::move(*recording);
    ADD_FAILURE() << llvm::toString(recording.takeError());
    return {};
  }
};

llvm::Expected<OwningOpRef<ModuleOp>> parseText(Session &session, const std::string &text) {
  return session.parse(text, "input.mlir");
}
llvm::Expected<OwningOpRef<ModuleOp>> readFile(Session &session, const std::string &path) { return session.open(path); }

std::string seed(int fault, int at) {
  return "test-seeded-below{fault=" + std::to_string(fault) + " at=" + std::to_string(at) + "}";
}

/// The default pipeline with a pass after the step of this name.
std::string defaultPipelineWith(Program &program, llvm::StringRef after, const std::string &pass) {
  std::vector<std::string> passes;
  for (const Step &step : program.record({}).steps) {
    llvm::StringRef text = step.pipeline;
    EXPECT_TRUE(text.consume_front("builtin.module(") && text.consume_back(")")) << step.pipeline;
    passes.push_back(text.str());
    if (step.name == after)
      passes.push_back(pass);
  }
  return "builtin.module(" + llvm::join(passes, ",") + ")";
}

constexpr llvm::StringLiteral kToLoops =
    "one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map},"
    "func.func(convert-linalg-to-loops)";
constexpr llvm::StringLiteral kToLlvm = "convert-scf-to-cf,convert-arith-to-llvm,convert-index-to-llvm,"
                                        "finalize-memref-to-llvm,convert-func-to-llvm,convert-cf-to-llvm,"
                                        "reconcile-unrealized-casts";

/// Where the wrong pass stands.
enum class Level { Bufferized, Kernels, Loops, OutParameters, Llvm };

std::string pipelineOf(Program &program, Level level, const std::string &pass) {
  switch (level) {
  case Level::Bufferized:
    return defaultPipelineWith(program, "Bufferize", pass);
  case Level::Kernels:
    return defaultPipelineWith(program, "Map to GPU", pass);
  case Level::Loops:
    return ("builtin.module(" + kToLoops + "," + pass + "," + kToLlvm + ")").str();
  case Level::OutParameters:
    return ("builtin.module(" + kToLoops + ",buffer-results-to-out-params," + pass + "," + kToLlvm + ")").str();
  case Level::Llvm:
    return ("builtin.module(" + kToLoops + "," + kToLlvm + "," + pass + ")").str();
  }
  return "";
}

class BisectLevels : public testing::TestWithParam<int> {};

TEST_P(BisectLevels, FindTheWrongRewrite) {
  const int count = 9, at = (5 * GetParam() + 2) % count;
  Program program(parseText, subtractions(count));
  const Level level = Level(GetParam() % 5);
  RecordOptions options;
  options.pipeline = pipelineOf(program, level, seed(GetParam() / 5, at));
  Recording recording = program.record(options);
  ASSERT_FALSE(recording.steps.empty());
  BlameOptions blame;
  blame.draws = 2;
  auto culprit = findCulprit(recording, blame);
  ASSERT_TRUE(bool(culprit)) << llvm::toString(culprit.takeError());
  ASSERT_TRUE(culprit->step) << culprit->note << culprit->undecided;
  EXPECT_EQ(recording.steps[*culprit->step].pass, "test-seeded-below");
  EXPECT_EQ(culprit->firstSuspect, *culprit->step);
  ASSERT_TRUE(culprit->rewrite) << culprit->note;
  const RewriteLog &log = *culprit->log;
  unsigned pattern = 0;
  for (unsigned i = 0; i < *culprit->rewrite; ++i)
    pattern += log.rewrites[i].kind == RewriteKind::Pattern;
  EXPECT_EQ(pattern, unsigned(at));
  EXPECT_LE(culprit->rewriteRuns, unsigned(std::log2(log.rewrites.size())) + 2);
}

INSTANTIATE_TEST_SUITE_P(Seeds, BisectLevels, testing::Range(0, 20));

/// A sample, and the target of the default pipeline.
class CorrectSamples : public testing::TestWithParam<std::tuple<const char *, const char *>> {};

TEST_P(CorrectSamples, AreBlamedForNothing) {
  auto [name, target] = GetParam();
  Program program(readFile, std::string(FUSELAGE_SOURCE_DIR) + "/samples/" + name + ".mlir");
  RecordOptions options;
  options.target = target;
  Recording recording = program.record(options);
  auto judge = judgeByResults(*program.module, HostCheckOptions(), 1);
  ASSERT_TRUE(bool(judge)) << llvm::toString(judge.takeError());
  for (const Step &step : recording.steps) {
    ASSERT_FALSE(step.failed) << step.name;
    if (!step.changed)
      continue;
    Judgement judgement = (*judge)(*recording.snapshots[step.after]);
    // SPIR-V runs on lavapipe; PTX wants an NVIDIA GPU.
    if (step.name == "Lower to PTX" && judgement.verdict == IrVerdict::Unknown)
      EXPECT_NE(judgement.why.find("PTX is not run: there is no device"), std::string::npos) << judgement.why;
    else
      EXPECT_EQ(judgement.verdict, IrVerdict::Good) << step.name << ": " << judgement.why;
  }
}

INSTANTIATE_TEST_SUITE_P(All, CorrectSamples,
                         testing::Combine(testing::Values("batch_matmul", "conv_bias_relu", "int4_dequant_matmul_small",
                                                          "dynamic_matmul", "matmul_transpose_bias", "softmax",
                                                          "transpose_slice_reshape"),
                                          testing::Values("spirv", "ptx")));
INSTANTIATE_TEST_SUITE_P(Large, CorrectSamples,
                         testing::Combine(testing::Values("bert_attention", "mlp_gelu"),
                                          testing::Values("spirv", "ptx")));

} // namespace
} // namespace fuselage::test

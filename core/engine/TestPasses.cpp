#include "core/engine/TestPasses.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <unistd.h>

namespace fuselage {
namespace {

/// A pass on any op that calls `Misdeed`.
template <typename Misdeed> struct TestPass : mlir::PassWrapper<TestPass<Misdeed>, mlir::OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TestPass)
  llvm::StringRef getArgument() const override { return Misdeed::argument; }
  llvm::StringRef getDescription() const override { return "misbehaves, for tests"; }
  void runOnOperation() override { Misdeed()(); }
};

struct Crash {
  static constexpr llvm::StringLiteral argument = "fuselage-test-crash";
  void operator()() const { raise(SIGSEGV); }
};
struct Hang {
  static constexpr llvm::StringLiteral argument = "fuselage-test-hang";
  void operator()() const {
    while (true)
      pause();
  }
};
struct Print {
  static constexpr llvm::StringLiteral argument = "fuselage-test-print";
  void operator()() const {
    std::printf("printed by a pass\n");
    std::fflush(stdout);
  }
};

constexpr llvm::StringLiteral kSeen = "fuselage.test_seen";

/// Marks additions and subtractions, and exchanges the operands of the first subtraction.
struct SwapFirstSubtraction : mlir::RewritePattern {
  static constexpr llvm::StringLiteral argument = "fuselage-test-wrong";
  static constexpr llvm::StringLiteral description = "is wrong about a subtraction, for tests";
  explicit SwapFirstSubtraction(mlir::MLIRContext *context) : RewritePattern(MatchAnyOpTypeTag(), 1, context) {
    setDebugName("SwapFirstSubtraction");
  }
  mlir::LogicalResult matchAndRewrite(mlir::Operation *op, mlir::PatternRewriter &rewriter) const override {
    if (!llvm::isa<mlir::arith::SubFOp, mlir::arith::MaximumFOp, mlir::arith::AddFOp>(op) || op->hasAttr(kSeen))
      return mlir::failure();
    rewriter.modifyOpInPlace(op, [&] {
      op->setAttr(kSeen, rewriter.getUnitAttr());
      if (llvm::isa<mlir::arith::SubFOp>(op))
        op->setOperands({op->getOperand(1), op->getOperand(0)});
    });
    return mlir::success();
  }
};

/// Marks additions, and takes the process down at the first subtraction.
struct CrashAtSubtraction : mlir::RewritePattern {
  static constexpr llvm::StringLiteral argument = "fuselage-test-crash-at-subtraction";
  static constexpr llvm::StringLiteral description = "crashes in a pattern, for tests";
  explicit CrashAtSubtraction(mlir::MLIRContext *context) : RewritePattern(MatchAnyOpTypeTag(), 1, context) {
    setDebugName("CrashAtSubtraction");
  }
  mlir::LogicalResult matchAndRewrite(mlir::Operation *op, mlir::PatternRewriter &rewriter) const override {
    if (llvm::isa<mlir::arith::SubFOp>(op))
      raise(SIGSEGV);
    if (!llvm::isa<mlir::arith::AddFOp>(op) || op->hasAttr(kSeen))
      return mlir::failure();
    rewriter.modifyOpInPlace(op, [&] { op->setAttr(kSeen, rewriter.getUnitAttr()); });
    return mlir::success();
  }
};

/// A pass that applies one pattern.
template <class Pattern> struct PatternTestPass : mlir::PassWrapper<PatternTestPass<Pattern>, mlir::OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(PatternTestPass)
  llvm::StringRef getArgument() const override { return Pattern::argument; }
  llvm::StringRef getDescription() const override { return Pattern::description; }
  void runOnOperation() override {
    mlir::RewritePatternSet patterns(&this->getContext());
    patterns.add<Pattern>(&this->getContext());
    (void)mlir::applyPatternsGreedily(this->getOperation(), std::move(patterns));
  }
};

} // namespace

void registerTestPasses() {
  if (!std::getenv("FUSELAGE_TEST_PASSES"))
    return;
  mlir::PassRegistration<TestPass<Crash>>();
  mlir::PassRegistration<TestPass<Hang>>();
  mlir::PassRegistration<TestPass<Print>>();
  mlir::PassRegistration<PatternTestPass<SwapFirstSubtraction>>();
  mlir::PassRegistration<PatternTestPass<CrashAtSubtraction>>();
}

} // namespace fuselage

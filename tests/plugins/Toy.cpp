// A plugin of MLIR, for tests: the dialect `toy`, passes with patterns, and a pass that crashes.
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "mlir/Tools/Plugins/PassPlugin.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

#include "ToyDialect.h.inc"
#define GET_OP_CLASSES
#include "ToyOps.h.inc"

#include "ToyDialect.cpp.inc"
#define GET_OP_CLASSES
#include "ToyOps.cpp.inc"

using namespace mlir;

void toy::ToyDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "ToyOps.cpp.inc"
      >();
}

namespace toy {
namespace {

/// toy.double becomes toy.scale by 2.
struct DoubleToScale : OpRewritePattern<DoubleOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(DoubleOp op, PatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<ScaleOp>(op, op.getType(), op.getValue(), 2);
    return success();
  }
};

/// A scale of a scale becomes one.
struct MergeScales : OpRewritePattern<ScaleOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ScaleOp op, PatternRewriter &rewriter) const override {
    auto inner = op.getValue().getDefiningOp<ScaleOp>();
    if (!inner)
      return rewriter.notifyMatchFailure(op, "its operand is no toy.scale");
    rewriter.replaceOpWithNewOp<ScaleOp>(op, op.getType(), inner.getValue(), op.getFactor() * inner.getFactor());
    return success();
  }
};

/// A scale becomes a product with a constant.
struct ScaleToArith : OpRewritePattern<ScaleOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ScaleOp op, PatternRewriter &rewriter) const override {
    auto factor = rewriter.getFloatAttr(op.getType(), double(op.getFactor()));
    Value constant = arith::ConstantOp::create(rewriter, op.getLoc(), factor);
    rewriter.replaceOpWithNewOp<arith::MulFOp>(op, op.getValue(), constant);
    return success();
  }
};

template <class Pass, class... Patterns> struct PatternPass : PassWrapper<Pass, OperationPass<>> {
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<ToyDialect, arith::ArithDialect>();
  }
  void runOnOperation() override {
    RewritePatternSet patterns(&this->getContext());
    patterns.add<Patterns...>(&this->getContext());
    if (failed(applyPatternsGreedily(this->getOperation(), std::move(patterns))))
      this->signalPassFailure();
  }
};

struct MergePass : PatternPass<MergePass, DoubleToScale, MergeScales> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(MergePass)
  StringRef getArgument() const override { return "toy-merge-scales"; }
  StringRef getDescription() const override { return "Merge toy.double and toy.scale"; }
};

struct LowerPass : PatternPass<LowerPass, DoubleToScale, ScaleToArith> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(LowerPass)
  StringRef getArgument() const override { return "toy-lower"; }
  StringRef getDescription() const override { return "Lower the toy dialect to arith"; }
};

struct CrashPass : PassWrapper<CrashPass, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(CrashPass)
  StringRef getArgument() const override { return "toy-crash"; }
  StringRef getDescription() const override { return "Write to address 0"; }
  void runOnOperation() override {
    volatile int *nowhere = nullptr;
    *nowhere = 1;
  }
};

} // namespace
} // namespace toy

extern "C" LLVM_ATTRIBUTE_WEAK PassPluginLibraryInfo mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "Toy", "v1.2", [] {
            PassRegistration<toy::MergePass>();
            PassRegistration<toy::LowerPass>();
            PassRegistration<toy::CrashPass>();
          }};
}

extern "C" LLVM_ATTRIBUTE_WEAK DialectPluginLibraryInfo mlirGetDialectPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "Toy", "v1.2",
          [](DialectRegistry *registry) { registry->insert<toy::ToyDialect>(); }};
}

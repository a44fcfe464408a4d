// A plugin of MLIR, for tests: passes that crash, hang, fail, leave invalid IR, or compute something else.
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Tools/Plugins/PassPlugin.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

namespace {

constexpr llvm::StringLiteral kDone = "faulty.done";

/// Which ops a pass fails on: those of a name; with another name, those that use a result of such an op.
template <class Pass> struct Target : public PassWrapper<Pass, OperationPass<>> {
  Target() = default;
  Target(const Target &other) : PassWrapper<Pass, OperationPass<>>(other) {}
  bool isMeant(Operation *op) const {
    if (op->getName().getStringRef() != StringRef(on).split(':').first)
      return false;
    return of.empty() || llvm::any_of(op->getOperands(), [&](Value operand) {
             Operation *maker = operand.getDefiningOp();
             return maker && maker->getName().getStringRef() == of;
           });
  }
  /// The 3 of "arith.divf:3": on fewer ops it fails in another way.
  int least() const {
    int number = 0;
    return StringRef(on).split(':').second.getAsInteger(10, number) ? 0 : number;
  }
  using Text = ::mlir::Pass::Option<std::string>;
  Text on{*this, "on", llvm::cl::desc("the ops to fail on, by name, and perhaps :N"), llvm::cl::init("")};
  Text of{*this, "of", llvm::cl::desc("which use a result of an op with this name"), llvm::cl::init("")};
  ::mlir::Pass::Option<int> verbosity{*this, "verbosity", llvm::cl::desc("means nothing"), llvm::cl::init(0)};
};

enum class How { Abort, Segv, Hang, Fail, Invalid };

template <How how> struct FailOn : public Target<FailOn<how>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(FailOn)
  FailOn() = default;
  FailOn(const FailOn &other) : Target<FailOn<how>>(other) {}
  StringRef getArgument() const override {
    switch (how) {
    case How::Abort:
      return "faulty-abort";
    case How::Segv:
      return "faulty-segv";
    case How::Hang:
      return "faulty-hang";
    case How::Fail:
      return "faulty-fail";
    case How::Invalid:
      return "faulty-invalid";
    }
    return "";
  }
  StringRef getDescription() const override { return "Fail on some ops"; }
  void runOnOperation() override {
    int count = 0;
    this->getOperation()->walk([&](Operation *op) { count += this->isMeant(op); });
    if (count > 0 && count < this->least())
      llvm::report_fatal_error("there are too few of them");
    this->getOperation()->walk([&](Operation *op) {
      if (this->isMeant(op))
        failOn(op);
    });
  }
  void failOn(Operation *op) {
    switch (how) {
    case How::Abort:
      llvm::report_fatal_error("cannot lower this op");
    case How::Segv: {
      volatile int *nowhere = nullptr;
      *nowhere = 1;
      break;
    }
    case How::Hang:
      for (volatile unsigned i = 0;; i = i + 1)
        ;
    case How::Fail:
      op->emitError("has no lowering for ") << op->getResultTypes();
      return this->signalPassFailure();
    case How::Invalid:
      op->setOperands(op->getOperands().drop_back());
      break;
    }
  }
};

enum class Wrong { Sign, Order, Precision, Dropped, Constant, Index, OneSize, Crash, Cycle };

/// Rewrites a binary op on floats, or the linalg.generic around it, into something else.
struct WrongPattern : public RewritePattern {
  WrongPattern(MLIRContext *context, StringRef on, std::function<bool(Operation *)> isMeant, Wrong wrong, int64_t size)
      : RewritePattern(on, 1, context), isMeant(std::move(isMeant)), wrong(wrong), size(size) {
    setDebugName("WrongPattern");
  }
  LogicalResult matchAndRewrite(Operation *op, PatternRewriter &rewriter) const override {
    if (!isMeant(op) || op->hasAttr(kDone) || op->getNumOperands() != 2)
      return failure();
    Location loc = op->getLoc();
    Value left = op->getOperand(0), right = op->getOperand(1);
    Type type = left.getType();
    auto generic = op->getParentOfType<linalg::GenericOp>();
    switch (wrong) {
    case Wrong::Sign: {
      Value negated = arith::NegFOp::create(rewriter, loc, right);
      replaceOperand(op, 1, negated, rewriter);
      return success();
    }
    case Wrong::Order:
      rewriter.modifyOpInPlace(op, [&] {
        op->setOperands({right, left});
        op->setAttr(kDone, rewriter.getUnitAttr());
      });
      return success();
    case Wrong::Precision: {
      Value narrow = arith::TruncFOp::create(rewriter, loc, rewriter.getBF16Type(), left);
      replaceOperand(op, 0, arith::ExtFOp::create(rewriter, loc, type, narrow), rewriter);
      return success();
    }
    case Wrong::Dropped:
      rewriter.replaceOp(op, left);
      return success();
    case Wrong::Constant: {
      auto one = arith::ConstantOp::create(rewriter, loc, rewriter.getFloatAttr(type, 1.5));
      replaceOperand(op, 1, one, rewriter);
      return success();
    }
    case Wrong::Index:
      return generic ? swapDimensions(op, generic, rewriter) : failure();
    case Wrong::Crash: {
      volatile int *nowhere = nullptr;
      *nowhere = 1;
      return success();
    }
    case Wrong::Cycle: // forever, as the driver tries it again
      rewriter.modifyOpInPlace(op, [&] { op->setOperands({right, left}); });
      return success();
    case Wrong::OneSize:
      if (!generic || !llvm::is_contained(generic.getStaticLoopRanges(), size))
        return failure();
      rewriter.replaceOp(op, right);
      return success();
    }
    return failure();
  }

  static void replaceOperand(Operation *op, unsigned index, Value value, PatternRewriter &rewriter) {
    rewriter.modifyOpInPlace(op, [&] {
      op->setOperand(index, value);
      op->setAttr(kDone, rewriter.getUnitAttr());
    });
  }

  /// Reads an operand of the generic with its two last dimensions swapped, if they are equal.
  static LogicalResult swapDimensions(Operation *op, linalg::GenericOp generic, PatternRewriter &rewriter) {
    llvm::SmallVector<AffineMap> maps = generic.getIndexingMapsArray();
    ArrayRef<int64_t> shape = cast<ShapedType>(generic.getDpsInputs().front().getType()).getShape();
    const unsigned rank = shape.size();
    if (rank < 2 || shape[rank - 1] != shape[rank - 2] || !maps.front().isPermutation())
      return failure();
    llvm::SmallVector<AffineExpr> results(maps.front().getResults());
    std::swap(results[rank - 1], results[rank - 2]);
    maps.front() = AffineMap::get(maps.front().getNumDims(), 0, results, op->getContext());
    rewriter.modifyOpInPlace(op, [&] { op->setAttr(kDone, rewriter.getUnitAttr()); });
    rewriter.modifyOpInPlace(generic, [&] { generic.setIndexingMapsAttr(rewriter.getAffineMapArrayAttr(maps)); });
    return success();
  }

  std::function<bool(Operation *)> isMeant;
  Wrong wrong;
  int64_t size;
};

/// Right, so that there are others.
struct MarkGeneric : public OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(linalg::GenericOp op, PatternRewriter &rewriter) const override {
    if (op->hasAttr(kDone))
      return failure();
    rewriter.modifyOpInPlace(op, [&] { op->setAttr(kDone, rewriter.getUnitAttr()); });
    return success();
  }
};

struct WrongPass : public Target<WrongPass> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(WrongPass)
  WrongPass() = default;
  WrongPass(const WrongPass &other) : Target(other) {}
  StringRef getArgument() const override { return "faulty-rewrite"; }
  StringRef getDescription() const override { return "Rewrite ops into something else"; }
  void getDependentDialects(DialectRegistry &registry) const override { registry.insert<arith::ArithDialect>(); }
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    llvm::SmallPtrSet<Operation *, 8> left; // alone
    auto pattern = std::make_unique<WrongPattern>(
        &getContext(), on.getValue(),
        [&](Operation *op) {
          if (!isMeant(op) || left.contains(op))
            return false;
          if (int(left.size()) >= from)
            return true;
          left.insert(op);
          return false;
        },
        wrong, size);
    if (from >= 0)
      pattern->setDebugName("WrongPatternFrom");
    patterns.add(std::move(pattern));
    patterns.add<MarkGeneric>(&getContext());
    FrozenRewritePatternSet frozen(std::move(patterns), disabled, enabled);
    GreedyRewriteConfig config;
    config.setMaxIterations(wrong == Wrong::Cycle ? GreedyRewriteConfig::kNoLimit : 10);
    (void)applyPatternsGreedily(getOperation(), frozen, config);
  }
  Option<Wrong> wrong{*this, "wrong", llvm::cl::desc("what is wrong"), llvm::cl::init(Wrong::Sign),
                      llvm::cl::values(clEnumValN(Wrong::Sign, "sign", "a sign"),
                                       clEnumValN(Wrong::Order, "order", "the order of operands"),
                                       clEnumValN(Wrong::Precision, "precision", "the type of an operand"),
                                       clEnumValN(Wrong::Dropped, "dropped", "the op is dropped"),
                                       clEnumValN(Wrong::Constant, "constant", "a constant"),
                                       clEnumValN(Wrong::Index, "index", "the order of dimensions"),
                                       clEnumValN(Wrong::Crash, "crash", "it crashes"),
                                       clEnumValN(Wrong::Cycle, "cycle", "it is applied again and again"),
                                       clEnumValN(Wrong::OneSize, "one-size", "sizes of one value alone"))};
  Option<int> from{*this, "from", llvm::cl::desc("how many ops are left alone first"), llvm::cl::init(-1)};
  Option<int64_t> size{*this, "size", llvm::cl::desc("of one-size"), llvm::cl::init(128)};
  ListOption<std::string> disabled{*this, "disable-patterns", llvm::cl::desc("patterns to leave out")};
  ListOption<std::string> enabled{*this, "enable-patterns", llvm::cl::desc("patterns to take alone")};
};

} // namespace

extern "C" LLVM_ATTRIBUTE_WEAK PassPluginLibraryInfo mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "Faulty", "v1", [] {
            PassRegistration<FailOn<How::Abort>>();
            PassRegistration<FailOn<How::Segv>>();
            PassRegistration<FailOn<How::Hang>>();
            PassRegistration<FailOn<How::Fail>>();
            PassRegistration<FailOn<How::Invalid>>();
            PassRegistration<WrongPass>();
          }};
}

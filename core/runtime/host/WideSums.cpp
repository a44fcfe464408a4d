// Upstream's arith-emulate-unsupported-floats rounds a sum after every term; nothing there makes accumulators wider.
#include "core/runtime/host/WideSums.h"
#include "core/transforms/workgroups/sizes/TilingConfig.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace fuselage {

/// How many terms each sum has; nullopt where that is not known.
static std::optional<uint64_t> termsOf(linalg::LinalgOp op) {
  uint64_t terms = 1;
  for (auto [range, iterator] : llvm::zip_equal(op.getStaticLoopRanges(), op.getIteratorTypesArray())) {
    if (iterator != utils::IteratorType::reduction)
      continue;
    if (ShapedType::isDynamic(range))
      return std::nullopt;
    terms = llvm::SaturatingMultiply<uint64_t>(terms, range);
  }
  return terms;
}

namespace {

/// Which sums become wider.
struct Widening {
  bool halves = true;        ///< of f16, too
  bool longSums = true;      ///< long ones of f32, too
  bool wholeProducts = false; ///< products that are terms of them alone are not rounded
};

} // namespace

/// The type to add in; null: the element type itself is good enough.
static Type sumTypeFor(linalg::LinalgOp op, Type element, const Widening &how) {
  auto type = llvm::dyn_cast<FloatType>(element);
  if (!type || (type.isF16() && !how.halves))
    return {};
  Builder builder(op->getContext());
  if (type.getWidth() <= 16)
    return builder.getF32Type();
  constexpr uint64_t longSum = 4096;
  return how.longSums && type.isF32() && termsOf(op).value_or(0) >= longSum ? builder.getF64Type() : Type();
}

/// The addition that takes the accumulator of a result and yields it, and nothing else does; null if the
/// body is of another form.
static arith::AddFOp sumOf(linalg::GenericOp op, unsigned result) {
  Block &body = *op.getBody();
  BlockArgument accumulator = body.getArgument(op.getNumDpsInputs() + result);
  auto sum = body.getTerminator()->getOperand(result).getDefiningOp<arith::AddFOp>();
  if (!sum || !sum->hasOneUse() || !accumulator.hasOneUse() || (sum.getLhs() == accumulator) == (sum.getRhs() == accumulator))
    return {};
  return sum;
}

/// `term` in a wider type; a product that nobody else reads is not rounded on the way, if `wholeProducts`.
static Value widened(IRRewriter &rewriter, Value term, Type wide, bool wholeProducts) {
  auto product = term.getDefiningOp<arith::MulFOp>();
  if (!wholeProducts || !product || !product->hasOneUse())
    return arith::ExtFOp::create(rewriter, term.getLoc(), wide, term);
  Value left = arith::ExtFOp::create(rewriter, term.getLoc(), wide, product.getLhs());
  Value right = product.getLhs() == product.getRhs() ? left : arith::ExtFOp::create(rewriter, term.getLoc(), wide, product.getRhs());
  return arith::MulFOp::create(rewriter, term.getLoc(), left, right);
}

/// What a sum starts with, in a wider type: of a constant's fill another one.
static Value widenedStart(IRRewriter &rewriter, Value init, RankedTensorType type) {
  auto fill = init.getDefiningOp<linalg::FillOp>();
  FloatAttr constant;
  if (!fill || !matchPattern(fill.getInputs().front(), m_Constant(&constant)))
    return arith::ExtFOp::create(rewriter, init.getLoc(), type, init);
  bool lost = false;
  llvm::APFloat value = constant.getValue();
  value.convert(llvm::cast<FloatType>(type.getElementType()).getFloatSemantics(), llvm::APFloat::rmNearestTiesToEven, &lost);
  Value start = arith::ConstantOp::create(rewriter, init.getLoc(), rewriter.getFloatAttr(type.getElementType(), value));
  Value empty = tensor::EmptyOp::create(rewriter, init.getLoc(), tensor::getMixedSizes(rewriter, init.getLoc(), init), type.getElementType(), type.getEncoding());
  return linalg::FillOp::create(rewriter, init.getLoc(), start, empty).getResult(0);
}

static void widenResult(IRRewriter &rewriter, linalg::GenericOp op, unsigned index, arith::AddFOp sum, Type wide, bool wholeProducts) {
  Location loc = op.getLoc();
  OpOperand &init = *op.getDpsInitOperand(index);
  auto narrow = llvm::cast<RankedTensorType>(init.get().getType());
  auto wideTensor = RankedTensorType::get(narrow.getShape(), wide, narrow.getEncoding());
  BlockArgument accumulator = op.getBody()->getArgument(op.getNumDpsInputs() + index);

  rewriter.setInsertionPoint(sum);
  Value term = sum.getLhs() == accumulator ? sum.getRhs() : sum.getLhs();
  Value wideTerm = widened(rewriter, term, wide, wholeProducts);
  Value wideSum = arith::AddFOp::create(rewriter, loc, accumulator, wideTerm);
  accumulator.setType(wide);
  wideSum.setType(wide);
  rewriter.replaceOp(sum, wideSum);
  if (Operation *old = term.getDefiningOp(); old && old->use_empty())
    rewriter.eraseOp(old);

  rewriter.setInsertionPoint(op);
  init.set(widenedStart(rewriter, init.get(), wideTensor));
  OpResult result = op->getResult(index);
  result.setType(wideTensor);
  rewriter.setInsertionPointAfter(op);
  Value rounded = arith::TruncFOp::create(rewriter, loc, narrow, result);
  rewriter.replaceAllUsesExcept(result, rounded, rounded.getDefiningOp());
}

static void widen(ModuleOp module, const Widening &how) {
  SmallVector<linalg::LinalgOp> ops;
  module.walk([&](linalg::LinalgOp op) {
    if (op.getNumReductionLoops() != 0 && op.hasPureTensorSemantics() &&
        llvm::any_of(op->getResultTypes(), [&](Type type) { return sumTypeFor(op, getElementTypeOrSelf(type), how) != Type(); }))
      ops.push_back(op);
  });
  IRRewriter rewriter(module.getContext());
  for (linalg::LinalgOp op : ops) {
    rewriter.setInsertionPoint(op);
    TilingConfig asked = readTilingConfig(op); // another op takes its place, with the same loops
    FailureOr<linalg::GenericOp> generic = llvm::isa<linalg::GenericOp>(op)
                                               ? FailureOr(llvm::cast<linalg::GenericOp>(op.getOperation()))
                                               : linalg::generalizeNamedOp(rewriter, op);
    if (failed(generic))
      continue;
    writeTilingConfig(*generic, asked);
    for (unsigned i = 0; i < (*generic)->getNumResults(); ++i)
      if (Type wide = sumTypeFor(*generic, getElementTypeOrSelf((*generic)->getResult(i).getType()), how))
        if (arith::AddFOp sum = sumOf(*generic, i))
          widenResult(rewriter, *generic, i, sum, wide, how.wholeProducts);
  }
}

void widenSums(ModuleOp module) { widen(module, {}); }

void widenNarrowSums(ModuleOp module, bool halves) { widen(module, {.halves = halves, .longSums = false, .wholeProducts = true}); }

} // namespace fuselage

// Upstream's arith-emulate-unsupported-floats rounds a sum after every term; nothing there makes accumulators wider.
#include "core/runtime/host/WideSums.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
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

/// The type to add in; null: the element type itself is good enough.
static Type sumTypeFor(linalg::LinalgOp op, Type element) {
  auto type = llvm::dyn_cast<FloatType>(element);
  if (!type)
    return {};
  Builder builder(op->getContext());
  if (type.getWidth() <= 16)
    return builder.getF32Type();
  constexpr uint64_t longSum = 4096;
  return type.isF32() && termsOf(op).value_or(0) >= longSum ? builder.getF64Type() : Type();
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

static void widenResult(IRRewriter &rewriter, linalg::GenericOp op, unsigned index, arith::AddFOp sum, Type wide) {
  Location loc = op.getLoc();
  OpOperand &init = *op.getDpsInitOperand(index);
  auto narrow = llvm::cast<RankedTensorType>(init.get().getType());
  auto wideTensor = RankedTensorType::get(narrow.getShape(), wide, narrow.getEncoding());
  BlockArgument accumulator = op.getBody()->getArgument(op.getNumDpsInputs() + index);

  rewriter.setInsertionPoint(sum);
  Value term = sum.getLhs() == accumulator ? sum.getRhs() : sum.getLhs();
  Value wideTerm = arith::ExtFOp::create(rewriter, loc, wide, term);
  Value wideSum = arith::AddFOp::create(rewriter, loc, accumulator, wideTerm);
  accumulator.setType(wide);
  wideSum.setType(wide);
  rewriter.replaceOp(sum, wideSum);

  rewriter.setInsertionPoint(op);
  init.set(arith::ExtFOp::create(rewriter, loc, wideTensor, init.get()));
  OpResult result = op->getResult(index);
  result.setType(wideTensor);
  rewriter.setInsertionPointAfter(op);
  Value rounded = arith::TruncFOp::create(rewriter, loc, narrow, result);
  rewriter.replaceAllUsesExcept(result, rounded, rounded.getDefiningOp());
}

void widenSums(ModuleOp module) {
  SmallVector<linalg::LinalgOp> ops;
  module.walk([&](linalg::LinalgOp op) {
    if (op.getNumReductionLoops() != 0 && op.hasPureTensorSemantics() &&
        llvm::any_of(op->getResultTypes(), [&](Type type) { return sumTypeFor(op, getElementTypeOrSelf(type)) != Type(); }))
      ops.push_back(op);
  });
  IRRewriter rewriter(module.getContext());
  for (linalg::LinalgOp op : ops) {
    rewriter.setInsertionPoint(op);
    FailureOr<linalg::GenericOp> generic = llvm::isa<linalg::GenericOp>(op)
                                               ? FailureOr(llvm::cast<linalg::GenericOp>(op.getOperation()))
                                               : linalg::generalizeNamedOp(rewriter, op);
    if (failed(generic))
      continue;
    for (unsigned i = 0; i < (*generic)->getNumResults(); ++i)
      if (Type wide = sumTypeFor(*generic, getElementTypeOrSelf((*generic)->getResult(i).getType())))
        if (arith::AddFOp sum = sumOf(*generic, i))
          widenResult(rewriter, *generic, i, sum, wide);
  }
}

} // namespace fuselage

#include "core/codegen/WideIndices.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Index/IR/IndexDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/InferIntRangeInterface.h"

using namespace mlir;

namespace fuselage {
namespace {

/// The numbers that values can be, as far as ops say.
class IndexRanges {
public:
  /// Whether every number that the value can be is the same in 32 bits, read with and without a
  /// sign.
  bool fits(Value value) {
    std::optional<ConstantIntRanges> range = rangeOf(value, 0);
    return range && range->smin().sge(INT32_MIN) && range->smax().sle(INT32_MAX) &&
           (range->smin().isNonNegative() || !isReadUnsigned(value));
  }

private:
  static constexpr unsigned maxDepth = 32;

  static ConstantIntRanges between(int64_t least, int64_t greatest) {
    return ConstantIntRanges::fromSigned(APInt(64, least, true), APInt(64, greatest, true));
  }
  static bool isReadUnsigned(Value value) {
    return llvm::any_of(value.getUsers(), [](Operation *user) {
      auto compare = dyn_cast<arith::CmpIOp>(user);
      return isa<arith::DivUIOp, arith::RemUIOp, arith::CeilDivUIOp, arith::ShRUIOp, arith::MaxUIOp, arith::MinUIOp,
                 arith::IndexCastUIOp>(user) ||
             (compare && compare.getPredicate() > arith::CmpIPredicate::sge);
    });
  }

  std::optional<ConstantIntRanges> rangeOf(Value value, unsigned depth);
  std::optional<ConstantIntRanges> rangeOfLoop(BlockArgument argument);
};

} // namespace

/// An induction variable between constants.
std::optional<ConstantIntRanges> IndexRanges::rangeOfLoop(BlockArgument argument) {
  auto loop = dyn_cast<LoopLikeOpInterface>(argument.getOwner()->getParentOp());
  auto variables = loop ? loop.getLoopInductionVars() : std::nullopt;
  auto lower = loop ? loop.getLoopLowerBounds() : std::nullopt, upper = loop ? loop.getLoopUpperBounds() : std::nullopt;
  if (!variables || !lower || !upper)
    return std::nullopt;
  for (auto [variable, from, to] : llvm::zip(*variables, *lower, *upper)) {
    auto least = getConstantIntValue(from), end = getConstantIntValue(to);
    if (variable == argument && least && end)
      return between(*least, std::max(*least, *end - 1));
  }
  return std::nullopt;
}

std::optional<ConstantIntRanges> IndexRanges::rangeOf(Value value, unsigned depth) {
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)) && constant.getSignificantBits() <= 64)
    return between(constant.getSExtValue(), constant.getSExtValue());
  if (auto argument = dyn_cast<BlockArgument>(value))
    return rangeOfLoop(argument);
  Operation *op = value.getDefiningOp();
  if (auto index = dyn_cast<linalg::IndexOp>(op)) {
    auto structured = dyn_cast<linalg::LinalgOp>(op->getParentOp());
    int64_t size = structured ? structured.getStaticLoopRanges()[index.getDim()] : ShapedType::kDynamic;
    return ShapedType::isDynamic(size) ? std::nullopt : std::optional(between(0, std::max<int64_t>(size - 1, 0)));
  }
  if (auto dim = dyn_cast<tensor::DimOp>(op))
    return between(0, INT32_MAX);
  if (auto cast = dyn_cast<arith::IndexCastOp>(op)) {
    auto integer = dyn_cast<IntegerType>(cast.getIn().getType());
    return integer && integer.getWidth() <= 32 ? std::optional(between(INT32_MIN, INT32_MAX)) : std::nullopt;
  }
  auto inferable = dyn_cast<InferIntRangeInterface>(op);
  if (!inferable || depth == maxDepth || !value.getType().isIndex())
    return std::nullopt;
  SmallVector<ConstantIntRanges> operands;
  for (Value operand : op->getOperands()) {
    auto range = operand.getType().isIndex()      ? rangeOf(operand, depth + 1)
                 : operand.getType().isInteger(1) ? std::optional(ConstantIntRanges::maxRange(1))
                                                  : std::nullopt;
    if (!range)
      return std::nullopt;
    operands.push_back(*range);
  }
  std::optional<ConstantIntRanges> result;
  inferable.inferResultRanges(operands, [&](Value of, const ConstantIntRanges &range) {
    if (of == value)
      result = range;
  });
  return result;
}

bool needsWideIndices(Operation *root) {
  IndexRanges ranges;
  auto holdsIndices = [](Type type) { return isa<ShapedType>(type) && getElementTypeOrSelf(type).isIndex(); };
  auto isOpen = [&](Value value) { return value.getType().isIndex() && !ranges.fits(value); };
  return root
      ->walk([&](Operation *op) {
        bool computes =
            isa_and_nonnull<arith::ArithDialect, math::MathDialect, index::IndexDialect>(op->getDialect()) &&
            op->getNumOperands() > 0;
        bool isAddress = isa<arith::IndexCastOp, arith::IndexCastUIOp>(op) && op->getResult(0).getType().isIndex();
        bool wide =
            llvm::any_of(op->getOperandTypes(), holdsIndices) || llvm::any_of(op->getResultTypes(), holdsIndices) ||
            (computes &&
             (llvm::any_of(op->getOperands(), isOpen) || (!isAddress && llvm::any_of(op->getResults(), isOpen))));
        for (Region &region : op->getRegions())
          wide |= llvm::any_of(region.getArgumentTypes(), holdsIndices);
        return wide ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

TargetOptions withNeededIndices(TargetOptions options, Operation *root) {
  if (options.indexWidth() < 64 && needsWideIndices(root))
    options.indexBits = 64;
  return options;
}

} // namespace fuselage

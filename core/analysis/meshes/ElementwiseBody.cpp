#include "core/analysis/meshes/ElementwiseBody.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace fuselage {

std::string whyNotElementwise(linalg::LinalgOp op) {
  if (!op.hasPureTensorSemantics() || op.getNumDpsInits() != 1 || op->getNumResults() != 1)
    return "it does not compute one tensor";
  if (op.getNumParallelLoops() != op.getNumLoops())
    return "it has reduction loops";
  if (!op.getMatchingIndexingMap(op.getDpsInitOperand(0)).isPermutation())
    return "it does not write its result through a permutation of its loops";
  if (op.payloadUsesValueFromOperand(op.getDpsInitOperand(0)))
    return "it reads what its result is written over";
  llvm::SetVector<Value> captured;
  getUsedValuesDefinedAbove(op->getRegions(), captured);
  if (llvm::any_of(captured, [](Value value) { return !matchPattern(value, m_Constant()); }))
    return "its body reads values from outside";
  for (Operation &each : op.getBlock()->without_terminator()) {
    if (isa<linalg::IndexOp>(each))
      return "its body reads where it is (linalg.index)";
    if (each.getNumRegions() != 0 || !isMemoryEffectFree(&each))
      return "its body is not plain arithmetic";
  }
  return {};
}

namespace {

/// How a value of the body depends on what is moved.
enum class Part {
  Fixed,  ///< not at all
  Moved,  ///< as the class wants: linearly, or rising
  Neither ///< otherwise
};

/// Walks a body once, and says what its result is.
class BodyWalk {
public:
  BodyWalk(linalg::LinalgOp op, ArrayRef<unsigned> moved) : op_(op) {
    for (const auto &[number, argument] : llvm::enumerate(op.getBlock()->getArguments()))
      parts_[argument] = llvm::is_contained(moved, number) ? Part::Moved : Part::Fixed;
  }
  virtual ~BodyWalk() = default;

  BodyClass run() {
    for (Operation &each : op_.getBlock()->without_terminator()) {
      bool isFixed = llvm::all_of(each.getOperands(), [&](Value value) { return partOf(value) == Part::Fixed; });
      bool isLost = llvm::any_of(each.getOperands(), [&](Value value) { return partOf(value) == Part::Neither; });
      Part part = isFixed ? Part::Fixed : isLost ? Part::Neither : classify(&each);
      if (part == Part::Neither && result_.why.empty())
        result_.why = each.getName().getStringRef().str() + " is in the way";
      for (Value value : each.getResults())
        parts_[value] = part;
    }
    Part part = partOf(op_.getBlock()->getTerminator()->getOperand(0));
    result_.holds = part == Part::Moved;
    if (part == Part::Fixed)
      result_.why = "its result does not depend on the value";
    return result_;
  }

protected:
  /// What an op makes of operands of which some are moved and none is lost.
  virtual Part classify(Operation *op) = 0;

  Part partOf(Value value) const {
    auto found = parts_.find(value);
    return found == parts_.end() ? Part::Fixed : found->second;
  }
  bool isMoved(Value value) const { return partOf(value) == Part::Moved; }

  /// A constant of the body, or an input that is one number everywhere.
  std::optional<APFloat> constantOf(Value value) {
    FloatAttr number;
    if (matchPattern(value, m_Constant(&number)))
      return number.getValue();
    auto argument = dyn_cast<BlockArgument>(value);
    DenseElementsAttr elements;
    if (!argument || argument.getOwner() != op_.getBlock() ||
        !matchPattern(op_->getOperand(argument.getArgNumber()), m_Constant(&elements)))
      return std::nullopt;
    bool isNumber = elements.isSplat() && isa<FloatType>(elements.getElementType());
    return isNumber ? std::optional(elements.getSplatValue<APFloat>()) : std::nullopt;
  }

  void round() { result_.isExact = false; }

  linalg::LinalgOp op_;
  BodyClass result_{};

private:
  llvm::DenseMap<Value, Part> parts_;
};

/// Whether scaling by it changes the exponent alone.
bool isPowerOfTwo(const std::optional<APFloat> &factor) {
  return factor && factor->isFiniteNonZero() && factor->getExactLog2Abs() != INT_MIN;
}

class LinearWalk : public BodyWalk {
public:
  using BodyWalk::BodyWalk;

private:
  Part classify(Operation *op) override {
    bool isFloat = op->getNumResults() == 1 && isa<FloatType>(op->getResult(0).getType());
    if (isa<arith::NegFOp>(op))
      return Part::Moved;
    if (isa<arith::AddFOp, arith::SubFOp, arith::AddIOp, arith::SubIOp>(op)) {
      if (isFloat)
        round();
      return isMoved(op->getOperand(0)) && isMoved(op->getOperand(1)) ? Part::Moved : Part::Neither;
    }
    if (isa<arith::MulFOp, arith::MulIOp>(op)) {
      bool isProduct = isMoved(op->getOperand(0)) && isMoved(op->getOperand(1));
      if (isFloat && !isPowerOfTwo(constantOf(op->getOperand(isMoved(op->getOperand(0)) ? 1 : 0))))
        round();
      return isProduct ? Part::Neither : Part::Moved;
    }
    if (isa<arith::DivFOp>(op) && !isMoved(op->getOperand(1))) {
      if (!isPowerOfTwo(constantOf(op->getOperand(1))))
        round();
      return Part::Moved;
    }
    return Part::Neither;
  }
};

class RisingWalk : public BodyWalk {
public:
  using BodyWalk::BodyWalk;

private:
  Part classify(Operation *op) override {
    if (isa<arith::AddFOp, arith::MaximumFOp, arith::MinimumFOp, arith::MaxNumFOp, arith::MinNumFOp>(op))
      return Part::Moved;
    if (isa<arith::SubFOp>(op))
      return isMoved(op->getOperand(1)) ? Part::Neither : Part::Moved;
    if (isa<arith::MulFOp>(op)) {
      bool isFirst = isMoved(op->getOperand(0));
      return isFirst && isMoved(op->getOperand(1)) ? Part::Neither : positive(op->getOperand(isFirst ? 1 : 0));
    }
    if (isa<arith::DivFOp>(op))
      return isMoved(op->getOperand(1)) ? Part::Neither : positive(op->getOperand(1));
    return Part::Neither;
  }

  Part positive(Value factor) {
    std::optional<APFloat> number = constantOf(factor);
    return number && number->isFiniteNonZero() && !number->isNegative() ? Part::Moved : Part::Neither;
  }
};

} // namespace

BodyClass linearIn(linalg::LinalgOp op, ArrayRef<unsigned> moved) { return LinearWalk(op, moved).run(); }

BodyClass risingIn(linalg::LinalgOp op, ArrayRef<unsigned> moved) {
  if (moved.size() != 1)
    return {.why = "several values would be moved"};
  if (!isa<FloatType>(op.getBlock()->getArgument(moved.front()).getType()))
    return {.why = "it is not of floats"};
  return RisingWalk(op, moved).run();
}

} // namespace fuselage

#include "core/run/values/SignDemands.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/SetVector.h"
#include <cmath>

using namespace mlir;

namespace fuselage {

/// The number, or the number that all elements are.
static std::optional<double> numberOf(Value value) {
  APFloat number(0.0);
  if (matchPattern(value, m_ConstantFloat(&number)))
    return number.convertToDouble();
  DenseFPElementsAttr elements;
  if (matchPattern(value, m_Constant(&elements)) && elements.isSplat())
    return elements.getSplatValue<APFloat>().convertToDouble();
  return std::nullopt;
}

bool isWholePower(Value power) {
  std::optional<double> number = numberOf(power);
  return number && std::trunc(*number) == *number;
}

namespace {

/// What one value needs to be positive.
class Demand {
public:
  /// True if `value` is positive once `arguments()` are.
  bool meet(Value value);
  ArrayRef<BlockArgument> arguments() const { return arguments_.getArrayRef(); }

private:
  bool meetAll(ValueRange values) {
    return llvm::all_of(values, [&](Value value) { return meet(value); });
  }
  bool meetArgument(BlockArgument argument);
  bool meetStructured(linalg::LinalgOp op, OpResult result);
  bool meetScalar(Operation *op);

  static constexpr size_t maxArguments = 4, maxValues = 200; // beyond that it is a whole network's output
  llvm::SmallSetVector<BlockArgument, 4> arguments_;
  llvm::DenseSet<Value> seen_;
};

bool Demand::meet(Value value) {
  if (!isa<FloatType>(getElementTypeOrSelf(value.getType())) || seen_.size() > maxValues)
    return false;
  if (!seen_.insert(value).second)
    return true;
  if (std::optional<double> number = numberOf(value))
    return *number >= 0 || std::isinf(*number); // -inf: what a maximum starts with
  if (auto argument = dyn_cast<BlockArgument>(value))
    return meetArgument(argument);
  Operation *op = value.getDefiningOp();
  if (auto structured = dyn_cast<linalg::LinalgOp>(op))
    return meetStructured(structured, cast<OpResult>(value));
  if (isa<tensor::CastOp, tensor::ExpandShapeOp, tensor::CollapseShapeOp, tensor::ExtractSliceOp, tensor::ExtractOp>(
          op))
    return meet(op->getOperand(0));
  if (auto insert = dyn_cast<tensor::InsertSliceOp>(op))
    return meet(insert.getSource()) && meet(insert.getDest());
  if (auto concat = dyn_cast<tensor::ConcatOp>(op))
    return meetAll(concat.getInputs());
  return isa<tensor::EmptyOp, linalg::SoftmaxOp>(op) || meetScalar(op);
}

bool Demand::meetArgument(BlockArgument argument) {
  Operation *owner = argument.getOwner()->getParentOp();
  if (auto structured = dyn_cast<linalg::LinalgOp>(owner))
    return meet(structured.getMatchingOpOperand(argument)->get());
  if (!isa<func::FuncOp>(owner))
    return false;
  arguments_.insert(argument);
  return arguments_.size() <= maxArguments;
}

bool Demand::meetStructured(linalg::LinalgOp op, OpResult result) {
  return meet(op.getBlock()->getTerminator()->getOperand(result.getResultNumber()));
}

bool Demand::meetScalar(Operation *op) {
  if (isa<math::ExpOp, math::Exp2Op, math::AbsFOp, math::SqrtOp, math::RsqrtOp, math::CoshOp>(op))
    return true; // a root's own operand is met by itself
  if (isa<arith::MulFOp>(op) && op->getOperand(0) == op->getOperand(1))
    return true;
  if (isa<arith::MaximumFOp, arith::MaxNumFOp>(op))
    for (Value operand : op->getOperands())
      if (std::optional<double> number = numberOf(operand); number && *number > 0)
        return true;
  if (auto power = dyn_cast<math::PowFOp>(op)) {
    std::optional<double> number = numberOf(power.getRhs());
    return (number && std::fmod(*number, 2) == 0) || meet(power.getLhs());
  }
  if (auto select = dyn_cast<arith::SelectOp>(op))
    return meet(select.getTrueValue()) && meet(select.getFalseValue());
  return isa<arith::AddFOp, arith::MulFOp, arith::DivFOp, arith::MaximumFOp, arith::MaxNumFOp, arith::MinimumFOp,
             arith::MinNumFOp, arith::ExtFOp, arith::TruncFOp, math::FmaOp, math::Log1pOp>(op) &&
         meetAll(op->getOperands());
}

/// True if `op` has no value, or none that can be compared, for a negative first operand.
bool wantsPositive(Operation *op) {
  if (auto power = dyn_cast<math::PowFOp>(op))
    return !isWholePower(power.getRhs());
  return isa<math::SqrtOp, math::RsqrtOp, math::LogOp, math::Log2Op, math::Log10Op>(op);
}

} // namespace

llvm::DenseMap<BlockArgument, Operation *> signDemandsOf(func::FuncOp function) {
  llvm::DenseMap<BlockArgument, Operation *> demands;
  function.walk([&](Operation *op) {
    Demand demand;
    if (wantsPositive(op) && demand.meet(op->getOperand(0)))
      for (BlockArgument argument : demand.arguments())
        demands.try_emplace(argument, op);
  });
  return demands;
}

} // namespace fuselage

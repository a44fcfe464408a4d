#include "core/transforms/unlock/ReshapePropagation.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"

using namespace mlir;

namespace fuselage {

bool isUnitReshape(Operation *reshape) {
  auto source = cast<RankedTensorType>(reshape->getOperand(0).getType());
  auto result = cast<RankedTensorType>(reshape->getResult(0).getType());
  auto withoutUnits = [](RankedTensorType type) {
    return llvm::filter_to_vector(type.getShape(), [](int64_t size) { return size != 1; });
  };
  return withoutUnits(source) == withoutUnits(result);
}

static bool isReshape(Operation *op) { return isa_and_nonnull<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op); }

/// Whether the reshape is in the way of something: ops on tensors on both sides. Reshapes at the
/// function's arguments and results are free views.
static bool standsBetween(Operation *reshape) {
  Operation *producer = reshape->getOperand(0).getDefiningOp();
  if (!producer || !(isComputeOp(producer) || isReshape(producer)))
    return false;
  return llvm::any_of(reshape->getUsers(), [](Operation *user) { return isComputeOp(user) || isReshape(user); });
}

static bool moves(Operation *reshape, ReshapeDirection direction, ReshapeMethod method) {
  bool goesUp = direction == ReshapeDirection::Up;
  bool addsLoops = method == ReshapeMethod::MoreLoops;
  return goesUp == addsLoops ? isa<tensor::ExpandShapeOp>(reshape) : isa<tensor::CollapseShapeOp>(reshape);
}

/// The stock patterns for fewer loops know linalg.generic only.
static void generalizeAround(FunctionOpInterface function, ReshapeDirection direction, ReshapeMethod method) {
  bool isWanted = false;
  function->walk([&](Operation *op) {
    isWanted |= isReshape(op) && isOutsideDispatch(op) && moves(op, direction, method) && standsBetween(op);
  });
  if (!isWanted)
    return;
  IRRewriter rewriter(function.getContext());
  for (linalg::LinalgOp op : linalgOpsOutsideDispatches(function))
    if (!isa<linalg::GenericOp, linalg::FillOp>(op.getOperation()) && !linalg::isaConvolutionOpInterface(op))
      (void)toGeneric(rewriter, op);
}

bool propagateReshapes(FunctionOpInterface function, ReshapeDirection direction, ReshapeMethod method,
                       llvm::function_ref<bool(Operation *, linalg::LinalgOp)> only) {
  bool moved = false;
  if (method == ReshapeMethod::FewerLoops)
    generalizeAround(function, direction, method);
  // Up: the operand is a reshape's, its producer the linalg op. Down: the other way round.
  auto control = [&](OpOperand *operand) {
    Operation *producer = operand->get().getDefiningOp(), *consumer = operand->getOwner();
    if (!producer)
      return false;
    Operation *reshape = direction == ReshapeDirection::Up ? consumer : producer;
    auto other = dyn_cast<linalg::LinalgOp>(direction == ReshapeDirection::Up ? producer : consumer);
    if (!other || !isReshape(reshape) || !moves(reshape, direction, method) || !isOutsideDispatch(reshape) ||
        !isOutsideDispatch(other) || isUnitReshape(reshape) || !standsBetween(reshape) ||
        linalg::isaConvolutionOpInterface(other) || (only && !only(reshape, other)))
      return false;
    moved = true;
    return true;
  };
  MLIRContext *context = function.getContext();
  RewritePatternSet patterns(context);
  if (method == ReshapeMethod::MoreLoops)
    linalg::populateFoldReshapeOpsByExpansionPatterns(patterns, control);
  else
    linalg::populateFoldReshapeOpsByCollapsingPatterns(patterns, control);
  linalg::FillOp::getCanonicalizationPatterns(patterns, context);
  tensor::ExpandShapeOp::getCanonicalizationPatterns(patterns, context);
  tensor::CollapseShapeOp::getCanonicalizationPatterns(patterns, context);
  tensor::populateFoldTensorEmptyPatterns(patterns);
  auto isOnTheWay = [](Operation *op) { return isReshape(op) || isa<linalg::LinalgOp, tensor::EmptyOp>(op); };
  applyPatternsTo(readOpsOutsideDispatches(function, isOnTheWay), std::move(patterns));
  return moved;
}

/// Why a reshape cannot pass the op.
static StringRef whyStuckAt(linalg::LinalgOp op, ReshapeMethod method) {
  if (linalg::isaConvolutionOpInterface(op))
    return "the loops of a convolution cannot be split or merged";
  if (!llvm::all_of(op.getIndexingMapsArray(), [](AffineMap map) { return map.isProjectedPermutation(); }))
    return "it reads or writes through maps that are no projected permutations; run "
           "fuselage-fold-unit-dims first";
  if (op.hasDynamicShape())
    return "its sizes are dynamic";
  if (method == ReshapeMethod::FewerLoops)
    return "its operands do not keep the merged loops side by side";
  return "its operands cannot be reshaped alike";
}

void explainStuckReshapes(FunctionOpInterface function, ReshapeDirection direction, ReshapeMethod method) {
  function->walk([&](Operation *reshape) {
    if (!isReshape(reshape) || !isOutsideDispatch(reshape) || !moves(reshape, direction, method) ||
        !standsBetween(reshape) || llvm::none_of(reshape->getUsers(), isComputeOp))
      return;
    SmallVector<Operation *> neighbours(reshape->getUsers());
    if (direction == ReshapeDirection::Up)
      neighbours = {reshape->getOperand(0).getDefiningOp()};
    for (Operation *neighbour : neighbours) {
      auto op = dyn_cast<linalg::LinalgOp>(neighbour);
      if (!op)
        continue;
      InFlightDiagnostic remark = reshape->emitRemark("stays where it is: ");
      if (isUnitReshape(reshape))
        remark << "it only adds or drops unit dimensions; run fuselage-fold-unit-dims";
      else
        remark << op->getName().getStringRef() << " is in the way, " << whyStuckAt(op, method);
      return;
    }
  });
}

} // namespace fuselage

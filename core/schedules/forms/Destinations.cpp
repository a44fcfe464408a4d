#include "core/schedules/forms/Destinations.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace fuselage {

using namespace mlir;

/// Ops that show the same elements under another type.
static bool isReshape(Operation *op) {
  return isa<tensor::CastOp, tensor::ExpandShapeOp, tensor::CollapseShapeOp, tensor::ReshapeOp>(op);
}

bool isDestination(Value value) {
  if (!isa<TensorType>(value.getType()))
    return true;
  Operation *op = value.getDefiningOp();
  while (op && isReshape(op)) {
    value = op->getOperand(0);
    op = value.getDefiningOp();
  }
  return !op ||
         isa<tensor::EmptyOp, tensor::ExtractSliceOp, bufferization::AllocTensorOp, bufferization::ToTensorOp>(op) ||
         isa<DestinationStyleOpInterface, LoopLikeOpInterface>(op);
}

bool makesItsOwnTensor(Operation *op) {
  if (llvm::none_of(op->getResultTypes(), llvm::IsaPred<RankedTensorType>) || !op->isRegistered())
    return false;
  if (isReshape(op) || isDestination(op->getResult(0)) || op->hasTrait<OpTrait::ConstantLike>())
    return false;
  // What these give was made by an op inside of them, or elsewhere.
  if (isa<RegionBranchOpInterface, CallOpInterface>(op) || isa<bufferization::BufferizationDialect>(op->getDialect()))
    return false;
  return isMemoryEffectFree(op);
}

} // namespace fuselage

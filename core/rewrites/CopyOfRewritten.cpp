#include "core/rewrites/CopyOfRewritten.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/DenseMap.h"

namespace fuselage {

/// The op of a function's body, or of another region right in a symbol, that `op` is in.
static mlir::Operation *placeForStandIn(mlir::Operation *op) {
  while (op->getParentOp() && op->getParentOp()->getParentOp() &&
         !op->getParentOp()->hasTrait<mlir::OpTrait::IsIsolatedFromAbove>())
    op = op->getParentOp();
  return op;
}

mlir::OwningOpRef<mlir::ModuleOp> copyOfRewritten(mlir::ModuleOp module) {
  mlir::OwningOpRef<mlir::ModuleOp> copy(module.clone());
  llvm::DenseMap<std::pair<mlir::Operation *, mlir::Value>, mlir::Value> standIns;
  copy->walk([&](mlir::Operation *op) {
    for (mlir::BlockOperand &successor : op->getBlockOperands())
      if (mlir::Operation *owner = successor.get()->getParentOp(); !owner || !copy->getOperation()->isAncestor(owner))
        successor.set(op->getBlock()); // no better one is known
    for (mlir::OpOperand &operand : op->getOpOperands()) {
      if (!operand.get())
        continue;
      mlir::Block *block = operand.get().getParentBlock();
      if (block && block == op->getBlock()) // as of most
        continue;
      mlir::Operation *owner = block ? block->getParentOp() : nullptr;
      if (owner && copy->getOperation()->isAncestor(owner))
        continue;
      mlir::Operation *place = placeForStandIn(op);
      mlir::Value &standIn = standIns[{place->getParentOp(), operand.get()}];
      if (!standIn) {
        mlir::OpBuilder builder(&place->getParentRegion()->front(), place->getParentRegion()->front().begin());
        standIn =
            mlir::UnrealizedConversionCastOp::create(builder, op->getLoc(), operand.get().getType(), mlir::ValueRange())
                .getResult(0);
      }
      operand.set(standIn);
    }
  });
  return copy;
}

} // namespace fuselage

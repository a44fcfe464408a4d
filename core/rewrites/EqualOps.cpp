#include "core/rewrites/EqualOps.h"
#include "mlir/IR/Operation.h"

namespace fuselage {

bool hasEqual(mlir::Operation *op) {
  constexpr unsigned limit = 1000; // of ops that are looked at
  unsigned looked = 0;
  auto isEqual = [&](mlir::Operation *other) {
    return other != op &&
           mlir::OperationEquivalence::isEquivalentTo(op, other, mlir::OperationEquivalence::Flags::IgnoreLocations);
  };
  if (op->getNumOperands() > 0) {
    for (mlir::Operation *user : op->getOperand(0).getUsers())
      if (++looked > limit || isEqual(user))
        return looked <= limit;
    return false;
  }
  for (mlir::Block *block = op->getBlock(); block;
       block = block->getParentOp() ? block->getParentOp()->getBlock() : nullptr)
    for (mlir::Operation &other : *block)
      if (++looked > limit || isEqual(&other))
        return looked <= limit;
  return false;
}

} // namespace fuselage

// The loop that makes a nest of the loop around it.
#pragma once
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Block.h"
#include "llvm/ADT/STLExtras.h"

namespace fuselage {

/// The only op of that kind in the block; null if there are none or several.
template <class Loop> Loop onlyIn(mlir::Block &block) {
  auto loops = block.getOps<Loop>();
  return llvm::hasSingleElement(loops) ? *loops.begin() : Loop();
}

/// The only scf.for or scf.forall in the block; null if there are none or several.
inline mlir::Operation *onlyLoopIn(mlir::Block &block) {
  mlir::Operation *found = nullptr;
  for (mlir::Operation &op : block) {
    if (!llvm::isa<mlir::scf::ForOp, mlir::scf::ForallOp>(op))
      continue;
    if (found)
      return nullptr;
    found = &op;
  }
  return found;
}

} // namespace fuselage

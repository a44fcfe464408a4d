// Ops that are looked for before any of them is changed.
#pragma once
#include "mlir/IR/Operation.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace fuselage {

/// The ops below `root`, and itself, that are wanted, in the order of a walk.
inline llvm::SmallVector<mlir::Operation *> collectOps(mlir::Operation *root,
                                                       llvm::function_ref<bool(mlir::Operation *)> wanted) {
  llvm::SmallVector<mlir::Operation *> ops;
  root->walk([&](mlir::Operation *op) {
    if (wanted(op))
      ops.push_back(op);
  });
  return ops;
}

} // namespace fuselage

// Numbers for the ops of a module that is being rewritten. Internal to core/rewrites.
#pragma once
#include "core/rewrites/Rewrites.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"

namespace fuselage {

/// The name of a function, module or other symbol with a body; null: it is none.
mlir::StringAttr symbolOf(mlir::Operation *op);

/// Fills RewriteLog::ops and functions: an op keeps its number however it moves, until it is destroyed.
class OpNumbers {
public:
  /// Numbers what is in `root` in pre-order, as OpIds do.
  OpNumbers(RewriteLog &log, mlir::Operation *root);
  /// Gives a number to an op that is met for the first time.
  unsigned of(mlir::Operation *op);
  void forget(mlir::Operation *op) { numbers_.erase(op); }
  bool isKnown(mlir::Operation *op) const;
  /// The innermost function or other symbol around an op, or the op itself, as an index in RewriteLog::functions.
  unsigned functionOf(mlir::Operation *op);
  /// Fills RewriteOp::after from the `root` of after the step.
  void finish(mlir::Operation *root);

private:
  unsigned add(mlir::Operation *op, int64_t before, unsigned function);
  unsigned numberOfFunction(mlir::Operation *symbol);
  void addTree(mlir::Operation *op, unsigned function);

  RewriteLog &log_;
  llvm::DenseMap<mlir::Operation *, unsigned> numbers_;
  llvm::StringMap<unsigned> functions_;
};

} // namespace fuselage

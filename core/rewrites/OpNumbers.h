// Numbers for the ops of a module that is being rewritten. Internal to core/rewrites.
#pragma once
#include "core/rewrites/Rewrites.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"

namespace fuselage {

/// The name of a function, module or other symbol with a body; null: it is none.
mlir::StringAttr symbolOf(mlir::Operation *op);

/// Fills RewriteLog::ops and functions: an op keeps its number however it moves, until it is destroyed.
class OpNumbers {
public:
  /// Numbers what is in `root` in pre-order, as OpIds do.
  /// `functions`: those that the ops belong to, in the same order; empty: where they are now.
  OpNumbers(RewriteLog &log, mlir::Operation *root, llvm::ArrayRef<mlir::StringAttr> functions = {});
  /// Gives a number to an op that is met for the first time.
  unsigned of(mlir::Operation *op) { return met(op).first; }
  /// The same, and whether it was met for the first time.
  std::pair<unsigned, bool> met(mlir::Operation *op);
  void forget(mlir::Operation *op) {
    numbers_.erase(op);
    if (op == lastFunctionOp_)
      forgetFunction();
  }
  /// Functions may have other names from now on.
  void forgetFunction() { lastFunctionOp_ = nullptr; }
  /// The number that an op has; nullopt: it was not met yet.
  std::optional<unsigned> known(mlir::Operation *op) const;
  /// The innermost function or other symbol around an op, or the op itself, as an index in RewriteLog::functions.
  unsigned functionOf(mlir::Operation *op);
  /// RewriteOp::function of each op in `root`, in pre-order, by its name; null: none. An op stays with the function
  /// where it was met first.
  std::vector<mlir::StringAttr> functionsIn(mlir::Operation *root);
  /// Fills RewriteOp::after from the `root` of after the step.
  void finish(mlir::Operation *root);

private:
  /// symbolOf() of an op, most of whose kind are none.
  mlir::StringAttr nameOf(mlir::Operation *op);
  unsigned add(mlir::Operation *op, int64_t before, unsigned function);
  void reserveFor(mlir::Operation *root);
  unsigned numberOfFunction(mlir::StringAttr name);
  void addTree(mlir::Operation *op, unsigned function);
  void addTree(mlir::Operation *op, llvm::ArrayRef<mlir::StringAttr> functions);

  RewriteLog &log_;
  mlir::StringAttr symbolName_;
  mlir::DictionaryAttr noAttributes_;
  llvm::DenseMap<mlir::Operation *, unsigned> numbers_;
  llvm::DenseMap<mlir::Attribute, unsigned> functions_;  ///< by their names
  llvm::DenseMap<mlir::OperationName, bool> canBeNamed_; ///< by attributes of their own
  std::vector<mlir::StringAttr> names_;                  ///< by RewriteOp::function
  mlir::Operation *lastFunctionOp_ = nullptr;            ///< that functionOf() found last
  unsigned lastFunction_ = 0;
};

} // namespace fuselage

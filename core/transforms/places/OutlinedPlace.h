// Ops around one edge in a function of their own, for passes to work on them alone.
#pragma once
#include "core/support/Error.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/IR/PatternMatch.h"

namespace fuselage {

/// A copy of ops as the only function of a module. What they read from outside is its arguments, what is read of them
/// outside its results; what isRepeated() is copied, too.
class OutlinedPlace {
public:
  /// `ops`: those of a block that findPlace() found. They must not change until putBack().
  explicit OutlinedPlace(llvm::ArrayRef<mlir::Operation *> ops);

  mlir::ModuleOp module() const { return module_.get(); }
  /// The copy of one of the ops, or of an op in them.
  mlir::Operation *copyOf(mlir::Operation *op) const { return copies_.lookupOrNull(op); }

  /// Runs passes, separated by commas, on the function. Failure: they do not parse, one of them fails, or they change
  /// more than the function's body; the place is of no use any more.
  llvm::Error run(llvm::StringRef passes);
  /// Puts what the function computes in the place of the ops. Ops that read them before the last of them move after it.
  void putBack(mlir::RewriterBase &rewriter);

private:
  mlir::Value inside(mlir::OpBuilder &builder, mlir::Value value);
  mlir::func::FuncOp function() const;
  void moveReadersAfter();
  mlir::Operation *sharedWith(mlir::Operation *copy) const;

  llvm::SmallVector<mlir::Operation *> ops_, repeated_; ///< `repeated_`: outside, with copies in the function
  llvm::SmallVector<mlir::Value> arguments_, results_;  ///< outside
  mlir::OwningOpRef<mlir::ModuleOp> module_;
  mlir::IRMapping copies_; ///< from outside to the function, as it was made
};

/// Runs passes, separated by commas, on the ops that findPlace() finds around an edge. Failure: findPlace(), or run();
/// then nothing has changed.
llvm::Error fuseAt(mlir::Operation *from, mlir::Operation *to, unsigned reach, llvm::StringRef passes);

} // namespace fuselage

// A module whose dynamic sizes are given, and which of its ops is which of the original's.
#pragma once
#include "core/run/DefaultSizes.h"
#include "core/support/Error.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/DenseMap.h"
#include <memory>

namespace fuselage {

/// The original outlives it.
class SizedModule {
public:
  /// Of the function around `op`. Sizes of other functions and dimensions are passed over, and what is missing is
  /// chosen as a run chooses it. Null: nothing is dynamic there. Failure: as of specialize(), or no size can be chosen.
  static llvm::Expected<std::shared_ptr<SizedModule>> around(mlir::Operation *op, const ArgumentSizes &given);

  /// By place and name, and by their order among those of one place; null: it is gone, such as by folding.
  mlir::Operation *copyOf(mlir::Operation *original) const { return copies_.lookup(original); }
  mlir::Operation *originalOf(mlir::Operation *copy) const { return originals_.lookup(copy); }
  /// A value of the copy in the original; null: it has none.
  mlir::Value originalOf(mlir::Value value) const;
  /// Those that were used.
  const ArgumentSizes &sizes() const { return sizes_; }

private:
  void match(mlir::func::FuncOp original, mlir::func::FuncOp copy);

  mlir::OwningOpRef<mlir::ModuleOp> module_;
  llvm::DenseMap<mlir::Operation *, mlir::Operation *> copies_, originals_;
  ArgumentSizes sizes_;
};

} // namespace fuselage

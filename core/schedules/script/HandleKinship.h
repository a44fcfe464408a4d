// Which handles of a script hold the same ops, or ops inside of each other's, as far as the script tells.
#pragma once
#include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"

namespace fuselage {

/// Grows op by op. What it says may be: an empty handle is kin to none.
class HandleKinship {
public:
  /// `op` has run: how its results relate to its operands.
  void define(mlir::Operation *op);
  /// `part` holds some of the ops that `whole` holds.
  void addPart(mlir::Value part, mlir::Value whole);
  /// Every other handle that may hold an op that is one of the handle's, or inside of one.
  llvm::SmallVector<mlir::Value> inside(mlir::Value handle) const;

private:
  /// `inner` holds ops, or values of ops, inside of those of `outer`.
  void addInside(mlir::Value inner, mlir::Value outer);
  void linkEqualMatch(mlir::Operation *match);

  struct Kin {
    llvm::SmallSetVector<mlir::Value, 2> parts, wholes, inner, outer;
  };
  void follow(llvm::SetVector<mlir::Value> &reached,
              llvm::ArrayRef<llvm::SmallSetVector<mlir::Value, 2> Kin::*> ways) const;

  llvm::DenseMap<mlir::Value, Kin> kin_;
  llvm::DenseMap<std::pair<mlir::Value, mlir::Attribute>, mlir::Value> matches_; ///< the last of its kind
};

} // namespace fuselage

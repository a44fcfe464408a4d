// Dynamic dimensions whose sizes the user gave.
#pragma once
#include "core/ir/ops/ArgumentSizes.h"
#include "core/support/Error.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"
#include "llvm/ADT/DenseMap.h"
#include <optional>

namespace fuselage {

class KnownSizes {
public:
  /// Nothing is known.
  KnownSizes() = default;
  /// `given`: "arg0.1" -> 128, of the arguments of `function` (the first public one with a body where it is empty), on
  /// tensors or memrefs. What follows from them for the functions that it calls is known, too, where all its calls
  /// agree and nothing is recursive. Sizes that `function` has no dynamic dimension for are passed over.
  KnownSizes(mlir::ModuleOp module, llvm::StringRef function, const ArgumentSizes &given);

  /// An index, or a dimension of a shaped value, where it follows from the sizes that were given
  /// (ValueBoundsConstraintSet, exact bounds only).
  std::optional<int64_t> of(mlir::ValueBoundsConstraintSet::Variable size) const;

  /// Those that `function` has a dimension for.
  const ArgumentSizes &given() const { return given_; }

private:
  using Dimension = std::pair<mlir::Value, int64_t>;
  void follow(mlir::ModuleOp module);

  llvm::DenseMap<Dimension, int64_t> sizes_; ///< of arguments of functions
  ArgumentSizes given_;
};

/// Failure: `function` has no dynamic dimension of one of the names; tells which it has.
llvm::Error checkSizes(mlir::ModuleOp module, llvm::StringRef function, const ArgumentSizes &given);

} // namespace fuselage

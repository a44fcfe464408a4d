// Which offsets and sizes are the same number, without merging the ops that compute them.
#pragma once
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include <unordered_map>

namespace fuselage {

/// Value numbering of affine.apply, min and max, constants and tensor.dim: tiling writes them anew
/// for each slice. Values must outlive it.
class IndexValueNumbering {
public:
  /// The first value seen that is computed as `value` is.
  mlir::Value representative(mlir::Value value);
  /// True if both are the same number.
  bool isEqual(mlir::OpFoldResult a, mlir::OpFoldResult b);
  bool isEqual(llvm::ArrayRef<mlir::OpFoldResult> a, llvm::ArrayRef<mlir::OpFoldResult> b);
  /// Constants as index attributes, values as their representatives.
  mlir::OpFoldResult unified(mlir::OpFoldResult index);
  /// Two words that are equal if isEqual.
  std::pair<uint64_t, uint64_t> key(mlir::OpFoldResult index);

private:
  llvm::DenseMap<mlir::Value, mlir::Value> known_;
  std::unordered_map<size_t, llvm::SmallVector<mlir::Value, 1>> byHash_;
};

} // namespace fuselage

// What is known of offsets and sizes without running the program.
#pragma once
#include "mlir/IR/Builders.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/Value.h"
#include <cstdint>
#include <optional>
#include <string>

namespace fuselage {

/// The largest number that `index` is known to be a multiple of: 0 for the constant 0, which is a
/// multiple of everything, at least 1 for all others. Sees through induction variables,
/// affine.apply, min and max, and sums and products.
int64_t knownDivisor(mlir::OpFoldResult index);

/// `index` without divisions that are known to be exact and undone again, as in (d0 floordiv 8) * 8
/// of a multiple of 8: what a tile after two reshapes begins at is where it began.
mlir::OpFoldResult foldExactDivisions(mlir::OpBuilder &b, mlir::Location loc, mlir::OpFoldResult index);

/// The largest value that `index` can have.
std::optional<int64_t> knownMaximum(mlir::OpFoldResult index);

/// True if offset and size take all of dimension `dim` of `tensor`, as far as that is known.
bool coversDim(mlir::OpFoldResult offset, mlir::OpFoldResult size, mlir::Value tensor, int64_t dim);

/// `strides` of a slice of `sizes`, 1 where the size is 1 and a stride says nothing. A view that drops
/// dimensions has to tell the one that it keeps by its strides: MLIR crashes on one that has another
/// stride than its source (memref::SubViewOp::getDroppedDims).
llvm::SmallVector<mlir::OpFoldResult> neededStrides(mlir::Builder &b, llvm::ArrayRef<mlir::OpFoldResult> sizes,
                                                    llvm::ArrayRef<mlir::OpFoldResult> strides);

/// "16", or "at most 16", "a multiple of 4", "an unknown size".
std::string describeIndex(mlir::OpFoldResult index);

} // namespace fuselage

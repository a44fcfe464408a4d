// Stores results from registers: neighbours in pairs, and from overlapping tiles only the elements that a workgroup
// owns.
#pragma once
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <optional>

namespace fuselage {

/// A copy of a tile, without some of its first rows, columns and so on, to a larger buffer.
struct PartialStore {
  mlir::linalg::LinalgOp copy;
  mlir::memref::SubViewOp from, to;
};

/// Returns `copy` as a partial store; nullopt if it is another op, or copies another part of its tile.
std::optional<PartialStore> partialStoreOf(mlir::linalg::LinalgOp copy);

/// Returns the partial store after `last` that copies its result, if the result has no other users but those that are
/// `isDone`; else nullopt. Moves the index computations of the store before `at`.
std::optional<PartialStore> takePartialStore(mlir::RewriterBase &rewriter, mlir::linalg::LinalgOp last,
                                             mlir::Operation *at, llvm::function_ref<bool(mlir::Operation *)> isDone);

/// Emits a view of the elements in the larger buffer that correspond to the whole tile.
mlir::Value viewUnderTile(mlir::RewriterBase &rewriter, const PartialStore &store);

/// Stores the results of `last` at `points` to `view` (see viewUnderTile), but not the first ones, which the copy
/// leaves out. `width`: this many successive points are neighbours along the innermost dimension, the first at a
/// multiple of it.
void storePartly(mlir::RewriterBase &rewriter, const PartialStore &store, mlir::Value view, mlir::linalg::LinalgOp last,
                 llvm::ArrayRef<llvm::SmallVector<mlir::Value>> points, mlir::ValueRange values, int64_t width);

/// Returns `count` if parallel loop number `loop` is the innermost dimension of the result of `last`, else 1.
int64_t neighboursAlong(mlir::linalg::LinalgOp last, unsigned loop, int64_t count);

/// Stores the outputs of `op` at `points`, as storeOutputs does. Points come in pairs of neighbours along parallel loop
/// number `loop`, the first at an even index: as vectors of two if the rows of the buffer allow it, else one by one.
void storeInPairs(mlir::RewriterBase &rewriter, mlir::linalg::LinalgOp op,
                  llvm::ArrayRef<llvm::SmallVector<mlir::Value>> points, mlir::ValueRange values, unsigned loop);

} // namespace fuselage

// Storing results that threads have in registers: neighbours in pairs, and of tiles that overlap each element by one
// workgroup.
#pragma once
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <optional>

namespace fuselage {

/// A copy of the end of a tile, all behind some first rows, columns and so on, to where that belongs in a larger
/// buffer.
struct PartialStore {
  mlir::linalg::LinalgOp copy;
  mlir::memref::SubViewOp from, to;
};

/// `copy` as such; nothing where it is none, or takes its tile apart in other ways.
std::optional<PartialStore> partialStoreOf(mlir::linalg::LinalgOp copy);

/// The copy behind `last` that hands on what it writes, where that goes nowhere else: `isDone` tells users that count
/// no more. What it is computed from moves in front of `at`. Nothing where there is none such.
std::optional<PartialStore> takePartialStore(mlir::RewriterBase &rewriter, mlir::linalg::LinalgOp last,
                                             mlir::Operation *at, llvm::function_ref<bool(mlir::Operation *)> isDone);

/// The elements of the larger buffer that the whole tile lies over, at the insertion point.
mlir::Value viewUnderTile(mlir::RewriterBase &rewriter, const PartialStore &store);

/// Stores the results of `last` at `points` to `view` (see viewUnderTile), but those in front of what the copy takes.
/// `width`: so many points in a row are neighbours along the innermost dimension, the first of them at a multiple of
/// it.
void storePartly(mlir::RewriterBase &rewriter, const PartialStore &store, mlir::Value view, mlir::linalg::LinalgOp last,
                 llvm::ArrayRef<llvm::SmallVector<mlir::Value>> points, mlir::ValueRange values, int64_t width);

/// `count` where neighbours along parallel loop number `loop` are those along the innermost dimension of what `last`
/// writes, else 1.
int64_t neighboursAlong(mlir::linalg::LinalgOp last, unsigned loop, int64_t count);

/// Stores the outputs of `op` at `points`, as storeOutputs does, of which the second of each two follows the first
/// along the parallel loop `loop` (by number among those), and the first is even along it: as vectors of two where the
/// buffer has rows of such, else one by one.
void storeInPairs(mlir::RewriterBase &rewriter, mlir::linalg::LinalgOp op,
                  llvm::ArrayRef<llvm::SmallVector<mlir::Value>> points, mlir::ValueRange values, unsigned loop);

} // namespace fuselage

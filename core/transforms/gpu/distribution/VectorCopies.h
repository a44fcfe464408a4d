// Copies of tiles, 16 bytes a thread at a time.
#pragma once
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/PatternMatch.h"

namespace fuselage {

/// Emits at the insertion point what thread `thread` of `threads` does of a copy whose rows are whole 16 bytes in both
/// buffers, of elements of a byte or more, or zeros in front of some place along a dimension: loads and stores of
/// vectors, neighbours to neighbours, a few rounds side by side. False, and nothing emitted, for other ops. The op
/// stays.
bool distributeCopy(mlir::RewriterBase &rewriter, mlir::linalg::LinalgOp op, mlir::Value thread, int64_t threads);

/// Whether `op` copies its input as it is, but puts zeros in front of some place along a dimension.
bool isMaskedCopy(mlir::linalg::LinalgOp op);

/// Whether the elements that `op` writes have less than 32 bits: 16 bytes are more than four of them.
bool isNarrow(mlir::linalg::LinalgOp op);

} // namespace fuselage

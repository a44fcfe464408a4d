// Copies of tiles, 16 bytes a thread at a time.
#pragma once
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/PatternMatch.h"

namespace fuselage {

/// Emits the vector loads and stores of a copy that thread `thread` of `threads` makes, at the insertion point; a few
/// rounds are unrolled. The rows of both buffers have to be multiples of 16 bytes, with elements of a byte or more. The
/// copy may write zeros before some index of a dimension (see isMaskedCopy). Returns false, with nothing emitted, for
/// other ops. Keeps `op`.
bool distributeCopy(mlir::RewriterBase &rewriter, mlir::linalg::LinalgOp op, mlir::Value thread, int64_t threads);

/// Returns true if `op` copies its input, but writes zeros before some index of a dimension.
bool isMaskedCopy(mlir::linalg::LinalgOp op);

/// Returns true if the elements that `op` writes have less than 32 bits, so that 16 bytes are more than four of them.
bool isNarrow(mlir::linalg::LinalgOp op);

} // namespace fuselage

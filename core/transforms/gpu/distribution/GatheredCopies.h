// Copies of elements that an index computation gathers from a buffer, or zeros (tiles of im2col).
#pragma once
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/PatternMatch.h"

namespace fuselage {

/// Distributes `op` to threads, 16 bytes at a time. `op` has no inputs, and its body yields one loaded element, or a
/// constant if a condition does not hold. Neighbours along its innermost loop have to be neighbours in the buffer,
/// aligned to 16 bytes, with a common condition. Returns false, with nothing changed, for other ops. Keeps `op`.
bool distributeGather(mlir::RewriterBase &rewriter, mlir::linalg::LinalgOp op, mlir::Value thread, int64_t threads);

} // namespace fuselage

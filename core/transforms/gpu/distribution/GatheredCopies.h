// Rows of elements that an index computation picks from a buffer, or zeros where there are none: tiles of im2col.
#pragma once
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/PatternMatch.h"

namespace fuselage {

/// Shares an op without inputs among threads, 16 bytes at a time, whose body loads one element and yields that, or a
/// constant where a condition does not hold: if neighbours along the innermost loop are neighbours in the buffer,
/// aligned as 16 bytes want it, and one condition is theirs. False, with nothing changed, for other ops; `op` stays.
bool distributePicks(mlir::RewriterBase &rewriter, mlir::linalg::LinalgOp op, mlir::Value thread, int64_t threads);

} // namespace fuselage

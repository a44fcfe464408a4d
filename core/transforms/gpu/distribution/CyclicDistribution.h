// Ops without reductions, shared element by element.
#pragma once
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/PatternMatch.h"

namespace fuselage {

/// Emits at the insertion point what thread `thread` of `threads` does of `op`: elements in line, `threads` at a time,
/// so that neighbours in memory go to neighbours. `inVectors`: four neighbours at a time where all operands allow that
/// (see VectorReads.h), and a few rounds side by side instead of in a loop. The op stays.
void distributeCyclically(mlir::RewriterBase &rewriter, mlir::linalg::LinalgOp op, mlir::Value thread, int64_t threads,
                          bool inVectors);

} // namespace fuselage

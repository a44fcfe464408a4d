// Distributes the elements of ops without reductions to threads.
#pragma once
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/PatternMatch.h"

namespace fuselage {

/// Emits the elements of `op` that thread `thread` of `threads` computes, at the insertion point: every `threads`-th
/// one, so that neighbouring threads access neighbouring elements. `inVectors`: four neighbours at once if all operands
/// allow it (see VectorReads.h), and a few rounds unrolled. Keeps `op`.
void distributeCyclically(mlir::RewriterBase &rewriter, mlir::linalg::LinalgOp op, mlir::Value thread, int64_t threads,
                          bool inVectors);

} // namespace fuselage

// Tidying up between the tensor-level passes.
#pragma once
#include "mlir/IR/Block.h"
#include "mlir/IR/PatternMatch.h"

namespace fuselage {

/// Canonicalizes what tiling leaves behind in `body`: affine bounds, slices of slices, slices of
/// tensor.empty, dimensions of results. Never merges equal tensor.empty ops: they become distinct
/// buffers.
void cleanUpTiles(mlir::Block &body);

/// Merges equal slices, and the index computations they rest on, in the regions of `op`, so that two
/// uses of one tile of a producer are one slice; and equal linalg ops with several results, which
/// fusion makes one of for each result. Touches nothing else, payloads included.
void mergeEqualSlices(mlir::RewriterBase &rewriter, mlir::Operation *op);

} // namespace fuselage

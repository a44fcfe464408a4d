// Sizes of tensors told from values that exist before the ops that compute them.
#pragma once
#include "core/transforms/dispatch/DispatchFormation.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace fuselage {

/// Where a `tensor.dim` of a computed tensor really gets its size from, through destinations: an
/// index, or a tensor that is not computed in destination-passing style. A null value: a constant.
/// nullopt: `op` is no such tensor.dim.
std::optional<mlir::Value> findSizeSource(mlir::Operation *op);

/// The size of dimension `dim` of a ranked tensor, from values that exist before the op that makes
/// it; creates ops at the insertion point if need be.
mlir::OpFoldResult sizeOf(mlir::RewriterBase &rewriter, mlir::Value value, int64_t dim);

/// Replaces a tensor.dim that findSizeSource can tell, so that it no longer reads the tensor.
void resolveSize(mlir::RewriterBase &rewriter, mlir::Operation *dim);

/// resolveSize for all of `root` outside of dispatches: asking for the size of a result is no use of its data.
void resolveSizes(mlir::RewriterBase &rewriter, mlir::Operation *root);

} // namespace fuselage

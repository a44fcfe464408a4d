// Giving allocations another place: workgroup memory, or a slice of a scratch buffer.
#pragma once
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/PatternMatch.h"
#include <optional>

namespace fuselage {

/// Follows views to the buffer they look at.
mlir::Value rootBuffer(mlir::Value buffer);

/// Replaces a buffer by one of another layout or memory space; views of it are rebuilt.
void replaceBuffer(mlir::RewriterBase &rewriter, mlir::Value from, mlir::Value to);

/// The shape of an allocation with dynamic sizes replaced by their upper bounds; nothing where a
/// size has no constant bound.
std::optional<llvm::SmallVector<int64_t>> boundedShape(mlir::memref::AllocOp allocation);

/// Replaces an allocation by `buffer`, of shape boundedShape: by a view of its first elements where
/// the sizes are dynamic.
void placeAllocation(mlir::RewriterBase &rewriter, mlir::memref::AllocOp allocation, mlir::Value buffer);

/// Lets results be computed where they belong: where the last thing that happens to a buffer is that
/// its reshaped contents are copied to an output parameter, the buffer becomes a view of that
/// parameter. `entry`: the function's only block.
void forwardResults(mlir::RewriterBase &rewriter, mlir::Block &entry);

/// A slice of a new buffer of `count` times `shape`, allocated at the start of `entry`: the one at
/// `index`, at the insertion point.
mlir::Value scratchSlice(mlir::RewriterBase &rewriter, mlir::Location loc, mlir::Block *entry,
                         llvm::ArrayRef<int64_t> shape, mlir::Type elementType, mlir::Value index, int64_t count);

} // namespace fuselage

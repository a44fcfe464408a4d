// What the payload of a linalg op computes per point of its iteration domain.
#pragma once
#include "mlir/IR/Operation.h"
#include <cstdint>
#include <optional>

namespace mlir::linalg {
class LinalgOp;
}

namespace fuselage {

/// Arithmetic ops that one execution of a scalar op stands for: 1 for add, multiply, compare,
/// exp, ...; 2 for a fused multiply-add; 2 and 6 for complex addition and multiplication; 0 for
/// casts, selects, constants, index arithmetic and data movement.
int64_t scalarFlops(mlir::Operation *op);

/// The sum of scalarFlops over the payload of `op` (nested regions included, counted once).
int64_t payloadFlops(mlir::Operation *op);

/// Whether `op` is a linalg op, or one like it, whose regions are a payload: executed once a point, no dispatch graph
/// of its own. Graphs and walks over "real" ops stop here.
bool hasPayloadRegion(mlir::Operation *op);

/// LinalgOp::getStaticLoopRanges without making maps for it, in a tenth of the time. A loop that no
/// operand's dimension is, which does not verify, counts as dynamic.
llvm::SmallVector<int64_t> loopExtents(mlir::linalg::LinalgOp op);

/// Points of the iteration domain of a structured op; nullopt when a size is dynamic.
std::optional<int64_t> iterationDomainSize(mlir::Operation *op);

} // namespace fuselage

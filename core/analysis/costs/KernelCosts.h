// The cost of kernels that are written as what one workgroup does.
#pragma once
#include "core/analysis/costs/OpCosts.h"

namespace fuselage {

/// Whether a tile is read or written somewhere inside.
bool accessesTiles(mlir::Operation *op);

/// What all workgroups of a kernel (isKernel) cost together. Its body computes one tile of each
/// result, so it counts as often as tiles of that size cover the result; a loop without constant
/// bounds around a tile's store deals out tiles to workgroups and counts once. Of each binding, the
/// parts at constant offsets count as they are and all others as the whole: together the workgroups
/// read or write all of it.
OpCost costOfKernel(mlir::Operation *kernel);

} // namespace fuselage

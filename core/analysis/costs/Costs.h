// What a dispatch costs: floating-point operations, and bytes through memory.
#pragma once
#include "core/analysis/costs/OpCosts.h"

namespace fuselage {

/// The cost of a dispatch region, an outlined dispatch function or a kernel (costOfKernel): loops
/// count as often as they run, only values from outside are read (what is touched of each, once), only
/// results that escape are written.
OpCost costOfDispatch(mlir::Operation *dispatchRegion);

/// The same for ops of one block that would make up a dispatch, with producers that it computes again for
/// itself.
OpCost costOfGroup(llvm::ArrayRef<mlir::Operation *> ops, llvm::ArrayRef<mlir::Operation *> clonedProducers = {});

} // namespace fuselage

// Where `index` counts what 32 bits may not hold.
#pragma once
#include "core/device/TargetOptions.h"
#include "mlir/IR/Operation.h"

namespace fuselage {

/// An `index` is 64 bits wide on every device. Kernels that only find their elements by it may
/// count with 32, as all buffers of such a device have fewer elements. Returns true if ops below
/// `root` compute with it otherwise: there is a tensor of indices, or an index takes part in
/// arithmetic, a comparison or a cast, and it is not known to fit.
bool needsWideIndices(mlir::Operation *root);

/// `options` with indices that are wide enough for what is below `root`.
TargetOptions withNeededIndices(TargetOptions options, mlir::Operation *root);

} // namespace fuselage

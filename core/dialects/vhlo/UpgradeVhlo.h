// From the versioned ops of VHLO to today's StableHLO.
#pragma once
#include "mlir/IR/BuiltinOps.h"

namespace fuselage {

/// Turns every op of VHLO in `module`, which was read in a context of loadPortableDialects(), into the op of StableHLO
/// or func that it stands for, in the generic form: `vhlo.dot_general_v1` and `vhlo.dot_general_v2` become
/// "stablehlo.dot_general" with dot_dimension_numbers. Attributes that have their default are left out, as StableHLO's
/// own tools do. Locations stay. Failure, with an error at the op: VHLO has no such op, or none of that version.
mlir::LogicalResult upgradeVhlo(mlir::ModuleOp module);

} // namespace fuselage

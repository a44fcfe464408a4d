// Which form a transform expects.
#pragma once
#include "core/schedules/forms/NormalForm.h"
#include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.h"

namespace fuselage {

/// The form that `op` expects of the functions around the payload of its first operand: from a table of MLIR's ops and
/// ours, or, of an include, from the attribute `fuselage.requires = "LoopForm"` of the named sequence. Null: any.
const NormalForm *requiredForm(mlir::transform::TransformOpInterface op);

/// What the op's first operand holds, where that is a handle to ops.
llvm::SmallVector<mlir::Operation *> targetsOf(mlir::transform::TransformOpInterface op,
                                               const mlir::transform::TransformState &state);

/// The functions around (or that are) the payload of the op's first operand, each once.
std::vector<mlir::FunctionOpInterface> functionsAround(mlir::transform::TransformOpInterface op,
                                                       const mlir::transform::TransformState &state);

} // namespace fuselage

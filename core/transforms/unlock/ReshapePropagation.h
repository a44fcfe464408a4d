// Moving reshapes past the ops around them, so that ops that could share a dispatch stand side by side.
#pragma once
#include "core/transforms/unlock/LinalgUtils.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"

namespace fuselage {

enum class ReshapeDirection { Up, Down };

/// How the ops on the way change: to more loops (expand_shape goes up, collapse_shape down), or to
/// fewer (collapse_shape goes up, expand_shape down).
enum class ReshapeMethod { MoreLoops, FewerLoops };

/// True for a reshape that only adds or drops dimensions of size 1.
bool isUnitReshape(mlir::Operation *reshape);

/// Moves reshapes that stand between two ops on tensors past all ops in that direction which allow
/// it. `only` narrows the choice: it gets the reshape and the linalg op. Returns whether anything
/// moved.
bool propagateReshapes(mlir::FunctionOpInterface function, ReshapeDirection direction, ReshapeMethod method,
                       llvm::function_ref<bool(mlir::Operation *, mlir::linalg::LinalgOp)> only = nullptr);

/// Remarks at the reshapes that still stand between two ops on tensors: why.
void explainStuckReshapes(mlir::FunctionOpInterface function, ReshapeDirection direction, ReshapeMethod method);

} // namespace fuselage

// Makes IR stop where it does what nobody may do.
#pragma once
#include "core/support/Error.h"
#include "mlir/IR/BuiltinOps.h"

namespace fuselage {

/// The pass fuselage-host-insert-checks, on functions on tensors. Failure: elementwise ops on tensors cannot become
/// structured ops.
llvm::Error insertChecks(mlir::ModuleOp module);

} // namespace fuselage

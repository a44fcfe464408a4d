// A copy of IR in the middle of a rewrite. Internal to core/rewrites.
#pragma once
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace fuselage {

/// Copies a module that a driver is at work on. It need not verify. Values that a conversion has taken out of the
/// module, arguments of blocks that it has replaced, are stood for by casts from nothing.
mlir::OwningOpRef<mlir::ModuleOp> copyOfRewritten(mlir::ModuleOp module);

} // namespace fuselage

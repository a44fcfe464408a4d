// Dispatches in a form that other compilers take.
#pragma once
#include "mlir/IR/BuiltinOps.h"

namespace fuselage {

/// As fuselage-portable-dispatches does.
void makePortable(mlir::ModuleOp module);

/// Whether a module, as its author wrote it, has ops that other compilers lower in ways of their own.
bool hasOpsLoweredElsewhere(mlir::ModuleOp module);

/// What a module leaves to the compiler that reads it.
struct PortableCount {
  unsigned regions = 0;    ///< dispatches that are formed
  unsigned opsOutside = 0; ///< structured and composite ops of which that compiler forms dispatches
};
PortableCount countPortable(mlir::ModuleOp module);

/// Whether an op is a loop that was made so.
bool isPortableLoop(mlir::Operation *op);
/// Makes them parallel again.
void restoreParallelLoops(mlir::ModuleOp module);

} // namespace fuselage

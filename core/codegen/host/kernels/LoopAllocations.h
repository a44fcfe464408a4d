// Memory that the steps of a loop share.
#pragma once
#include "mlir/IR/BuiltinOps.h"

namespace fuselage {

/// Memory of one size that each step of an scf.for allocates and frees is allocated once, before the loop: steps follow
/// each other, and none may expect anything in fresh memory. For functions on memrefs, after buffer deallocation;
/// kernels may be called with the memory.
void shareAllocations(mlir::ModuleOp module);

} // namespace fuselage

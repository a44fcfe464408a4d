// Kernels in executables as functions on tensors.
#pragma once
#include "mlir/IR/BuiltinOps.h"

namespace fuselage {

/// Whether `liftKernels` has something to do: the module holds executables and no function of its
/// own.
bool hasOnlyKernels(mlir::ModuleOp module);

/// Where a module is executables alone, each kernel of them that reads and writes whole tensors
/// becomes a function: what it loads from a binding is an argument, what it stores a result. One
/// whose tiles go by a workgroup's number stays.
void liftKernels(mlir::ModuleOp module);

} // namespace fuselage

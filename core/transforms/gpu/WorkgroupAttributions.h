// Buffers of a workgroup that a kernel is given beside its parameters.
#pragma once
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace fuselage {

/// Makes them allocations at the kernel's entry, which is how code generation knows workgroup memory; those of a thread
/// stay. Kernels written by hand have them.
void allocateWorkgroupAttributions(mlir::gpu::GPUFuncOp kernel);

} // namespace fuselage

// How large a buffer is, and where it lies.
#pragma once
#include "core/analysis/buffers/KnownSizes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"
#include <string>

namespace fuselage {

/// `isLowerBound`: sizes that are only known when the program runs count as the least they can be.
struct BufferSize {
  int64_t bytes = 0;
  bool isLowerBound = false;
};

/// The size of a buffer of this type; `dynamicSizes`: the values of its dynamic dimensions, in order, as
/// far as there are any.
BufferSize sizeOfBuffer(mlir::BaseMemRefType type, mlir::ValueRange dynamicSizes, const KnownSizes &known);

/// The size of the buffer that `value`, a memref, stands for.
BufferSize sizeOfBuffer(mlir::Value value, const KnownSizes &known);

/// Of its elements alone, however far apart they lie.
BufferSize sizeOfElements(mlir::Value value, const KnownSizes &known);

/// "global", "workgroup", "private", or what the type says in another dialect's words. Knows the spaces of
/// the gpu dialect, SPIR-V's storage classes, and the numbers of NVVM and AMDGPU.
std::string memorySpaceName(mlir::Attribute memorySpace);

} // namespace fuselage

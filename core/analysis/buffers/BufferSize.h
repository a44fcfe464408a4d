// How large a buffer is, and where it lies.
#pragma once
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
/// far as they are known.
BufferSize sizeOfBuffer(mlir::BaseMemRefType type, mlir::ValueRange dynamicSizes = {});

/// "global", "workgroup", "private", or what the type says in another dialect's words. Knows the spaces of
/// the gpu dialect, SPIR-V's storage classes, and the numbers of NVVM and AMDGPU.
std::string memorySpaceName(mlir::Attribute memorySpace);

} // namespace fuselage

// How values lie in the host's memory.
#pragma once
#include "core/executable/HostCallForm.h"
#include "mlir/IR/Types.h"

namespace fuselage {

/// Bytes an element takes in host memory, as LLVM lays out arrays of it: integers below 8 bits take
/// a byte each (upper bits zero), index takes 8. 0: not a type that host memory can hold (so are integers
/// of 65 to 127 bits).
unsigned hostElementBytes(mlir::Type elementType);

/// How compiled code takes or gives a value: a scalar, a ranked tensor or a ranked memref.
HostValueForm hostFormOf(mlir::Type type);

} // namespace fuselage

// Where ops on tensors write.
#pragma once
#include "mlir/Interfaces/DestinationStyleOpInterface.h"

namespace fuselage {

/// Whether a tensor is a place to write to: an argument of a function, loop or region, an empty tensor, a slice, what a
/// loop or an op with destinations has written, or one of these under another shape. What is no tensor always is.
bool isDestination(mlir::Value value);

/// Whether the op gives a tensor that it computes and that lies in no destination of the op's.
bool makesItsOwnTensor(mlir::Operation *op);

} // namespace fuselage

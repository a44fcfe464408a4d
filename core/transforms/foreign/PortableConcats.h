// Concats in a form that costs other compilers no copies.
#pragma once
#include "mlir/IR/BuiltinOps.h"

namespace fuselage {

/// In place: a tensor.concat of static shape along an inner dimension joins its operands along the outermost one,
/// transposed, and its result is transposed back. So does IREE; around dispatches that somebody else formed it
/// transposes each operand in a dispatch of its own, where these now write them as they are needed.
void joinAlongOutermost(mlir::ModuleOp module);

} // namespace fuselage

// Assertions in payloads, as conditions on the inputs.
#pragma once
#include "mlir/IR/BuiltinOps.h"

namespace fuselage {

/// Whether the op asserts something in a payload.
bool isPayloadAssertion(mlir::Operation *op);

/// Removes `cf.assert` from payloads of structured ops, which kernels cannot do anything about. Where it compares
/// an element of a function's argument with a constant, the argument gets the bounds (ElementBounds.h), and
/// whoever fills it in checks them. A remark names what was asserted of anything else.
void liftPayloadAssertions(mlir::ModuleOp module);

} // namespace fuselage

// Sums of a reference, in a wider type than the IR's.
#pragma once
#include "mlir/IR/BuiltinOps.h"

namespace fuselage {

/// In place, on structured ops on tensors: a reduction that adds into floats of 16 bits or fewer adds into
/// f32, and a long one that adds into f32 (from 4096 elements on) into f64; only the result is rounded.
/// An iterator of kind "reduction" leaves the order of its sum open, so the sum in the element type has no
/// one meaning; the rounded sum of a wider type is what every order comes near. Terms are rounded as
/// written. Leaves elementwise extensions and truncations of tensors behind.
void widenSums(mlir::ModuleOp module);

} // namespace fuselage

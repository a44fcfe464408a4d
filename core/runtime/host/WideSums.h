// Sums in a wider type than the IR's: those of a reference, and those that would be rounded with each term.
#pragma once
#include "mlir/IR/BuiltinOps.h"

namespace fuselage {

/// In place, on structured ops on tensors: a reduction that adds into floats of 16 bits or fewer adds into
/// f32, and a long one that adds into f32 (from 4096 elements on) into f64; only the result is rounded.
/// An iterator of kind "reduction" leaves the order of its sum open, so the sum in the element type has no
/// one meaning; the rounded sum of a wider type is what every order comes near. Terms are rounded as
/// written. Leaves elementwise extensions and truncations of tensors behind.
void widenSums(mlir::ModuleOp module);

/// The same for what is to be fast: only sums of floats of 16 bits or fewer, in f32, and products that are terms of such a sum alone are not
/// rounded either, as where a processor multiplies and adds in one. Without this each term would be rounded twice, on its way from f32 and back.
/// `halves`: those of f16, too; false for a processor that computes in f16.
void widenNarrowSums(mlir::ModuleOp module, bool halves);

} // namespace fuselage

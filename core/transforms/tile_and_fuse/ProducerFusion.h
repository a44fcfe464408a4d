// Moving one producer into a loop over workgroups that exists already.
#pragma once
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"

namespace fuselage {

/// Computes inside `forall` every tile of `producer` that its body reads; equal tiles are computed
/// once. If `producer` is used after the loop as well and its tiles partition its value, the loop
/// returns the value too, and those uses read that. What cannot be fused stays as it is.
///
/// Which tiles partition a value, and who can read the loop's result, TileNest says for tileAndFuse and for this.
/// The rest of tileAndFuse has another contract, and would make other kernels. It leaves outside what every
/// iteration computes alike, which a kernel must compute; it computes a value that it returns in a new tensor, where
/// upstream's yieldReplacementForFusedProducer writes to the producer's own destination and saves a copy; and it
/// takes reshapes, casts and pads along, which dispatches keep before their loops.
void fuseIntoForall(mlir::RewriterBase &rewriter, mlir::Operation *producer, mlir::scf::ForallOp &forall);

} // namespace fuselage

// Moving producers into the loops that use tiles of them.
#pragma once
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"

namespace fuselage {

/// Computes inside `forall` every tile of `producer` that its body reads; equal tiles are computed
/// once. If `producer` is used behind the loop as well and its tiles partition its value, the loop
/// returns the value too, and those uses read that. What cannot be fused stays as it is.
void fuseIntoForall(mlir::RewriterBase &rewriter, mlir::Operation *producer,
                    mlir::scf::ForallOp &forall);

} // namespace fuselage

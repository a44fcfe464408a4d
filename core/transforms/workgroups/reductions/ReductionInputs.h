// Computes elementwise producers inside the reductions that read them, so that no whole row has to lie in workgroup
// memory.
#pragma once
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/PatternMatch.h"

namespace fuselage {

/// Returns true if the inputs of `reduction` come from outside its dispatch or from other reductions, possibly through
/// elementwise ops. Contractions count as none.
bool hasExternalInputs(mlir::linalg::LinalgOp reduction);

/// Returns true if an op in the block of `reduction` computes an input that depends on a reduction loop.
bool reducesComputedInput(mlir::linalg::LinalgOp reduction);

/// Rewrites `reduction` into a linalg.generic with one reduction loop, and fuses the elementwise producers of inputs
/// that depend on that loop. Other users of those producers keep them. Fails as collapseReductions() does.
mlir::FailureOr<mlir::linalg::GenericOp> fuseInputs(mlir::RewriterBase &rewriter, mlir::linalg::LinalgOp reduction);

/// Fuses each elementwise op in `body` into its only user if that is elementwise over the same iteration space.
void fuseElementwiseChains(mlir::RewriterBase &rewriter, mlir::Block &body);

} // namespace fuselage

// Parallel loops as loops that other compilers take inside of a dispatch, and back.
#pragma once
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace fuselage {

/// On the outermost loop of a nest that was an scf.forall: its mapping, an element a loop.
inline constexpr llvm::StringLiteral kForallAttr = "fuselage.forall";

/// Replaces an scf.forall on tensors by a nest of scf.for that computes the same, one tile after the other. Failure:
/// what it hands on is not written by slices; nothing changed.
mlir::LogicalResult forallToLoops(mlir::RewriterBase &rewriter, mlir::scf::ForallOp forall);

/// The reverse, for a nest with the attribute: what each round writes must be one slice of each tensor, and nothing may
/// read what other rounds wrote. Failure: it is not so; nothing changed.
mlir::LogicalResult loopsToForall(mlir::RewriterBase &rewriter, mlir::scf::ForOp outermost);

} // namespace fuselage

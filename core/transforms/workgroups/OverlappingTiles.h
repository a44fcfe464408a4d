// Loops over workgroups whose tiles all have one static shape, even if the tile size does not divide the loop.
#pragma once
#include "core/transforms/workgroups/KernelPlan.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"

namespace fuselage {

/// Tiles the root of `plan` as tileKernel does, but a last tile that would be short starts earlier and computes some
/// elements again. It stores only its own elements: 197 rows in tiles of 32 are six tiles, and one that starts at row
/// 165 and stores five rows. So registers and memory of all workgroups have one static size.
///
/// If the plan has a split, the outermost dimension of the loop over workgroups is the number of the split, and an op
/// after the loop combines the partial results (see PartialResults.h), one for each result. Fails with nothing changed.
mlir::FailureOr<mlir::scf::ForallOp> tileOverlapping(mlir::RewriterBase &rewriter, const KernelPlan &plan);

} // namespace fuselage

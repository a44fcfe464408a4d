// Loops over workgroups whose tiles all have one shape, though the tile does not divide the loop.
#pragma once
#include "core/transforms/workgroups/KernelPlan.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"

namespace fuselage {

/// Tiles the root of `plan` as tileKernel does, but a last tile that would be short starts earlier
/// instead and computes some elements again, in a buffer of the workgroup, from which it stores only
/// its own: 197 rows by 32 are six tiles of 32 and one that starts at row 165 and stores five rows.
/// So every workgroup has registers and memory of one static size. Where the plan has a split, workgroups share a
/// reduction loop, too: the outermost one of the loop over workgroups numbers its parts, and an op behind it for each
/// result adds them up (see PartialResults.h). Fails with nothing changed.
mlir::FailureOr<mlir::scf::ForallOp> tileOverlapping(mlir::RewriterBase &rewriter, const KernelPlan &plan);

} // namespace fuselage

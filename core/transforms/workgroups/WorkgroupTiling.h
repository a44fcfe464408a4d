// Turning a planned kernel into a loop over workgroups.
#pragma once
#include "core/transforms/workgroups/KernelPlan.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"

namespace fuselage {

/// Tiles the root of `plan` to a normalized scf.forall (lower bound 0, step 1) mapped to blocks:
/// x is the innermost tiled loop; y and z take at most 65535 workgroups each, so the longest loop
/// moves to x where that is exceeded; more than three loops use the linear ids
/// `#gpu.block<linear_dim_N>`. A root without tiled loops gets a forall of one iteration. Records
/// the tile sizes as `fuselage.tiling` (see TilingConfig.h) on the tiled root, on the forall and,
/// for serial steps, on the ops to be fused. Fails, with nothing changed, where the op refuses.
mlir::FailureOr<mlir::scf::ForallOp> tileKernel(mlir::RewriterBase &rewriter, const KernelPlan &plan);

/// The `#gpu.block` ids that loops over workgroups are mapped to, outermost first, by their numbers
/// of workgroups. The innermost is x; more than three, or too many for y and z, are mapped linearly.
llvm::SmallVector<mlir::Attribute> blockMapping(mlir::MLIRContext *context, llvm::ArrayRef<int64_t> counts);

} // namespace fuselage

// Tiles the root of a planned kernel to a loop over workgroups.
#pragma once
#include "core/transforms/workgroups/KernelPlan.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"

namespace fuselage {

/// Tiles the root of `plan` to a normalized scf.forall (lower bound 0, step 1) mapped to blocks (see blockMapping). A
/// root without tiled loops gets a forall of one iteration. Records the tile sizes as `fuselage.tiling` (see
/// TilingConfig.h) on the tiled root, on the forall and, for serial steps, on the ops to be fused. Fails, with nothing
/// changed, if the op cannot be tiled.
mlir::FailureOr<mlir::scf::ForallOp> tileKernel(mlir::RewriterBase &rewriter, const KernelPlan &plan);

/// Returns the `#gpu.block` ids for loops of `counts` workgroups, outermost first. The innermost loop is x. If y or z
/// would have more than 65535 workgroups, the longest loop becomes x instead. More than three loops, or such a loop
/// that is left, use the linear ids `#gpu.block<linear_dim_N>`.
llvm::SmallVector<mlir::Attribute> blockMapping(mlir::MLIRContext *context, llvm::ArrayRef<int64_t> counts);

} // namespace fuselage

// Partial results of a reduction: the value that each starts with, and the op that combines them. Always in the same
// order, so that results are reproducible.
//
// Upstream's PartialReductionOpInterface does the same for linalg ops, but appends the dimension of the partial results
// (`tensor<128x128x32>` for 32 splits). Workgroups would then store elements that are 32 apart. Here it comes first.
#pragma once
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/PatternMatch.h"

namespace fuselage {

/// On a loop over workgroups, and on the launch that it becomes: how many workgroups share a reduction, an i64. On an
/// op: that it combines the partial results of so many workgroups, in a kernel of its own.
inline constexpr llvm::StringLiteral kSplitsAttr = "fuselage.splits";
/// On an op whose results are partial results for another kernel: how many there are of each result, an i64. The loop
/// over its workgroups gets that as kSplitsAttr.
inline constexpr llvm::StringLiteral kPartialResultsAttr = "fuselage.partial_results";

/// True if the reductions of `op` can be split: results of static shape, with a dimension for each parallel loop, each
/// of which accumulates by one op with a neutral element, such as an addition.
bool canSplitReduction(mlir::linalg::LinalgOp op);

/// Fills `init` with the neutral element of the op that result `number` of `op` accumulates by.
mlir::Value fillNeutral(mlir::OpBuilder &builder, mlir::linalg::LinalgOp op, unsigned number, mlir::Value init);

/// Combines `partials` along their dimension `dim` with `init`, which has the other dimensions, as `op` accumulates
/// result `number`.
mlir::linalg::GenericOp combinePartials(mlir::OpBuilder &builder, mlir::linalg::LinalgOp op, unsigned number,
                                        mlir::Value partials, unsigned dim, mlir::Value init);

} // namespace fuselage

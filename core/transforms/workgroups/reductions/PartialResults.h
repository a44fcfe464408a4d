// Reductions whose iterations several workgroups share: what each comes to is stored, and an op of its own adds that
// up, always in the same order.
#pragma once
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/PatternMatch.h"

namespace fuselage {

/// On a loop over workgroups, and on the launch that it becomes: how many workgroups share a reduction, an i64. On an
/// op: that it adds up what so many workgroups have come to, in a kernel of its own.
inline constexpr llvm::StringLiteral kSplitsAttr = "fuselage.splits";
/// On an op whose results are such parts: how many there are of each sum, which the loop over its workgroups then says
/// by kSplitsAttr. An i64.
inline constexpr llvm::StringLiteral kPartialResultsAttr = "fuselage.partial_results";

/// True if the sums of `op` can be taken apart: results of static shape, with a dimension for each parallel loop, each
/// of which grows by one op with a neutral element, such as an addition.
bool canSplitReduction(mlir::linalg::LinalgOp op);

/// The neutral element of what result `number` of `op`, of which canSplitReduction holds, accumulates with, as its
/// initial value over `init`.
mlir::Value fillNeutral(mlir::OpBuilder &builder, mlir::linalg::LinalgOp op, unsigned number, mlir::Value init);

/// Adds `parts`, whose dimension in front of those of result `number` numbers them, to what `op` accumulates that into,
/// in their order.
mlir::linalg::GenericOp addParts(mlir::OpBuilder &builder, mlir::linalg::LinalgOp op, unsigned number,
                                 mlir::Value parts);

/// Adds `parts`, whose dimension `dim` numbers them, to `init`, which has the other ones, in their order, as `op` adds
/// up result `number`.
mlir::linalg::GenericOp combinePartials(mlir::OpBuilder &builder, mlir::linalg::LinalgOp op, unsigned number,
                                        mlir::Value parts, unsigned dim, mlir::Value init);

} // namespace fuselage

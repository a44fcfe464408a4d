// Sums along rows on GPUs: the threads of a workgroup share a row, and workgroups the few rows that are long.
#pragma once
#include "core/transforms/workgroups/strategy/TargetStrategy.h"
#include "mlir/IR/PatternMatch.h"

namespace fuselage {

/// True if what `sum` adds up comes from outside of its dispatch or from other sums, if need be through elementwise
/// ops.
bool hasExternalInputs(mlir::linalg::LinalgOp sum);

/// `sum` as a linalg.generic with one reduction loop, and with the elementwise ops before it that have an element
/// for each of its iterations; others that read those keep them. Failure: its reductions do not lie behind each other.
mlir::FailureOr<mlir::linalg::GenericOp> fuseInputs(mlir::RewriterBase &rewriter, mlir::linalg::LinalgOp sum);

/// Gives each sum of `body` of which `isOne` holds, with what is elementwise in front of it, to `takeApart`, which
/// replaces it; one that adds up what another op beside it computes is left alone. Then fuseElementwiseChains.
void takeSumsApart(mlir::RewriterBase &rewriter, mlir::Block &body,
                   llvm::function_ref<bool(mlir::linalg::LinalgOp)> isOne,
                   llvm::function_ref<void(mlir::linalg::GenericOp)> takeApart);

/// Makes elementwise ops of `body` that are read once, by an elementwise op of as many iterations, one with that.
void fuseElementwiseChains(mlir::RewriterBase &rewriter, mlir::Block &body);

/// Takes the sums (maxima, ..) in `body` apart that add up rows which lie along memory, for GPUs whose kernels are
/// made by threads together (TargetStrategy::splitsReductionsOverThreads): neighbouring threads add up neighbours, step
/// by step, and their results are added up in two more steps, all in one workgroup. Of rows that are worth it, parts
/// are summed up first, in a kernel of their own. What is elementwise in front of such a sum is computed in it, and for
/// others again, so that no row has to lie in workgroup memory.
void shareRows(mlir::RewriterBase &rewriter, mlir::Block &body, const TargetStrategy &strategy);

} // namespace fuselage

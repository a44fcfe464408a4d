// A reduction loop as several loops: for workgroups, the threads of a workgroup, the steps of a thread, and the
// elements that it reads at once. Upstream's linalg::splitReduction makes one parallel loop; this makes several loops
// at once, some of which still reduce.
#pragma once
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/PatternMatch.h"

namespace fuselage {

/// The loops that one reduction loop becomes, outermost first. Their product is its range.
struct ReductionFactors {
  struct Loop {
    int64_t extent;
    bool isReduction; ///< else it has a partial result for each iteration
  };
  llvm::SmallVector<Loop, 5> loops;
  /// Dimensions of partial results come before those of the result, so that neighbouring results stay neighbours; else
  /// after them.
  bool partialsFirst = false;
};

/// Creates the op that computes the partial results of `op`, a reduction with one reduction loop. It carries
/// kThreadReductionAttr.
mlir::linalg::GenericOp factorReduction(mlir::RewriterBase &rewriter, mlir::linalg::GenericOp op,
                                        const ReductionFactors &factors);

/// Returns a tensor of neutral elements for partial results of `op`, whose first result has the dimensions `partials`
/// before or after its own.
mlir::Value neutralPartials(mlir::RewriterBase &rewriter, mlir::linalg::GenericOp op, llvm::ArrayRef<int64_t> partials,
                            bool partialsFirst);

} // namespace fuselage

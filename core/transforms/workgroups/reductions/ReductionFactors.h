// Sums whose reduction becomes several loops: for the steps of a thread, the threads of a workgroup, and the workgroups
// that share them.
#pragma once
#include "core/transforms/workgroups/strategy/TargetStrategy.h"
#include "mlir/IR/PatternMatch.h"

namespace fuselage {

inline constexpr int64_t threadsOfSum = 128;   ///< of a workgroup, about
inline constexpr int64_t leastDepthOfSum = 64; ///< shorter ones are a thread's own

/// What one reduction loop becomes, from the outermost. Those that are no reductions number partial results.
struct ReductionFactors {
  struct Loop {
    int64_t extent;
    bool isReduction;
  };
  llvm::SmallVector<Loop, 5> loops;
  /// Where the dimensions of partial results lie among those of a result: in front of all, so that its neighbours stay
  /// neighbours, or behind.
  bool inFront = false;
};

/// `op`, a sum of rows of one reduction, as that of `factors`, whose product is the loop's extent: its result has one
/// more dimension for each factor that is no reduction. It carries kThreadReductionAttr.
mlir::linalg::GenericOp factorReduction(mlir::RewriterBase &rewriter, mlir::linalg::GenericOp op,
                                        const ReductionFactors &factors);

/// Replaces `sum`, a sum of one reduction, by what `addUp` makes of its first `taken` ones, and the rest on top of
/// that; `ask` is told what computes the result.
void replaceSum(mlir::RewriterBase &rewriter, mlir::linalg::GenericOp sum, int64_t taken,
                llvm::function_ref<mlir::linalg::GenericOp(mlir::linalg::GenericOp)> addUp,
                llvm::function_ref<void(mlir::linalg::GenericOp)> ask);

/// An empty result of `sum` to add to, with `more` dimensions, in front of its own or behind.
mlir::Value neutralResult(mlir::RewriterBase &rewriter, mlir::linalg::GenericOp sum, llvm::ArrayRef<int64_t> more,
                          bool inFront);

/// Adds up the `count` partial results of `sum` that workgroups compute in `parts`, numbered by its first dimension or
/// by the last, in a kernel of its own.
mlir::linalg::GenericOp addUpInKernel(mlir::RewriterBase &rewriter, mlir::linalg::GenericOp sum,
                                      mlir::linalg::GenericOp parts, int64_t count, bool inFront);

/// The input that most of what `sum` reads comes from: of those that its reductions walk, the one with the most
/// elements, or the one that kThreadReductionAttr numbers.
mlir::OpOperand *mainInput(mlir::linalg::LinalgOp sum);

/// The elements of `sum`'s main input that are 16 bytes, where rows of so many elements are whole vectors of them;
/// else 1.
int64_t elementsPerRead(mlir::linalg::LinalgOp sum, int64_t row);

/// Whether `op` is a product of a few rows, or columns, by a matrix, which is read once: threads do that as they do a
/// sum, since there is too little to compute for tiles in workgroup memory.
bool isSkinnyProduct(mlir::linalg::LinalgOp op);

/// The dimensions of the result of `sum` that its main input is read again for: its few rows, of a thin product.
llvm::SmallVector<unsigned> repeatedDims(mlir::linalg::LinalgOp sum);

/// Sets kThreadReductionAttr.
void markThreadReduction(mlir::RewriterBase &rewriter, mlir::linalg::GenericOp sum);

/// A divisor of `count`, up to `most`, that leaves both factors about the same; multiples of four come first.
int64_t balancedFactor(int64_t count, int64_t most);

} // namespace fuselage

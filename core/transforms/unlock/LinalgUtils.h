// What the passes that prepare fusion share: which ops they look at, and small steps of theirs.
#pragma once
#include "core/transforms/dispatch/DispatchPredicates.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace fuselage {

/// False for what belongs to a dispatch already: such ops are no longer rearranged.
bool isOutsideDispatch(mlir::Operation *op);

/// The linalg ops on tensors of a function outside of dispatches, in program order.
llvm::SmallVector<mlir::linalg::LinalgOp> linalgOpsOutsideDispatches(mlir::FunctionOpInterface function);

/// A contraction, named or generic: multiply and add over projected permutations.
bool isContraction(mlir::linalg::LinalgOp op);

/// The op as a linalg.generic, in its place; itself if it is one.
mlir::FailureOr<mlir::linalg::GenericOp> toGeneric(mlir::RewriterBase &rewriter, mlir::linalg::LinalgOp op);

/// Whether the elements are of types that upstream makes the bodies of named ops for: it crashes on
/// others, such as index and vectors.
bool canBeNamed(mlir::linalg::GenericOp op);

/// The named op that computes what `op` does, in its place. Contractions become linalg.matmul or
/// linalg.batch_matmul, with indexing_maps where operands are transposed or broadcast;
/// convolutions, the op of their layout. Fails, with nothing changed, where no name fits.
mlir::FailureOr<mlir::linalg::LinalgOp> toNamed(mlir::RewriterBase &rewriter, mlir::linalg::GenericOp op);

/// A linalg.generic that computes what `like` does on other operands, read and written through
/// `maps` (inputs first, then inits) by the same loops. The payload is copied.
mlir::linalg::GenericOp buildLike(mlir::RewriterBase &rewriter, mlir::linalg::LinalgOp like, mlir::ValueRange inputs,
                                  mlir::ValueRange inits, llvm::ArrayRef<mlir::AffineMap> maps);

/// For a move (see findMovedInput): the map from the dimensions of its result to those of its
/// source. Null where the result is not written by a permutation of the loops.
mlir::AffineMap moveMap(mlir::linalg::LinalgOp move);

/// Whether each loop is a dimension of some operand, so that its bounds are known.
bool coverLoops(llvm::ArrayRef<mlir::AffineMap> maps);

/// The scalar that every element of `value` is, if it comes from a fill; null otherwise.
mlir::Value filledWith(mlir::Value value);

/// Bounds of all loops; ShapedType::kDynamic where unknown.
llvm::SmallVector<int64_t> staticLoopRanges(mlir::linalg::LinalgOp op);

/// Erases `ops`, last first, as far as nobody reads them.
void eraseDead(mlir::RewriterBase &rewriter, llvm::ArrayRef<mlir::Operation *> ops);

/// The ops on tensors of a function outside of dispatches that somebody reads and `isWanted` is true of, in
/// program order.
llvm::SmallVector<mlir::Operation *> readOpsOutsideDispatches(mlir::FunctionOpInterface function,
                                                              llvm::function_ref<bool(mlir::Operation *)> isWanted);

/// Applies patterns greedily to `ops` and, if `alsoNew`, to what they become; nothing else in the function is
/// matched, folded or erased, as the stock driver for functions would.
void applyPatternsTo(llvm::ArrayRef<mlir::Operation *> ops, mlir::RewritePatternSet patterns, bool alsoNew = true);

/// Erases the ops on tensors outside of dispatches that a pass leaves behind without readers. What nobody
/// read before it is not its to erase.
class DeadOpEraser {
public:
  explicit DeadOpEraser(mlir::FunctionOpInterface function);
  void erase(mlir::RewriterBase &rewriter);

private:
  mlir::FunctionOpInterface function_;
  llvm::DenseSet<mlir::Operation *> unread_; ///< from the start
};

} // namespace fuselage

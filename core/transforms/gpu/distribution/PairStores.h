// Stores of what threads hold of matrices: two neighbours each.
#pragma once
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/PatternMatch.h"

namespace fuselage {

/// Stores the outputs of `op` at `points`, as storeOutputs does, of which the second of each two follows the first along the
/// parallel loop `loop` (by number among those), and the first is even along it: as vectors of two where the buffer has rows of
/// such, else one by one.
void storeInPairs(mlir::RewriterBase &rewriter, mlir::linalg::LinalgOp op, llvm::ArrayRef<llvm::SmallVector<mlir::Value>> points,
                  mlir::ValueRange values, unsigned loop);

} // namespace fuselage

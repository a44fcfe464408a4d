// Contractions whose depth no good step divides: the last step starts earlier, and multiplies zeros where the one
// before has been.
#pragma once
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/PatternMatch.h"
#include <optional>

namespace fuselage {

/// The only reduction loop of `op`, a contraction of static size, if `steps` cuts it into steps that do not divide it;
/// nothing for others.
std::optional<unsigned> unevenLoop(mlir::linalg::LinalgOp op, llvm::ArrayRef<int64_t> steps);

/// Cuts that loop into steps of one size. Both factors are zero where a step repeats the one before: what is not a
/// number, or infinite, counts once.
void tileUnevenly(mlir::RewriterBase &rewriter, mlir::linalg::LinalgOp op, unsigned loop,
                  llvm::ArrayRef<int64_t> steps);

} // namespace fuselage

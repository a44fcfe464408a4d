// Serial steps that do not divide the K loop of a contraction: the last step starts earlier and multiplies zeros where
// it overlaps the step before.
#pragma once
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/PatternMatch.h"
#include <optional>

namespace fuselage {

/// Returns the loop of `op`, a contraction of static sizes, that `steps` cuts into steps which do not divide it.
/// Returns nullopt for other ops, and if `steps` cuts more than one loop.
std::optional<unsigned> unevenLoop(mlir::linalg::LinalgOp op, llvm::ArrayRef<int64_t> steps);

/// Tiles `loop` to a serial loop with steps of one size. Where the last step overlaps the one before, both operands are
/// zero, so that NaN and infinity count once.
void tileUnevenly(mlir::RewriterBase &rewriter, mlir::linalg::LinalgOp op, unsigned loop,
                  llvm::ArrayRef<int64_t> steps);

} // namespace fuselage

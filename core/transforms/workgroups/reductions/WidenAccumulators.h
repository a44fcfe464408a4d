// Reductions that accumulate in a wider type than their elements, so that they round once instead of at every term.
#pragma once
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/BuiltinOps.h"

namespace fuselage {

/// Returns the type to accumulate elements of type `element` in: f32 for floats of 16 bits and fewer, `element` for all
/// others.
mlir::Type accumulatorTypeOf(mlir::Type element);

struct WidenOptions {
  /// Reductions of f32 with 4096 terms and more accumulate in f64.
  bool longReductions = false;
  /// A product that is only added to a wide accumulator is computed in the wide type, as by a fused multiply-add. Else
  /// it is rounded to its own type.
  bool wideProducts = true;
};

/// Rewrites `op`, a structured op on tensors with reductions, so that floats of 16 bits or fewer accumulate in f32 and
/// only the result is rounded. A "reduction" iterator leaves the order open, so that rounding at every term gives no
/// unique result; every order is near the rounded result of a wider type. All values of the body that the accumulator
/// goes through are wide. Maxima and other reductions that are exact stay as they are. Elementwise users that read each
/// result once round it themselves; for other users an op does. A named op keeps its name if `wideProducts`.
void widenAccumulators(mlir::RewriterBase &rewriter, mlir::linalg::LinalgOp op, const WidenOptions &options = {});

/// Rewrites all ops in `root`.
void widenAccumulators(mlir::Operation *root, const WidenOptions &options = {});

/// Rewrites only the body of an op: gives its arguments from `firstOutput` on the types `wide`. Fails, and changes
/// nothing, if the accumulators go through an op that cannot compute in another type.
llvm::LogicalResult widenBody(mlir::OpBuilder &builder, mlir::Block &body, unsigned firstOutput, mlir::TypeRange wide,
                              bool wideProducts = true);

} // namespace fuselage

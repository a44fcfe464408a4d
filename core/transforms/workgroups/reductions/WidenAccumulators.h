// Sums in a wider type than the elements that they are of, so that not every term is rounded.
#pragma once
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/BuiltinOps.h"

namespace fuselage {

/// The type to accumulate floats of type `element` in: f32 for those of 16 bits and fewer,
/// `element` for all others.
mlir::Type accumulatorTypeOf(mlir::Type element);

struct WidenOptions {
  /// Long sums of f32 (from 4096 terms on) are made in f64.
  bool longSums = false;
  /// Products that are terms of a wide sum alone are not rounded, as where a processor multiplies
  /// and adds in one. Else terms are rounded as written.
  bool wholeProducts = true;
};

/// In place, on a structured op on tensors with reductions: results that accumulate into floats of
/// 16 bits or fewer accumulate into f32, and only what comes out is rounded. An iterator of kind
/// "reduction" leaves the order of its sum open, so the sum in the element type has no one meaning;
/// the rounded sum of a wider type is what every order comes near. Whatever is computed with the
/// accumulator on its way through the body is wide; maxima and the like, which are exact, stay as
/// they are. Elementwise ops that read each result once round what they read, an op of its own does
/// so for others. A named op keeps its name if `wholeProducts`.
void widenAccumulators(mlir::RewriterBase &rewriter, mlir::linalg::LinalgOp op, const WidenOptions &options = {});

/// The same for all ops in `root`.
void widenAccumulators(mlir::Operation *root, const WidenOptions &options = {});

/// The same for the body of an op whose accumulators are of wider types than `body` has: gives its
/// arguments from `firstOutput` on the types `wide`. Fails, and changes nothing, if the body has
/// ops that only compute in the element type.
llvm::LogicalResult widenBody(mlir::OpBuilder &builder, mlir::Block &body, unsigned firstOutput, mlir::TypeRange wide,
                              bool wholeProducts = true);

} // namespace fuselage

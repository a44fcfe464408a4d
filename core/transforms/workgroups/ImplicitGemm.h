// Convolutions as products of matrices, of which one is never stored.
#pragma once
#include "mlir/IR/Block.h"
#include "mlir/IR/PatternMatch.h"

namespace fuselage {

/// Rewrites, in `body`, each convolution of an image that comes from outside, or from there through a tensor.pad, into
/// a contraction of its filter and an elementwise op that picks the image's elements (im2col; zeros where it is
/// padded). The latter is computed tile by tile where the contraction copies its operands to, so that nothing of it
/// gets to memory. The loops over the image are one loop in both, and in the elementwise ops that initialise and
/// follow; the last one is reshaped back.
///
/// Left alone: groups and depthwise ones, dynamic shapes, several images, results that an op takes which cannot be
/// reshaped so. Source of the method: Chetlur et al., "cuDNN: Efficient Primitives for Deep Learning", 2014,
/// section 3.1.
void convolutionsToContractions(mlir::RewriterBase &rewriter, mlir::Block &body);

} // namespace fuselage

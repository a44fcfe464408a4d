// Convolutions as contractions (implicit GEMM): the im2col matrix is computed tile by tile and never stored.
#pragma once
#include "mlir/IR/Block.h"
#include "mlir/IR/PatternMatch.h"

namespace fuselage {

/// Rewrites each convolution in `body` whose image comes from outside, possibly through a tensor.pad, into a
/// contraction of its filter and an elementwise op that gathers the image's elements (im2col; zeros where it is
/// padded). The latter is computed tile by tile into the contraction's workgroup memory. The loops over the image are
/// collapsed to one loop in both, and in the elementwise ops that initialize and follow; the last result is reshaped
/// back.
///
/// Not rewritten: grouped and depthwise convolutions, dynamic shapes, several images, and convolutions with a user that
/// cannot be collapsed so. Source of the method: Chetlur et al., "cuDNN: Efficient Primitives for Deep Learning", 2014,
/// section 3.1.
void convolutionsToContractions(mlir::RewriterBase &rewriter, mlir::Block &body);

} // namespace fuselage

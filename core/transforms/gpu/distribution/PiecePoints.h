// The indices of the results that one thread holds.
#pragma once
#include "core/transforms/gpu/distribution/ThreadDistribution.h"

namespace fuselage {

/// Emits the indices, by parallel loop, of each element of tile number `piece`; the innermost loop varies fastest.
llvm::SmallVector<llvm::SmallVector<mlir::Value>> pointsOfPiece(mlir::RewriterBase &rewriter, mlir::Location loc,
                                                                mlir::Value piece, const RegisterTile &tile);

} // namespace fuselage

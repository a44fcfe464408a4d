// Where the results lie that one thread holds.
#pragma once
#include "core/transforms/gpu/distribution/ThreadDistribution.h"

namespace fuselage {

/// The indices, by parallel loop, of each element of piece number `piece`, an index value; the innermost loop varies
/// fastest.
llvm::SmallVector<llvm::SmallVector<mlir::Value>> pointsOfPiece(mlir::RewriterBase &rewriter, mlir::Location loc,
                                                                mlir::Value piece, const RegisterTile &tile);

} // namespace fuselage

// Tiles of contractions for GPUs whose threads hold 8 by 8 results.
#pragma once
#include "core/transforms/workgroups/sizes/IterationSpace.h"

namespace fuselage {

/// A tile of a contraction, and how near it comes to the peak of a unit that is full of such: what it reads for each
/// multiplication, and how many threads hide how long that takes.
struct WideTile {
  int64_t rows, columns;
  double efficiency;
};

/// Those that suit `op`, along the innermost loops of its rows and columns, the largest first; none where threads have
/// no use for 8 by 8 results.
llvm::SmallVector<WideTile> wideTilesFor(mlir::linalg::LinalgOp op, const TilingPolicy &policy);

/// The one with which the units are done first: it is to be taken as it is, whatever divides the loops.
std::optional<WideTile> pickWideTile(mlir::linalg::LinalgOp op, const TilingPolicy &policy);

} // namespace fuselage

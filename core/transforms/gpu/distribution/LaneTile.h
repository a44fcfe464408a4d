// Pieces of an op for the lanes of one subgroup, which share what they read by shuffles.
#pragma once
#include "core/transforms/gpu/distribution/ScalarLoops.h"
#include "core/transforms/gpu/distribution/ThreadDistribution.h"

namespace fuselage {

/// The piece that a lane computes at once, where a workgroup is one subgroup of `lanes`: four neighbours along the
/// innermost loop, so that they move as a vector; where results share what lanes have in common, several rows of them,
/// up to 64 results, and with few rows several such vectors; where an input is read along another loop, four by four.
/// Pieces go to lanes cyclically, and there may be more than lanes. Nothing where the size of a loop is not known.
std::optional<RegisterTile> pickLaneTile(mlir::linalg::LinalgOp op, int64_t lanes);

/// The inputs that all lanes of a round read alike, and of which a piece needs several elements: each lane reads some
/// of them, and hands them to the others.
LaneSharing sharedByLanes(mlir::linalg::LinalgOp op, const RegisterTile &tile, mlir::Value lane, int64_t lanes);

} // namespace fuselage

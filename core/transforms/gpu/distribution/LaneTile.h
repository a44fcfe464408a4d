// Tiles of an op for the lanes of one subgroup, which exchange what they read by shuffles.
#pragma once
#include "core/transforms/gpu/distribution/ScalarLoops.h"
#include "core/transforms/gpu/distribution/ThreadDistribution.h"

namespace fuselage {

/// Returns the tile that a lane computes at once, for workgroups of one subgroup of `lanes`:
/// - four neighbours along the innermost loop, so that they move as a vector;
/// - several rows of them if rows read common inputs, up to 64 results; if there are few rows, several vectors of each;
/// - four by four if an input is contiguous along another loop.
/// Tiles go to lanes cyclically; there may be more tiles than lanes. Returns nullopt if a loop is dynamic.
std::optional<RegisterTile> pickLaneTile(mlir::linalg::LinalgOp op, int64_t lanes);

/// Returns the inputs that all lanes read alike and of which a tile needs several elements: each lane reads some of
/// them and passes them to the others.
LaneSharing sharedByLanes(mlir::linalg::LinalgOp op, const RegisterTile &tile, mlir::Value lane, int64_t lanes);

} // namespace fuselage

// The tile that code for the host has with requested sizes.
#pragma once
#include "core/codegen/host/kernels/RequestedTile.h"
#include "core/tuning/dispatch/DispatchSpace.h"

namespace fuselage::tune {

/// Returns the tile of the shaping op if the host compiles `dispatch` with these sizes. Returns nullopt if the pipeline
/// chooses all sizes, or if the tile is not a box of the op's loops, for example because several loops are joined.
std::optional<RequestedTile> hostTile(mlir::func::FuncOp dispatch, const RequestedSizes &sizes);

} // namespace fuselage::tune

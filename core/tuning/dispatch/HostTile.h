// The tile that the host makes of a dispatch's sizes.
#pragma once
#include "core/codegen/host/kernels/AskedTile.h"
#include "core/tuning/dispatch/DispatchSpace.h"

namespace fuselage::tune {

/// Of the shaping op, as code for the host that has these sizes has it. Nullopt: all sizes are the pipeline's, or there
/// is no tile that is a box of the op's loops, as where several are joined into one.
std::optional<AskedTile> hostTile(mlir::func::FuncOp dispatch, const AskedSizes &sizes);

} // namespace fuselage::tune

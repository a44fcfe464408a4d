// The tuning space of one dispatch: the sizes that the default pipeline would otherwise choose.
#pragma once
#include "core/device/DeviceModel.h"
#include "core/transforms/workgroups/KernelPlan.h"
#include "core/tuning/space/Space.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include <map>

namespace fuselage::tune {

/// The loop that indexes the innermost dimension of an operand with indexing map `map`; nullopt if that is no single
/// loop.
std::optional<unsigned> denseLoop(mlir::AffineMap map);

/// The knobs of a dispatch, whose roles (KnobRole) say what they set:
///  - on a GPU the tile of a workgroup along each parallel loop longer than 1, the step of the innermost reduction of a
///    product or a convolution, and, unless the device is software, the split of a product's longest reduction. Only
///    sizes that the pipeline takes as they are (RequestedTiles.h);
///  - on the host what registers, tasks and blocks hold, for this machine's processor;
///  - of fused attention, which has no shaping op, what attentionSpace() has.
/// The point with 0 for all knobs is selected: the pipeline chooses all sizes. No other point has a 0. Conditions on
/// workgroup memory (origin Device) are exact: the pipeline reduces a tile that needs more.
/// Fails if there is nothing to choose, or the pipeline would ignore the sizes.
llvm::Expected<Space> dispatchSpace(mlir::func::FuncOp dispatch, const DeviceModel &device);

/// Sizes by the names of such knobs, as libraries and journals have them.
using RequestedSizes = std::map<std::string, int64_t>;

/// Requests the sizes: sets the attribute of TilingConfig.h on the shaping op, or on the loop of fused attention.
/// Removes the attribute if all sizes are 0. Returns false, and changes nothing, if there is no such op or it has no
/// such knobs.
bool requestSizes(mlir::func::FuncOp dispatch, const RequestedSizes &sizes);

/// Returns the shaping op, the ranges of its loops, and the types of its inputs and results:
/// "linalg.matmul 128x768x768, tensor<128x768xf32>, tensor<768x768xf32> -> tensor<128x768xf32>". Returns
/// describeAttention() for fused attention, and an empty text if there is neither.
std::string describeShapingOp(mlir::func::FuncOp dispatch);

} // namespace fuselage::tune

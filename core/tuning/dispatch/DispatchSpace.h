// What the default pipeline leaves open of one dispatch: the sizes that it would choose by itself.
#pragma once
#include "core/device/DeviceModel.h"
#include "core/transforms/workgroups/KernelPlan.h"
#include "core/tuning/space/Space.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include <map>

namespace fuselage::tune {

/// The loop along which an operand with that map is dense, if one is alone.
std::optional<unsigned> denseLoop(mlir::AffineMap map);

/// The knobs of a dispatch, whose roles (KnobRole) say what they set:
///  - on a GPU the tile of a workgroup along each parallel loop longer than 1, the step of the innermost reduction of a
///    product or a convolution, and, unless the device is software, the split of a product's longest reduction. Only
///    sizes that the pipeline takes as they are (AskedTiles.h);
///  - on the host what registers, tasks and blocks hold, for this machine's processor;
///  - of fused attention, which has no shaping op, what attentionSpace() has.
/// 0 everywhere is what the pipeline chooses by itself, and selected; there is no other point with a 0. Conditions with
/// the origin Device are exact where they speak of workgroup memory: a tile that needs more is made smaller by the
/// pipeline. Failure: there is nothing to choose, or nothing of it would reach the kernel.
llvm::Expected<Space> dispatchSpace(mlir::func::FuncOp dispatch, const DeviceModel &device);

/// By knob of such a space.
using AskedSizes = std::map<std::string, int64_t>;

/// Asks for the sizes by the attribute of TilingConfig.h on the shaping op, or on the loop of fused attention; sizes
/// that are all 0 take the attribute away. False: there is no such op, or it has no such knobs; nothing is changed
/// then.
bool askFor(mlir::func::FuncOp dispatch, const AskedSizes &sizes);

/// "linalg.matmul 128x768x768, tensor<128x768xf32>, tensor<768x768xf32> -> tensor<128x768xf32>": the shaping op, the
/// ranges of its loops, and the types that it reads and makes; or what describeAttention() says. Empty: there is
/// neither.
std::string describeShapingOp(mlir::func::FuncOp dispatch);

} // namespace fuselage::tune

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

/// The knobs of a dispatch, by the loops of its shaping op:
///  - on a GPU, `tile_0`, `tile_1`, .. are the tile of a workgroup along each parallel loop longer than 1, and `step`
///  is that of
///    the innermost reduction of a product or a convolution; `split` is how many workgroups share the longest reduction
///    of a product on a device that does not run on a processor, 1 for none. Sizes are those that the pipeline takes as
///    they are (AskedTiles.h);
///  - on the host, of ops that reduce, `rows` and `vectors` are what registers hold (of this machine's processor),
///  `task_rows` what
///    one task has; of others, `task_rows` and `task_columns` are what one task has, and `vectors` what is computed
///    beside each other, unless tiles are turned in registers;
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

// Features of the sizes of a dispatch: numbers that predict its time better than the sizes themselves.
#pragma once
#include "core/device/DeviceModel.h"
#include "core/tuning/space/Space.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include <functional>

namespace fuselage::tune {

/// Returns a function from a point of `space`, which has the knobs of dispatchSpace(), to features. Each is a logarithm
/// to base 2:
///  - on a GPU: results of a tile, bytes that one step of a tile reads, bytes that all tiles read together, tiles per
///    multiprocessor, waves divided by full waves, computed results divided by requested ones, workgroups per tile
///    (split-K);
///  - on the host: results in registers, loads of a step divided by its multiplications, tasks per thread, rounds of
///    tasks divided by full rounds, computed rows divided by requested ones, the same for the elements of vectors;
///  - the size of each knob that these do not describe;
///  - for fused attention, attentionFeatures().
/// All features are 0 at the point where the pipeline chooses. The dispatch need not outlive the function. Returns an
/// empty function if there is no shaping op.
std::function<std::vector<double>(const Point &point)> dispatchFeatures(mlir::func::FuncOp dispatch, const Space &space,
                                                                        const DeviceModel &device);

} // namespace fuselage::tune

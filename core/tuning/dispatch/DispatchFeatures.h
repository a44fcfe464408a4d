// What the sizes of a dispatch mean for a device: numbers that say more of its time than the sizes themselves.
#pragma once
#include "core/device/DeviceModel.h"
#include "core/tuning/space/Space.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include <functional>

namespace fuselage::tune {

/// Of a point of `space`, which has the knobs of dispatchSpace(), as logarithms of base 2:
///  - on a GPU: results of a tile, bytes that one step of a tile reads, bytes that all tiles read together, tiles of
///  each unit, waves of
///    tiles by those that are full, results that are computed by those that are asked for, workgroups that share a
///    tile;
///  - on the host: results that registers hold, loads of a step by what it computes, tasks of each thread, rounds of
///  tasks by those that
///    are full, rows, and elements of vectors, that are computed by those that are asked for;
///  - the size of each knob that these do not describe;
///  - of fused attention, what attentionFeatures() has.
/// Of sizes that are left to the pipeline, zeros. The dispatch need not outlive it. Empty: there is no shaping op.
std::function<std::vector<double>(const Point &point)> dispatchFeatures(mlir::func::FuncOp dispatch, const Space &space,
                                                                        const DeviceModel &device);

} // namespace fuselage::tune

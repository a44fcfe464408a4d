// What the payload and the device ask of a schedule's knobs, beside what the schedule asks itself.
#pragma once
#include "core/device/DeviceModel.h"
#include "core/tuning/space/SpaceReader.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace fuselage::tune {

/// Adds conditions, with the origins Op and Device, that follow from the script's transforms: they are run on sizes in
/// place of IR, over the top level of @__transform_main. A payload op is one that `match ops{[..]}` finds alone in
/// `function`.
///  - threads: the iterations of a forall that is mapped to threads are at most what map_nested_forall_to_threads has
///  of them, along each
///    dimension and in all, and a block has no more than the device; its trip counts are known, which needs tiles that
///    divide;
///  - vectorize without sizes needs tiles that divide, or are padded; sizes are at least those of the tile;
///  - workgroup memory: what promote_tensor copies there of tiles, and what bufferize_to_allocation puts there of pads
///  and results, in bytes, fits.
/// A point that breaks one of these fails when it is tried. One bound is added, too (Space::bounds), where the device
/// says what a thread has:
///  - registers: the results of a tile that is vectorized are in them. Where all blocks may be one, loops fold away and
///  nothing is asked of threads. Returns
/// the transforms with knobs in them of which nothing is derived: "transform.structured.pad (line 12)".
std::vector<std::string> addDemands(ScriptSpace &read, mlir::ModuleOp script, mlir::func::FuncOp function,
                                    const DeviceModel &device);

/// A sentence on what nothing is derived of; empty: there is no such thing.
std::string describeUnknownDemands(llvm::ArrayRef<std::string> unknown);

} // namespace fuselage::tune

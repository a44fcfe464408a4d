// Conditions on a schedule's knobs that follow from the payload and the device.
#pragma once
#include "core/device/DeviceModel.h"
#include "core/tuning/space/SpaceReader.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace fuselage::tune {

/// Adds conditions, with the origins Op and Device, that follow from the transforms at the top level of
/// @__transform_main. They are derived by following tile sizes instead of running the script. A payload op is one that
/// `match ops{[..]}` finds as the only one in `function`.
///  - Threads: a forall that is mapped to threads has at most the iterations that map_nested_forall_to_threads has
///    threads, along each dimension and in all, and a block has at most the threads of the device. Its trip counts are
///    static, so that tiles must divide their loops. If there may be only one block, loops fold away and there is no
///    such condition.
///  - Vectors: vectorize without sizes needs tiles that divide their loops, or padding; its sizes are at least those of
///    the tile.
///  - Workgroup memory: the bytes of tiles that promote_tensor copies, and of pads and results that
///    bufferize_to_allocation places there, fit.
/// A point that breaks one of these fails when it is tried. If the device says how many registers a thread has, also
/// adds a bound (Space::bounds): the results of a vectorized tile fit in them. Returns the transforms with knobs for
/// which nothing was derived: "transform.structured.pad (line 12)".
std::vector<std::string> addDemands(ScriptSpace &read, mlir::ModuleOp script, mlir::func::FuncOp function,
                                    const DeviceModel &device);

/// A sentence that names these transforms; empty if there are none.
std::string describeUnknownDemands(llvm::ArrayRef<std::string> unknown);

} // namespace fuselage::tune

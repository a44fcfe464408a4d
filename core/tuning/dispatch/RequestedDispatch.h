// What the default pipeline makes of one dispatch with requested sizes.
#pragma once
#include "core/device/DeviceModel.h"
#include "core/support/Error.h"
#include "core/tuning/dispatch/DispatchSpace.h"
#include "mlir/IR/OwningOpRef.h"

namespace fuselage::tune {

/// A dispatch before and after its first steps: modules that contain the dispatch and the symbols that it refers to.
struct RequestedDispatch {
  std::string title; ///< the steps in between: "Tile to workgroups, Fuse producers, Tile reductions"
  mlir::OwningOpRef<mlir::ModuleOp> before, after;
};

/// Runs the tiling steps of the default pipeline on a copy of `dispatch`, which must have static shapes. If all sizes
/// are 0, the pipeline chooses them.
/// For a GPU, `before` carries the sizes as an attribute, and `after` is tiled by them, with fused producers and
/// reduction steps. On the host, whose loops are not made in this IR, only `after` carries the attribute.
/// Fails if the dispatch has no such sizes, a pass fails, or there are no kernels for the device.
llvm::Expected<RequestedDispatch> runRequested(mlir::func::FuncOp dispatch, const RequestedSizes &sizes,
                                               const DeviceModel &device);

} // namespace fuselage::tune

// What the default pipeline makes of one dispatch that is asked for sizes.
#pragma once
#include "core/device/DeviceModel.h"
#include "core/support/Error.h"
#include "core/tuning/dispatch/DispatchSpace.h"
#include "mlir/IR/OwningOpRef.h"

namespace fuselage::tune {

/// Modules with nothing but the dispatch and what it refers to.
struct AskedDispatch {
  std::string title; ///< of the steps from one to the other: "Tile to workgroups, Fuse producers, Tile reductions"
  mlir::OwningOpRef<mlir::ModuleOp> before, after;
};

/// For a GPU, `before` has the sizes as its attribute, and `after` is tiled by them, the producers and the steps of the
/// reduction inside, as the default pipeline does it for the device. On the host, whose loops are made behind the IR,
/// `after` has the attribute, and `before` has not. Sizes that are all 0 leave them to the pipeline. `dispatch`, of
/// static shapes, stays as it is. Failure: it does not take the sizes, a pass fails, or the device has no kernels.
llvm::Expected<AskedDispatch> runAsked(mlir::func::FuncOp dispatch, const AskedSizes &sizes, const DeviceModel &device);

} // namespace fuselage::tune

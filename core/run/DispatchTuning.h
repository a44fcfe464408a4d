// Sizes for dispatches that somebody found to be better than what the pipeline chooses.
#pragma once
#include "core/runtime/device/DeviceInfo.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace fuselage {

/// Knows them. Used by several threads at once.
class DispatchTuning {
public:
  virtual ~DispatchTuning() = default;
  /// Asks for the sizes in `dispatch` (TilingConfig.h) that are known for it on exactly that device and driver; false:
  /// none are.
  virtual bool apply(mlir::func::FuncOp dispatch, const DeviceInfo &device) const = 0;
  /// Where they are from: a file.
  virtual std::string source() const = 0;
};

} // namespace fuselage

// Is a value the same on all devices that exchange data? Is it the same along a loop?
#pragma once
#include "core/analysis/meshes/CollectiveGroups.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace fuselage {

class SameOnDevices {
public:
  SameOnDevices(const ModuleShardings &shardings, int64_t devices) : shardings_(shardings), devices_(devices) {}

  /// True if the value has the same elements on all devices of each group, for what is known. A value of which a device
  /// has a part is the same where devices have the same part.
  bool isEqualAcross(mlir::Value value, const DeviceGroups &groups) const { return isEqual(value, groups, 0); }

  /// In terms of whole tensors: true if none of these axes splits the value, and no summands are left in it. False also
  /// if it is not known how it lies.
  bool isWholeAlong(mlir::Value value, llvm::ArrayRef<AxisRef> axes) const;

private:
  bool isEqual(mlir::Value value, const DeviceGroups &groups, unsigned depth) const;
  bool isEqualArgument(mlir::BlockArgument argument, const DeviceGroups &groups) const;
  bool isEqualResult(const Collective &collective, const DeviceGroups &groups) const;
  const ShardingAnnotation *annotationOf(mlir::Value value) const;

  const ModuleShardings &shardings_;
  int64_t devices_;
};

/// True if the operand has one value for all iterations of `loop`: its map does not have the loop, it is one number
/// everywhere, or it is broadcast along it.
bool isConstantAlong(mlir::linalg::LinalgOp op, mlir::OpOperand &operand, unsigned loop);

/// It is one number everywhere.
bool isOneNumber(mlir::Value value);

} // namespace fuselage

// Makes DeviceAttr known to the dialect that has it.
#pragma once
#include "mlir/IR/Dialect.h"

namespace fuselage {

/// Registers how contexts of `dialect` store DeviceAttr, and returns what the dialect is to add under DeviceAttr's type
/// id.
mlir::AbstractAttribute introduceDevice(mlir::Dialect &dialect);

/// Fails with a diagnostic at `op` if `attribute` is its `fuselage.device` and no DeviceAttr, which passes would not
/// see.
mlir::LogicalResult verifyDeviceOf(mlir::Operation *op, mlir::NamedAttribute attribute);

} // namespace fuselage

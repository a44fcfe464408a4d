// Makes DeviceAttr known to the dialect that has it.
#pragma once
#include "mlir/IR/Dialect.h"

namespace fuselage {

/// Registers how contexts of `dialect` store DeviceAttr, and returns what the dialect is to add under DeviceAttr's type
/// id.
mlir::AbstractAttribute introduceDevice(mlir::Dialect &dialect);

} // namespace fuselage

// `#fuselage.device`: the device that kernels are made for, as an attribute that passes read.
#pragma once
#include "core/device/DeviceModel.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/Operation.h"

#define GET_ATTRDEF_CLASSES
#include "core/dialects/device/DeviceAttr.h.inc"

namespace fuselage {

/// The name of the discardable attribute that holds a DeviceAttr.
inline constexpr llvm::StringLiteral kDeviceAttr = "fuselage.device";

/// The device of the nearest op, from `op` outwards, that carries kDeviceAttr. If none does: a model without a known
/// value, whose defaults are the least that GPUs have.
DeviceModel deviceOf(mlir::Operation *op);

/// Makes `model` the device of `op`, in place of one that it may have. The context knows FuselageDialect.
void setDevice(mlir::Operation *op, const DeviceModel &model);

} // namespace fuselage

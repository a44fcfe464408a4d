// What attributes of schedules say of a GPU's memory and threads.
#pragma once
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace fuselage::tune {

/// Workgroup memory, by its name or by the number that NVIDIA's chips give it.
inline bool isWorkgroup(mlir::Attribute space) {
  auto gpuSpace = mlir::dyn_cast_or_null<mlir::gpu::AddressSpaceAttr>(space);
  auto number = mlir::dyn_cast_or_null<mlir::IntegerAttr>(space);
  return (gpuSpace && gpuSpace.getValue() == mlir::gpu::AddressSpace::Workgroup) || (number && number.getInt() == 3);
}

/// One of the three dimensions of a block's threads.
inline bool isThread(mlir::DeviceMappingAttrInterface mapping) {
  auto thread = mlir::dyn_cast<mlir::gpu::GPUThreadMappingAttr>(mapping);
  return thread && !thread.isLinearMapping() && thread.getRelativeIndex() < 3;
}

} // namespace fuselage::tune

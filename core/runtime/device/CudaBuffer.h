// Memory of a CUDA device.
#pragma once
#include "core/runtime/device/CudaContext.h"
#include "core/runtime/device/Device.h"

namespace fuselage {

/// What CudaDevice::allocate gives.
struct CudaBuffer : DeviceBuffer {
  CudaBuffer(std::shared_ptr<CudaContext> context, uint64_t byteCount, CUdeviceptr address)
      : DeviceBuffer(byteCount), context(std::move(context)), address(address) {}
  ~CudaBuffer() override {
    context->destroy([address = address](const CudaDriver &driver) { driver.memFree(address); });
  }
  std::shared_ptr<CudaContext> context;
  CUdeviceptr address;
};

} // namespace fuselage

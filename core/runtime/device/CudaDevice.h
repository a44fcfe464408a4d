// NVIDIA devices through the CUDA driver API.
#pragma once
#include "core/runtime/device/CudaDriver.h"
#include "core/runtime/device/Device.h"

namespace fuselage {

/// Every CUDA device, as "cuda:N" in the driver's order. Empty without a driver.
std::vector<DeviceInfo> listCudaDevices();
std::vector<DeviceInfo> listCudaDevices(const CudaDriver &driver);

/// Failure: no driver (and why), no such number, or a context that cannot be made.
Result<std::unique_ptr<Device>> openCudaDevice(unsigned number);
Result<std::unique_ptr<Device>> openCudaDevice(const CudaDriver &driver, unsigned number);

} // namespace fuselage

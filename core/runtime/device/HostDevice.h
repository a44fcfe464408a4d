// The host, as a device.
#pragma once
#include "core/runtime/device/Device.h"

namespace fuselage {

/// Buffers are the host's memory; kernels are objects of machine code, each call of which runs in a copy of the process
/// that can do nothing but compute (HostCall.h).
std::unique_ptr<Device> openHostDevice();

} // namespace fuselage

// The devices of this machine.
#pragma once
#include "core/device/DeviceModel.h"
#include "core/protocol/Run.h"
#include <cstdint>
#include <string>
#include <vector>

namespace fuselage {

/// The id of the host, which is always there.
inline constexpr const char *kHostId = "host";

/// A device that exists now: "host", "vulkan:0", "cuda:0".
struct DeviceInfo {
  std::string id;
  std::string name;
  std::string api;             ///< "host", "Vulkan 1.3.2", "CUDA 13.0"
  uint64_t memoryBytes = 0;    ///< 0: unknown
  uint64_t maxSharedBytes = 0; ///< workgroup memory of one workgroup
  uint32_t maxThreads = 0;
  bool software = false; ///< lavapipe and the host
  std::string target{};  ///< PTX: "sm_90"; SPIR-V: version
  std::string driver{};  ///< what makes machine code of kernels, with its version; empty: it does not say
  DeviceModel model{};   ///< what kernels are made for
};
/// This machine's processors, as a device.
DeviceInfo hostDevice();

/// Always holds the host. Missing drivers are no error: they only list nothing.
std::vector<DeviceInfo> listDevices();

/// Whose clock times came from.
enum class Clock { Device, Host };

/// The device as clients see it.
message::Device<> messageOf(const DeviceInfo &device);

} // namespace fuselage

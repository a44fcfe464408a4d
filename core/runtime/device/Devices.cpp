#include "core/device/HostProcessor.h"
#include "core/runtime/device/CudaDevice.h"
#include "core/runtime/device/HostDevice.h"
#include "core/runtime/device/Models.h"
#include "core/runtime/device/VulkanDevice.h"
#include "core/support/Units.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/TargetParser/Host.h"
#include <sys/sysinfo.h>
#include <thread>

namespace fuselage {

std::string formatBytes(uint64_t bytes) {
  if (bytes < 1024)
    return std::to_string(bytes) + " bytes";
  Quantity quantity = inUnits(static_cast<double>(bytes), 1024, kByteUnits);
  return llvm::formatv("{0:f1} {1}", quantity.value, quantity.unit).str();
}

DeviceInfo hostDevice() {
  struct sysinfo system {};
  uint64_t memory = sysinfo(&system) == 0 ? uint64_t(system.totalram) * system.mem_unit : 0;
  return {.id = kHostId,
          .name = "JIT on " + llvm::sys::getHostCPUName().str() + ", " + hostProcessor().describe(),
          .api = "host",
          .memoryBytes = memory,
          .maxSharedBytes = 0,
          .maxThreads = hostProcessor().threads,
          .software = true,
          .target = llvm::sys::getProcessTriple(),
          .driver = "LLVM " LLVM_VERSION_STRING ", " + hostProcessor().describe(),
          .model = hostModel()};
}

std::vector<DeviceInfo> listDevices() {
  std::vector<DeviceInfo> devices = {hostDevice()};
  llvm::append_range(devices, listVulkanDevices());
  llvm::append_range(devices, listCudaDevices());
  return devices;
}

/// A Failure that lists what exists, the ids nearest to `id` first.
static llvm::Error noSuchDevice(llvm::StringRef id, llvm::StringRef why) {
  std::vector<DeviceInfo> devices = listDevices();
  llvm::stable_sort(devices, [&](const DeviceInfo &a, const DeviceInfo &b) {
    return id.edit_distance_insensitive(a.id) < id.edit_distance_insensitive(b.id);
  });
  std::string text = "there is no device '" + id.str() + "'";
  if (!why.empty())
    text += ": " + why.str();
  text += ". Choose one of: ";
  llvm::raw_string_ostream os(text);
  llvm::interleaveComma(devices, os, [&](const DeviceInfo &device) { os << device.id << " (" << device.name << ')'; });
  return fail(text);
}

llvm::Expected<std::unique_ptr<Device>> openDevice(llvm::StringRef id) {
  if (id == kHostId)
    return openHostDevice();
  auto [api, numberText] = id.split(':');
  unsigned number = 0;
  bool wellFormed = !id.contains(':') || !numberText.getAsInteger(10, number);
  if (!wellFormed || (api != "vulkan" && api != "cuda"))
    return noSuchDevice(id, api == kHostId ? "the host takes no number" : "");
  auto device = api == "vulkan" ? openVulkanDevice(number) : openCudaDevice(number);
  if (device)
    return device;
  // Only a number that does not exist is a matter of choosing another one.
  Failure failure = takeFailure(device.takeError());
  for (const DeviceInfo &info : listDevices())
    if (info.id == (api + ":" + llvm::Twine(number)).str())
      return fail(failure.message, failure.diagnostics);
  return noSuchDevice(id, failure.message);
}

llvm::Error checkKernelFits(const CompiledKernel &kernel, const DeviceInfo &device) {
  uint64_t threads = uint64_t(kernel.block[0]) * kernel.block[1] * kernel.block[2];
  if (threads == 0 || uint64_t(kernel.grid[0]) * kernel.grid[1] * kernel.grid[2] == 0)
    return fail("kernel '" + kernel.entry + "' has an empty grid or workgroup");
  if (kernel.sharedBytes > device.maxSharedBytes)
    return fail("kernel '" + kernel.entry + "' needs " + formatBytes(kernel.sharedBytes) + " of workgroup memory; " +
                device.id + " has " + formatBytes(device.maxSharedBytes) +
                ": choose smaller tiles, or promote fewer operands");
  if (threads > device.maxThreads)
    return fail("kernel '" + kernel.entry + "' has " + std::to_string(threads) + " threads a workgroup; " + device.id +
                " takes at most " + std::to_string(device.maxThreads) + ": choose smaller tiles");
  return llvm::Error::success();
}

message::Device<> messageOf(const DeviceInfo &device) {
  return {.id = device.id,
          .name = device.name,
          .api = device.api,
          .memoryBytes = int64_t(device.memoryBytes),
          .maxSharedBytes = int64_t(device.maxSharedBytes),
          .maxThreads = device.maxThreads,
          .software = device.software,
          .target = device.target};
}

} // namespace fuselage

#include "core/device/HostCpu.h"
#include "core/device/HostProcessor.h"
#include "core/runtime/device/CudaDevice.h"
#include "core/runtime/device/HostDevice.h"
#include "core/runtime/device/Models.h"
#include "core/runtime/device/VulkanDevice.h"
#include "core/support/Units.h"
#include <algorithm>
#include <charconv>
#include <cstdio>
#include <sys/sysinfo.h>

namespace fuselage {

std::string formatBytes(uint64_t bytes) {
  return bytes < 1024 ? std::to_string(bytes) + " bytes" : binaryBytesText(static_cast<double>(bytes));
}

DeviceInfo hostDevice() {
  struct sysinfo system {};
  const HostCpu cpu = readHostCpu();
  uint64_t memory = sysinfo(&system) == 0 ? uint64_t(system.totalram) * system.mem_unit : 0;
  return {.id = kHostId,
          .name = "JIT on " + cpu.name + ", " + hostProcessor().describe(),
          .api = "host",
          .memoryBytes = memory,
          .maxSharedBytes = 0,
          .maxThreads = hostProcessor().threads,
          .software = true,
          .target = cpu.triple,
          .driver = cpu.linker + ", " + hostProcessor().describe(),
          .model = hostModel()};
}

std::vector<DeviceInfo> listDevices() {
  std::vector<DeviceInfo> devices = {hostDevice()};
  for (auto list : {listVulkanDevices, +[] { return listCudaDevices(); }})
    for (DeviceInfo &device : list())
      devices.push_back(std::move(device));
  return devices;
}

/// The letters to change, to add and to leave out between two words; upper and lower case are the same.
static size_t editDistance(std::string_view from, std::string_view to) {
  std::vector<size_t> row(to.size() + 1);
  for (size_t j = 0; j <= to.size(); ++j)
    row[j] = j;
  for (size_t i = 1; i <= from.size(); ++i) {
    size_t diagonal = std::exchange(row[0], i);
    for (size_t j = 1; j <= to.size(); ++j) {
      bool isSame = std::tolower(uint8_t(from[i - 1])) == std::tolower(uint8_t(to[j - 1]));
      size_t best = std::min({diagonal + !isSame, row[j] + 1, row[j - 1] + 1});
      diagonal = std::exchange(row[j], best);
    }
  }
  return row[to.size()];
}

/// A Failure that lists what exists, the ids nearest to `id` first.
static Status noSuchDevice(std::string_view id, std::string_view why) {
  std::vector<DeviceInfo> devices = listDevices();
  std::stable_sort(devices.begin(), devices.end(), [&](const DeviceInfo &a, const DeviceInfo &b) {
    return editDistance(id, a.id) < editDistance(id, b.id);
  });
  std::string text = "there is no device '" + std::string(id) + "'";
  if (!why.empty())
    text += ": " + std::string(why);
  text += ". Choose one of: ";
  for (size_t i = 0; i < devices.size(); ++i)
    text += (i ? ", " : "") + devices[i].id + " (" + devices[i].name + ")";
  return failWith(text);
}

Result<std::unique_ptr<Device>> openDevice(std::string_view id) {
  if (id == kHostId)
    return openHostDevice();
  size_t colon = id.find(':');
  std::string api(id.substr(0, colon));
  unsigned number = 0;
  bool wellFormed = true;
  if (colon != id.npos) {
    const char *end = id.data() + id.size();
    auto [read, error] = std::from_chars(id.data() + colon + 1, end, number);
    wellFormed = error == std::errc() && read == end;
  }
  if (!wellFormed || (api != "vulkan" && api != "cuda"))
    return noSuchDevice(id, api == kHostId ? "the host takes no number" : "");
  auto device = api == "vulkan" ? openVulkanDevice(number) : openCudaDevice(number);
  if (device)
    return device;
  // Only a number that does not exist is a matter of choosing another one.
  for (const DeviceInfo &info : listDevices())
    if (info.id == api + ":" + std::to_string(number))
      return device;
  return noSuchDevice(id, device.error().message());
}

Status checkKernelFits(const CompiledKernel &kernel, const DeviceInfo &device) {
  uint64_t threads = uint64_t(kernel.block[0]) * kernel.block[1] * kernel.block[2];
  if (threads == 0 || uint64_t(kernel.grid[0]) * kernel.grid[1] * kernel.grid[2] == 0)
    return failWith("kernel '" + kernel.entry + "' has an empty grid or workgroup");
  if (kernel.sharedBytes > device.maxSharedBytes)
    return failWith("kernel '" + kernel.entry + "' needs " + formatBytes(kernel.sharedBytes) +
                    " of workgroup memory; " + device.id + " has " + formatBytes(device.maxSharedBytes) +
                    ": choose smaller tiles, or promote fewer operands");
  if (threads > device.maxThreads)
    return failWith("kernel '" + kernel.entry + "' has " + std::to_string(threads) + " threads a workgroup; " +
                    device.id + " takes at most " + std::to_string(device.maxThreads) + ": choose smaller tiles");
  return Status::success();
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

// What the runtime asks of a device: memory, kernels, timed launches.
#pragma once
#include "core/device/TargetOptions.h"
#include "core/executable/CompiledDispatch.h"
#include "core/runtime/device/Executable.h"

namespace fuselage {

class CacheEviction;
class CudaContext;

/// A kernel made ready on a device.
class DeviceKernel {
public:
  explicit DeviceKernel(const CompiledKernel &kernel)
      : entry(kernel.entry), grid(kernel.grid), block(kernel.block), sharedBytes(kernel.sharedBytes) {}
  virtual ~DeviceKernel() = default;
  const std::string entry;
  const std::array<uint32_t, 3> grid, block;
  const uint64_t sharedBytes;
};

/// One launch; `buffers[i]` is kernel parameter or binding i.
struct Launch {
  DeviceKernel *kernel = nullptr;
  std::vector<DeviceBuffer *> buffers;
};

/// A GPU, a CPU that poses as one, or the host itself. Every error is a Failure that names the device, the kernel
/// or the size, and what to do. After a lost device, a time-out or a cancel in mid-launch the
/// object refuses further work; memory that the device may still write is freed when it is done.
class Device {
public:
  Device();
  virtual ~Device();
  virtual const DeviceInfo &info() const = 0;
  /// What code generation may assume.
  virtual TargetOptions targetOptions() const = 0;
  /// False where `run` can only tell the host's time around a launch.
  virtual bool hasTimestamps() const { return true; }
  /// What libraries for CUDA work in; null: it is another kind of device.
  virtual std::shared_ptr<CudaContext> cudaContext() const { return nullptr; }
  virtual Result<std::unique_ptr<DeviceBuffer>> allocate(uint64_t byteCount) = 0;
  /// True where the device's memory is the host's.
  virtual bool takesHostMemory() const { return false; }
  /// Takes host memory as a buffer, without a copy; null unless takesHostMemory().
  virtual std::unique_ptr<DeviceBuffer> wrap(std::shared_ptr<void> memory, uint64_t byteCount);
  /// Copies `bytes` to the front of the buffer, which is at least as large.
  virtual Status upload(DeviceBuffer &buffer, std::span<const uint8_t> bytes) = 0;
  virtual Status download(DeviceBuffer &buffer, std::span<uint8_t> bytes) = 0;
  virtual Result<std::unique_ptr<DeviceKernel>> load(const CompiledKernel &kernel) = 0;
  /// Runs the launches one after the other, each seeing what the former wrote. Microseconds of
  /// each, by the device's own clock where it has one.
  virtual Result<std::vector<double>> run(std::span<const Launch> launches, const WaitLimits &limits) = 0;

  /// Loads all kernels of a dispatch. The executable must not outlive the device.
  virtual Result<std::unique_ptr<Executable>> prepare(const CompiledDispatch &dispatch);
  /// Made when it is first asked for, and shared by all that is launched on the device.
  CacheEviction &cacheEviction();

private:
  std::unique_ptr<CacheEviction> eviction_;
};

/// Opens a device by id ("host", "vulkan:0", "cuda:1"; "vulkan" and "cuda" mean number 0).
/// Failure: no such device; lists those that exist, the likeliest first.
Result<std::unique_ptr<Device>> openDevice(std::string_view id);

/// Checks a kernel against a device's limits before the driver does.
Status checkKernelFits(const CompiledKernel &kernel, const DeviceInfo &device);

/// "12.0 MiB"
std::string formatBytes(uint64_t bytes);

} // namespace fuselage

#include "core/runtime/device/CudaDevice.h"
#include "core/device/CudaToolkit.h"
#include "core/device/NvidiaChips.h"
#include "core/runtime/device/CudaBuffer.h"
#include "core/runtime/device/CudaEvents.h"
#include "core/runtime/device/Models.h"

namespace fuselage {

namespace {

struct CudaKernel : DeviceKernel {
  CudaKernel(const CompiledKernel &kernel, std::shared_ptr<CudaContext> context)
      : DeviceKernel(kernel), context(std::move(context)) {}
  ~CudaKernel() override {
    if (module)
      context->destroy([module = module](const CudaDriver &driver) { driver.moduleUnload(module); });
  }
  std::shared_ptr<CudaContext> context;
  CUmodule module = nullptr;
  CUfunction function = nullptr;
  unsigned dynamicShared = 0;
  unsigned parameters = 0;
};

class CudaDevice : public Device {
public:
  explicit CudaDevice(std::shared_ptr<CudaContext> context) : context_(std::move(context)) {}
  const DeviceInfo &info() const override { return context_->info; }
  std::shared_ptr<CudaContext> cudaContext() const override { return context_; }
  TargetOptions targetOptions() const override;
  Result<std::unique_ptr<DeviceBuffer>> allocate(uint64_t byteCount) override;
  Status upload(DeviceBuffer &buffer, std::span<const uint8_t> bytes) override;
  Status download(DeviceBuffer &buffer, std::span<uint8_t> bytes) override;
  Result<std::unique_ptr<DeviceKernel>> load(const CompiledKernel &kernel) override;
  Result<std::vector<double>> run(std::span<const Launch> launches, const WaitLimits &limits) override;

private:
  Status launch(const Launch &launch);
  Status enqueue(std::span<const Launch> launches, const CudaEvents &events);
  Status finishCopy(CUresult result, const std::string &what);

  std::shared_ptr<CudaContext> context_;
};

} // namespace

/// Integer attribute of a device; 0 if the driver does not know it.
static int attributeOf(const CudaDriver &driver, CUdevice device, int attribute) {
  int value = 0;
  return driver.deviceGetAttribute(&value, attribute, device) == cuda::success ? value : 0;
}

/// "13.0"
static std::string versionText(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

/// What the driver says of device `number`; nullopt if there is none.
static std::optional<DeviceInfo> describe(const CudaDriver &driver, unsigned number) {
  CUdevice device = 0;
  if (driver.deviceGet(&device, number) != cuda::success)
    return std::nullopt;
  char name[256] = "";
  driver.deviceGetName(name, sizeof(name) - 1, device);
  size_t memory = 0;
  driver.deviceTotalMem(&memory, device);
  int version = 0;
  driver.driverGetVersion(&version);
  int shared = std::max(attributeOf(driver, device, cuda::attributeMaxShared),
                        attributeOf(driver, device, cuda::attributeMaxSharedOptIn));
  DeviceInfo info{.id = "cuda:" + std::to_string(number),
                  .name = name,
                  .api = "CUDA " + versionText(version),
                  .memoryBytes = memory,
                  .maxSharedBytes = static_cast<uint64_t>(shared),
                  .maxThreads = static_cast<uint32_t>(attributeOf(driver, device, cuda::attributeMaxThreads)),
                  .software = false,
                  .target = "sm_" + std::to_string(attributeOf(driver, device, cuda::attributeComputeMajor)) +
                            std::to_string(attributeOf(driver, device, cuda::attributeComputeMinor)),
                  .driver = "CUDA driver " + std::to_string(version)};
  info.model = cudaModel(info.name, info.target, [&](int attribute) { return attributeOf(driver, device, attribute); });
  return info;
}

/// Without blanks and line breaks at either end.
static std::string trimmed(std::string_view text) {
  constexpr const char *blanks = " \t\n\v\f\r";
  size_t first = text.find_first_not_of(blanks);
  return first == text.npos ? "" : std::string(text.substr(first, text.find_last_not_of(blanks) + 1 - first));
}

TargetOptions CudaDevice::targetOptions() const {
  const CudaDriver &driver = context_->driver;
  int version = 0;
  driver.driverGetVersion(&version);
  TargetOptions options;
  options.target = KernelTarget::Ptx;
  options.chip = info().target;
  options.features = ptxFeatureOf(options.chip, version);
  options.cudaToolkit = findCudaToolkit();
  // Kernels opt in to what goes beyond the 48 KiB of static memory.
  options.device = info().model;
  return options;
}

Result<std::unique_ptr<DeviceBuffer>> CudaDevice::allocate(uint64_t byteCount) {
  if (Status error = context_->enter())
    return error;
  CUdeviceptr address = 0;
  if (CUresult result = context_->driver.memAlloc(&address, std::max<uint64_t>(byteCount, 16)))
    return context_->error(result, "allocate " + formatBytes(byteCount));
  return std::make_unique<CudaBuffer>(context_, byteCount, address);
}

/// Copies go through the launches' stream, which orders them. A copy to or from pageable memory may
/// still be under way when the call returns (a copy by cuMemcpyHtoD too, which no launch in a
/// non-blocking stream would wait for), and the host's bytes are the caller's: wait.
Status CudaDevice::finishCopy(CUresult result, const std::string &what) {
  if (result == cuda::success)
    result = context_->driver.streamSynchronize(context_->stream);
  if (result != cuda::success)
    return context_->error(result, what);
  return Status::success();
}

Status CudaDevice::upload(DeviceBuffer &buffer, std::span<const uint8_t> bytes) {
  if (Status error = context_->enter())
    return error;
  if (bytes.size() > buffer.byteCount())
    return failWith("an upload of " + formatBytes(bytes.size()) + " does not fit its buffer");
  if (bytes.empty())
    return Status::success();
  CUresult result = context_->driver.memcpyHtoDAsync(static_cast<CudaBuffer &>(buffer).address, bytes.data(),
                                                     bytes.size(), context_->stream);
  return finishCopy(result, "take an upload of " + formatBytes(bytes.size()));
}

Status CudaDevice::download(DeviceBuffer &buffer, std::span<uint8_t> bytes) {
  if (Status error = context_->enter())
    return error;
  if (bytes.size() > buffer.byteCount())
    return failWith("a download of " + formatBytes(bytes.size()) + " is larger than its buffer");
  if (bytes.empty())
    return Status::success();
  CUresult result = context_->driver.memcpyDtoHAsync(bytes.data(), static_cast<CudaBuffer &>(buffer).address,
                                                     bytes.size(), context_->stream);
  return finishCopy(result, "give a download of " + formatBytes(bytes.size()));
}

Result<std::unique_ptr<DeviceKernel>> CudaDevice::load(const CompiledKernel &kernel) {
  const CudaDriver &driver = context_->driver;
  if (Status error = context_->enter())
    return error;
  if (Status error = checkKernelFits(kernel, info()))
    return error;
  auto loaded = std::make_unique<CudaKernel>(kernel, context_);
  loaded->parameters = kernel.arguments.size();
  std::vector<char> errorLog(16384), infoLog(4096);
  int options[] = {cuda::jitErrorLog, cuda::jitErrorLogBytes, cuda::jitInfoLog, cuda::jitInfoLogBytes};
  void *values[] = {errorLog.data(), reinterpret_cast<void *>(errorLog.size() - 1), infoLog.data(),
                    reinterpret_cast<void *>(infoLog.size() - 1)};
  if (CUresult result = driver.moduleLoadDataEx(&loaded->module, kernel.binary.c_str(), 4, options, values)) {
    loaded->module = nullptr;
    std::string message = context_->error(result, "compile the PTX of kernel '" + kernel.entry + "'").message();
    if (result == cuda::unsupportedPtxVersion)
      message += "; update the NVIDIA driver";
    return failWith(std::move(message), trimmed(errorLog.data()));
  }
  if (CUresult result = driver.moduleGetFunction(&loaded->function, loaded->module, kernel.entry.c_str()))
    return context_->error(result, "find kernel '" + kernel.entry + "' in its module");
  loaded->dynamicShared = kernel.dynamicSharedBytes;
  if (loaded->dynamicShared != 0)
    if (CUresult result =
            driver.funcSetAttribute(loaded->function, cuda::functionMaxDynamicShared, loaded->dynamicShared))
      return context_->error(result, "give kernel '" + kernel.entry + "' " + formatBytes(kernel.sharedBytes) +
                                         " of workgroup memory");
  int mostThreads = 0;
  uint64_t threads = uint64_t(kernel.block[0]) * kernel.block[1] * kernel.block[2];
  driver.funcGetAttribute(&mostThreads, cuda::functionMaxThreads, loaded->function);
  if (mostThreads > 0 && threads > static_cast<uint64_t>(mostThreads))
    return failWith("kernel '" + kernel.entry + "' has " + std::to_string(threads) +
                    " threads a workgroup, but its registers leave room for " + std::to_string(mostThreads) + " on " +
                    info().id + ": choose smaller tiles");
  return loaded;
}

/// Enqueues one launch.
Status CudaDevice::launch(const Launch &launch) {
  auto &kernel = static_cast<CudaKernel &>(*launch.kernel);
  if (launch.buffers.size() != kernel.parameters)
    return failWith("kernel '" + kernel.entry + "' has " + std::to_string(kernel.parameters) + " parameters, but " +
                    std::to_string(launch.buffers.size()) + " buffers are given");
  std::vector<CUdeviceptr> addresses;
  for (DeviceBuffer *buffer : launch.buffers)
    addresses.push_back(static_cast<CudaBuffer *>(buffer)->address);
  std::vector<void *> parameters;
  for (CUdeviceptr &address : addresses)
    parameters.push_back(&address);
  if (CUresult result = context_->driver.launchKernel(
          kernel.function, kernel.grid[0], kernel.grid[1], kernel.grid[2], kernel.block[0], kernel.block[1],
          kernel.block[2], kernel.dynamicShared, context_->stream, parameters.data(), nullptr))
    return context_->error(result, "launch kernel '" + kernel.entry + "'");
  return Status::success();
}

/// Puts the launches into the stream, each between two events.
Status CudaDevice::enqueue(std::span<const Launch> launches, const CudaEvents &events) {
  if (Status error = events.record(0))
    return error;
  for (size_t i = 0; i < launches.size(); ++i) {
    if (Status error = launch(launches[i]))
      return error;
    if (Status error = events.record(i + 1))
      return error;
  }
  return Status::success();
}

Result<std::vector<double>> CudaDevice::run(std::span<const Launch> launches, const WaitLimits &limits) {
  if (launches.empty())
    return std::vector<double>();
  if (Status error = context_->enter())
    return error;
  CudaEvents events(context_);
  if (Status error = events.create(launches.size() + 1))
    return error;
  Status enqueued = enqueue(launches, events);
  // Also where a launch was refused: those before it use memory that the caller is about to free.
  Status ended = context_->wait(limits, "kernel '" + launches.front().kernel->entry + "'");
  if (enqueued) {
    return enqueued;
  }
  if (ended)
    return ended;
  std::vector<double> times;
  for (size_t i = 0; i < launches.size(); ++i) {
    Result<double> time = events.microseconds(i);
    if (!time)
      return time.takeError();
    times.push_back(*time);
  }
  return times;
}

std::vector<DeviceInfo> listCudaDevices(const CudaDriver &driver) {
  int count = 0;
  if (driver.deviceGetCount(&count) != cuda::success)
    return {};
  std::vector<DeviceInfo> devices;
  for (int i = 0; i < count; ++i)
    if (auto info = describe(driver, i))
      devices.push_back(std::move(*info));
  return devices;
}

std::vector<DeviceInfo> listCudaDevices() {
  auto driver = CudaDriver::load();
  return driver ? listCudaDevices(*driver) : std::vector<DeviceInfo>();
}

Result<std::unique_ptr<Device>> openCudaDevice(const CudaDriver &driver, unsigned number) {
  auto info = describe(driver, number);
  if (!info)
    return failWith("there is no CUDA device number " + std::to_string(number));
  CUdevice device = 0;
  driver.deviceGet(&device, number);
  auto context = CudaContext::create(driver, std::move(*info), device);
  if (!context)
    return context.takeError();
  return std::make_unique<CudaDevice>(std::move(*context));
}

Result<std::unique_ptr<Device>> openCudaDevice(unsigned number) {
  auto driver = CudaDriver::load();
  if (!driver)
    return driver.takeError();
  return openCudaDevice(*driver, number);
}

} // namespace fuselage

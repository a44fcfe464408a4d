#include "core/runtime/device/HostDevice.h"
#include "core/runtime/host/HostCall.h"
#include "core/runtime/host/HostCode.h"
#include <cstdlib>
#include <cstring>

namespace fuselage {

namespace {

struct HostBuffer : DeviceBuffer {
  HostBuffer(std::shared_ptr<void> memory, uint64_t byteCount) : DeviceBuffer(byteCount), memory(std::move(memory)) {}
  std::shared_ptr<void> hostMemory() const override { return memory; }
  std::shared_ptr<void> memory;
};

struct HostKernel : DeviceKernel {
  HostKernel(const CompiledKernel &kernel, std::unique_ptr<HostCode> code)
      : DeviceKernel(kernel), code(std::move(code)) {}
  std::unique_ptr<HostCode> code;
};

class HostExecutable : public Executable {
public:
  HostExecutable(const CompiledKernel &kernel, std::unique_ptr<HostCode> code) : code_(std::move(code)) {
    kernels_.push_back({.entry = kernel.entry, .grid = kernel.grid, .block = kernel.block, .sharedBytes = 0});
  }
  Clock clock() const override { return Clock::Host; }
  /// Each call is one of a fresh copy of the process, whose first launches pay for its memory and threads.
  RepeatCounts countsOfSample() const override { return {.repeat = 5, .warmup = 2, .seconds = 0.05}; }
  Result<ExecutionResults> run(std::span<const DeviceValue> arguments, const ExecutionOptions &options) override;

private:
  std::unique_ptr<HostCode> code_;
};

class HostDevice : public Device {
public:
  HostDevice() : info_(hostDevice()) {}
  const DeviceInfo &info() const override { return info_; }
  bool hasTimestamps() const override { return false; }
  TargetOptions targetOptions() const override;
  Result<std::unique_ptr<DeviceBuffer>> allocate(uint64_t byteCount) override;
  bool takesHostMemory() const override { return true; }
  std::unique_ptr<DeviceBuffer> wrap(std::shared_ptr<void> memory, uint64_t byteCount) override {
    return std::make_unique<HostBuffer>(std::move(memory), byteCount);
  }
  Status upload(DeviceBuffer &buffer, std::span<const uint8_t> bytes) override;
  Status download(DeviceBuffer &buffer, std::span<uint8_t> bytes) override;
  Result<std::unique_ptr<DeviceKernel>> load(const CompiledKernel &kernel) override;
  Result<std::vector<double>> run(std::span<const Launch> launches, const WaitLimits &limits) override;
  Result<std::unique_ptr<Executable>> prepare(const CompiledDispatch &dispatch) override;

private:
  DeviceInfo info_;
};

} // namespace

static HostValue valueOf(DeviceBuffer &buffer, std::vector<int64_t> shape) {
  return {.memory = buffer.hostMemory(), .shape = std::move(shape), .byteCount = buffer.byteCount()};
}

/// Links the code of a kernel and finds its entry.
static Result<std::unique_ptr<HostCode>> link(const CompiledKernel &kernel) {
  if (!kernel.host)
    return failWith("kernel '" + kernel.entry + "' is none of the host's: compile it for the host");
  auto code = HostCode::load(kernel.binary, kernel.host);
  if (code)
    if (Status error = (*code)->prepare(kernel.entry))
      return error;
  return code;
}

Result<ExecutionResults> HostExecutable::run(std::span<const DeviceValue> arguments, const ExecutionOptions &options) {
  std::vector<HostValue> values;
  for (const DeviceValue &argument : arguments)
    values.push_back(valueOf(*argument.buffer, argument.shape));
  // The copy's writes to arguments, and what it leaves unwritten, stay in the copy.
  auto measured = measureOnHost(*code_, kernels_.front().entry, values, RepeatPlan(options.counts),
                                {.coldCaches = options.coldCaches, .cancelled = options.limits.cancelled});
  if (!measured)
    return measured.takeError();
  ExecutionResults results;
  for (HostValue &value : measured->values)
    results.values.push_back({.buffer = std::make_shared<HostBuffer>(std::move(value.memory), value.byteCount),
                              .shape = std::move(value.shape)});
  results.microseconds.push_back(std::move(measured->microseconds));
  results.cold = options.coldCaches ? "flushed" : "warm";
  results.overheadUs = measured->overheadUs;
  return results;
}

TargetOptions HostDevice::targetOptions() const {
  TargetOptions options;
  options.target = KernelTarget::Host;
  options.device = info_.model;
  return options;
}

Result<std::unique_ptr<DeviceBuffer>> HostDevice::allocate(uint64_t byteCount) {
  constexpr uint64_t line = 64;
  void *memory = std::aligned_alloc(line, (std::max<uint64_t>(byteCount, 1) + line - 1) / line * line);
  if (!memory)
    return failWith("the host has no " + formatBytes(byteCount) + ": use smaller sizes");
  return std::make_unique<HostBuffer>(std::shared_ptr<void>(memory, std::free), byteCount);
}

Status HostDevice::upload(DeviceBuffer &buffer, std::span<const uint8_t> bytes) {
  if (bytes.size() > buffer.byteCount())
    return failWith("an upload of " + formatBytes(bytes.size()) + " does not fit its buffer");
  std::memcpy(buffer.hostMemory().get(), bytes.data(), bytes.size());
  return Status::success();
}

Status HostDevice::download(DeviceBuffer &buffer, std::span<uint8_t> bytes) {
  if (bytes.size() > buffer.byteCount())
    return failWith("a download of " + formatBytes(bytes.size()) + " is larger than its buffer");
  std::memcpy(bytes.data(), buffer.hostMemory().get(), bytes.size());
  return Status::success();
}

Result<std::unique_ptr<DeviceKernel>> HostDevice::load(const CompiledKernel &kernel) {
  auto code = link(kernel);
  if (!code)
    return code.takeError();
  return std::make_unique<HostKernel>(kernel, std::move(*code));
}

/// Buffers are the arguments, then the results, all of sizes that are known.
static Result<double> runOnce(const Launch &launch, const WaitLimits &limits) {
  auto &kernel = static_cast<HostKernel &>(*launch.kernel);
  const HostFunctionForm &form = *kernel.code->formOf(kernel.entry);
  if (launch.buffers.size() != form.arguments.size() + form.results.size())
    return failWith("kernel '" + kernel.entry + "' has " + std::to_string(form.arguments.size() + form.results.size()) +
                    " parameters, but " + std::to_string(launch.buffers.size()) + " buffers are given");
  std::vector<HostValue> arguments;
  for (size_t i = 0; i < form.arguments.size(); ++i)
    arguments.push_back(valueOf(*launch.buffers[i], form.arguments[i].shape));
  auto measured = measureOnHost(*kernel.code, kernel.entry, arguments,
                                RepeatPlan({.repeat = 1, .warmup = 0, .seconds = limits.timeoutSeconds}),
                                {.cancelled = limits.cancelled});
  if (!measured)
    return measured.takeError();
  for (size_t i = 0; i < measured->values.size(); ++i) {
    const HostValue &value = measured->values[i];
    DeviceBuffer *buffer = launch.buffers[arguments.size() + i];
    if (value.byteCount > buffer->byteCount())
      return failWith("a result of kernel '" + kernel.entry + "' has " + formatBytes(value.byteCount) +
                      " and does not fit its buffer");
    std::memcpy(buffer->hostMemory().get(), value.data(), value.byteCount);
  }
  return measured->microseconds.front();
}

Result<std::vector<double>> HostDevice::run(std::span<const Launch> launches, const WaitLimits &limits) {
  std::vector<double> times;
  for (const Launch &launch : launches) {
    auto time = runOnce(launch, limits);
    if (!time)
      return time.takeError();
    times.push_back(*time);
  }
  return times;
}

Result<std::unique_ptr<Executable>> HostDevice::prepare(const CompiledDispatch &dispatch) {
  if (dispatch.kernels.size() != 1)
    return failWith("@" + dispatch.name + " has " + std::to_string(dispatch.kernels.size()) +
                    " kernels, and the host takes one");
  const CompiledKernel &kernel = dispatch.kernels.front();
  auto code = link(kernel);
  if (!code)
    return code.takeError();
  return std::make_unique<HostExecutable>(kernel, std::move(*code));
}

std::unique_ptr<Device> openHostDevice() { return std::make_unique<HostDevice>(); }

} // namespace fuselage

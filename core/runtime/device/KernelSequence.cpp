#include "core/runtime/device/KernelSequence.h"
#include <algorithm>
#include <chrono>
#include <numeric>

namespace fuselage {

Device::Device() = default;
Device::~Device() = default;

std::unique_ptr<DeviceBuffer> Device::wrap(std::shared_ptr<void>, uint64_t) { return nullptr; }

Result<std::unique_ptr<Executable>> Device::prepare(const CompiledDispatch &dispatch) {
  return KernelSequence::load(*this, dispatch);
}

CacheEviction &Device::cacheEviction() {
  if (!eviction_)
    eviction_ = std::make_unique<CacheEviction>(*this);
  return *eviction_;
}

/// Microseconds since `start`.
static double since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count();
}

Result<std::unique_ptr<Executable>> KernelSequence::load(Device &device, const CompiledDispatch &dispatch) {
  std::unique_ptr<KernelSequence> sequence(new KernelSequence(device, dispatch));
  for (const CompiledKernel &kernel : dispatch.kernels) {
    auto loaded = device.load(kernel);
    if (!loaded)
      return loaded.takeError();
    sequence->loaded_.push_back(std::move(*loaded));
    sequence->kernels_.push_back(
        {.entry = kernel.entry, .grid = kernel.grid, .block = kernel.block, .sharedBytes = kernel.sharedBytes});
  }
  return sequence;
}

/// Fills fresh memory with bytes that no result consists of by chance.
static Status mark(Device &device, DeviceBuffer &buffer) {
  std::vector<uint8_t> bytes(buffer.byteCount(), 0xff);
  return device.upload(buffer, bytes);
}

Result<KernelSequence::Buffers> KernelSequence::allocate(std::span<const DeviceValue> arguments, bool marksResults) {
  Buffers buffers;
  for (const DeviceValue &argument : arguments)
    buffers.push_back(argument.buffer);
  auto add = [&](uint64_t bytes) -> Status {
    auto buffer = device_.allocate(bytes);
    if (!buffer)
      return buffer.takeError();
    buffers.push_back(std::move(*buffer));
    return marksResults ? mark(device_, *buffers.back()) : Status::success();
  };
  for (const ResultForm &result : dispatch_.results)
    if (Status error = add(result.bytes))
      return error;
  for (uint64_t bytes : dispatch_.scratchBytes)
    if (Status error = add(bytes))
      return error;
  return buffers;
}

/// The kernels on one set of buffers.
Result<std::vector<Launch>> KernelSequence::launchesOn(const Buffers &buffers) {
  std::vector<Launch> launches;
  for (size_t i = 0; i < loaded_.size(); ++i) {
    const CompiledKernel &kernel = dispatch_.kernels[i];
    Launch launch{.kernel = loaded_[i].get(), .buffers = {}};
    for (unsigned number : kernel.arguments) {
      if (number >= buffers.size())
        return failWith("kernel '" + kernel.entry + "' takes buffer " + std::to_string(number) + " of @" +
                        dispatch_.name + ", which has " + std::to_string(buffers.size()));
      launch.buffers.push_back(buffers[number].get());
    }
    launches.push_back(std::move(launch));
  }
  return launches;
}

Status KernelSequence::launch(const Buffers &buffers, const WaitLimits &limits, bool isTimed,
                              ExecutionResults &results) {
  auto launches = launchesOn(buffers);
  if (!launches)
    return launches.takeError();
  auto called = std::chrono::steady_clock::now();
  auto times = device_.run(*launches, limits);
  double wall = since(called);
  if (!times)
    return times.takeError();
  if (!isTimed)
    return Status::success();
  results.submitUs.push_back(wall - std::accumulate(times->begin(), times->end(), 0.0));
  for (size_t i = 0; i < times->size(); ++i)
    results.microseconds[i].push_back((*times)[i]);
  return Status::success();
}

Status KernelSequence::save(std::span<const DeviceValue> arguments) {
  std::vector<std::shared_ptr<DeviceBuffer>> buffers;
  for (const DeviceValue &argument : arguments)
    buffers.push_back(argument.buffer);
  if (savedOf_ == buffers)
    return Status::success();
  saved_.clear();
  for (const auto &buffer : buffers)
    if (Status error = device_.download(*buffer, saved_.emplace_back(buffer->byteCount())))
      return error;
  savedOf_ = std::move(buffers);
  return Status::success();
}

Status KernelSequence::restore(const Buffers &buffers, ExecutionResults &results) {
  auto start = std::chrono::steady_clock::now();
  for (size_t i = 0; i < buffers.size(); ++i)
    if (Status error = i < saved_.size() ? device_.upload(*buffers[i], saved_[i]) : mark(device_, *buffers[i]))
      return error;
  results.uploadUs += since(start);
  return Status::success();
}

Result<ExecutionResults> KernelSequence::run(std::span<const DeviceValue> arguments, const ExecutionOptions &options) {
  if (options.restoresArguments)
    if (Status error = save(arguments))
      return error;
  auto buffers = allocate(arguments, options.marksResults && !options.restoresArguments);
  if (!buffers)
    return buffers.takeError();
  ExecutionResults results;
  results.microseconds.resize(loaded_.size());
  for (size_t i = 0; i < dispatch_.results.size(); ++i)
    results.values.push_back({.buffer = (*buffers)[arguments.size() + i], .shape = dispatch_.results[i].shape});

  // Warms up on the first set of buffers, then times launches on all of them.
  ColdBuffers cold(device_, device_.cacheEviction(), std::move(*buffers), arguments.size());
  bool isCold = options.coldCaches && !options.restoresArguments, hasSets = false;
  RepeatCounts counts = options.counts;
  if (counts.repeat == 1 && isWarm_)
    counts.warmup = 0; // one is enough for a loop that comes here often
  RepeatPlan plan(counts);
  // Seconds of the launch in which the driver compiles, and of one in which it does not.
  std::optional<double> first, least;
  while (plan.more()) {
    if (options.limits.cancelled && options.limits.cancelled->load())
      return failWith("cancelled");
    bool isTimed = plan.timed();
    if (isTimed && !hasSets && isCold)
      cold.prepare(std::max(options.counts.repeat, 1u));
    hasSets |= isTimed;
    if (options.restoresArguments)
      if (Status error = restore(cold.original(), results))
        return error;
    auto start = std::chrono::steady_clock::now();
    if (Status error = launch(isTimed && isCold ? cold.next() : cold.original(), options.limits, isTimed, results))
      return error;
    double seconds = since(start) * 1e-6;
    plan.ran(seconds, isTimed);
    if (!std::exchange(isWarm_, true))
      first = seconds;
    else if (isTimed)
      least = std::min(seconds, least.value_or(seconds));
  }
  if (first && least)
    results.compileUs = std::max(0.0, *first - *least) * 1e6;
  if (isCold)
    results.cold = cold.how();
  return results;
}

} // namespace fuselage

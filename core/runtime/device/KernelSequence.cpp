#include "core/runtime/device/KernelSequence.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <chrono>
#include <numeric>

namespace fuselage {

Device::Device() = default;
Device::~Device() = default;

std::unique_ptr<DeviceBuffer> Device::wrap(std::shared_ptr<void>, uint64_t) { return nullptr; }

llvm::Expected<std::unique_ptr<Executable>> Device::prepare(const CompiledDispatch &dispatch) {
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

llvm::Expected<std::unique_ptr<Executable>> KernelSequence::load(Device &device, const CompiledDispatch &dispatch) {
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
static llvm::Error mark(Device &device, DeviceBuffer &buffer) {
  std::vector<uint8_t> bytes(buffer.byteCount(), 0xff);
  return device.upload(buffer, bytes);
}

llvm::Expected<KernelSequence::Buffers> KernelSequence::allocate(llvm::ArrayRef<DeviceValue> arguments,
                                                                 bool marksResults) {
  Buffers buffers;
  for (const DeviceValue &argument : arguments)
    buffers.push_back(argument.buffer);
  auto add = [&](uint64_t bytes) -> llvm::Error {
    auto buffer = device_.allocate(bytes);
    if (!buffer)
      return buffer.takeError();
    buffers.push_back(std::move(*buffer));
    return marksResults ? mark(device_, *buffers.back()) : llvm::Error::success();
  };
  for (const ResultForm &result : dispatch_.results)
    if (llvm::Error error = add(result.bytes))
      return error;
  for (uint64_t bytes : dispatch_.scratchBytes)
    if (llvm::Error error = add(bytes))
      return error;
  return buffers;
}

/// The kernels on one set of buffers.
llvm::Expected<std::vector<Launch>> KernelSequence::launchesOn(const Buffers &buffers) {
  std::vector<Launch> launches;
  for (auto [kernel, loaded] : llvm::zip_equal(dispatch_.kernels, loaded_)) {
    Launch launch{.kernel = loaded.get(), .buffers = {}};
    for (unsigned number : kernel.arguments) {
      if (number >= buffers.size())
        return fail("kernel '" + kernel.entry + "' takes buffer " + std::to_string(number) + " of @" + dispatch_.name +
                    ", which has " + std::to_string(buffers.size()));
      launch.buffers.push_back(buffers[number].get());
    }
    launches.push_back(std::move(launch));
  }
  return launches;
}

llvm::Error KernelSequence::launch(const Buffers &buffers, const WaitLimits &limits, bool isTimed,
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
    return llvm::Error::success();
  results.submitUs.push_back(wall - std::accumulate(times->begin(), times->end(), 0.0));
  for (auto [samples, time] : llvm::zip_equal(results.microseconds, *times))
    samples.push_back(time);
  return llvm::Error::success();
}

llvm::Error KernelSequence::save(llvm::ArrayRef<DeviceValue> arguments) {
  std::vector<std::shared_ptr<DeviceBuffer>> buffers;
  for (const DeviceValue &argument : arguments)
    buffers.push_back(argument.buffer);
  if (savedOf_ == buffers)
    return llvm::Error::success();
  saved_.clear();
  for (const auto &buffer : buffers)
    if (llvm::Error error = device_.download(*buffer, saved_.emplace_back(buffer->byteCount())))
      return error;
  savedOf_ = std::move(buffers);
  return llvm::Error::success();
}

llvm::Error KernelSequence::restore(const Buffers &buffers, ExecutionResults &results) {
  auto start = std::chrono::steady_clock::now();
  for (auto [index, buffer] : llvm::enumerate(buffers))
    if (llvm::Error error = index < saved_.size() ? device_.upload(*buffer, saved_[index]) : mark(device_, *buffer))
      return error;
  results.uploadUs += since(start);
  return llvm::Error::success();
}

llvm::Expected<ExecutionResults> KernelSequence::run(llvm::ArrayRef<DeviceValue> arguments,
                                                     const ExecutionOptions &options) {
  if (options.restoresArguments)
    if (llvm::Error error = save(arguments))
      return error;
  auto buffers = allocate(arguments, options.marksResults && !options.restoresArguments);
  if (!buffers)
    return buffers.takeError();
  ExecutionResults results;
  results.microseconds.resize(loaded_.size());
  for (auto [index, form] : llvm::enumerate(dispatch_.results))
    results.values.push_back({.buffer = (*buffers)[arguments.size() + index], .shape = form.shape});

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
      return fail("cancelled");
    bool isTimed = plan.timed();
    if (isTimed && !hasSets && isCold)
      cold.prepare(std::max(options.counts.repeat, 1u));
    hasSets |= isTimed;
    if (options.restoresArguments)
      if (llvm::Error error = restore(cold.original(), results))
        return error;
    auto start = std::chrono::steady_clock::now();
    if (llvm::Error error = launch(isTimed && isCold ? cold.next() : cold.original(), options.limits, isTimed, results))
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

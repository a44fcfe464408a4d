// Kernels that a device launches one after the other.
#pragma once
#include "core/runtime/device/ColdBuffers.h"

namespace fuselage {

/// A dispatch on a device with memory and a queue of its own.
class KernelSequence : public Executable {
public:
  static Result<std::unique_ptr<Executable>> load(Device &device, const CompiledDispatch &dispatch);
  Clock clock() const override { return device_.hasTimestamps() ? Clock::Device : Clock::Host; }
  RepeatCounts countsOfSample() const override { return {.repeat = 1, .warmup = 0, .seconds = 1e9}; }
  Result<ExecutionResults> run(std::span<const DeviceValue> arguments, const ExecutionOptions &options) override;

private:
  using Buffers = ColdBuffers::Set; ///< arguments, results, scratch memory, as CompiledDispatch numbers them

  KernelSequence(Device &device, const CompiledDispatch &dispatch) : device_(device), dispatch_(dispatch) {}
  Result<Buffers> allocate(std::span<const DeviceValue> arguments, bool marksResults);
  Result<std::vector<Launch>> launchesOn(const Buffers &buffers);
  Status launch(const Buffers &buffers, const WaitLimits &limits, bool isTimed, ExecutionResults &results);
  Status save(std::span<const DeviceValue> arguments);
  /// Arguments as they were, and marked bytes in all else.
  Status restore(const Buffers &buffers, ExecutionResults &results);

  Device &device_;
  CompiledDispatch dispatch_;
  std::vector<std::unique_ptr<DeviceKernel>> loaded_{};
  bool isWarm_ = false; ///< it was launched before, and its driver has compiled it
  std::vector<std::shared_ptr<DeviceBuffer>> savedOf_{};
  std::vector<std::vector<uint8_t>> saved_{}; ///< what arguments are restored to
};

} // namespace fuselage

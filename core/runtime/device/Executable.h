// A dispatch made ready on a device, whatever the device is.
#pragma once
#include "core/runtime/device/DeviceInfo.h"
#include "core/runtime/host/RepeatPlan.h"
#include "core/support/Result.h"
#include <array>
#include <atomic>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace fuselage {

/// Memory on a device; freed with the object. A buffer may outlive its Device object.
class DeviceBuffer {
public:
  explicit DeviceBuffer(uint64_t byteCount) : byteCount_(byteCount) {}
  virtual ~DeviceBuffer() = default;
  uint64_t byteCount() const { return byteCount_; }
  /// The memory itself, where that is the host's; null: Device::download() fetches it.
  virtual std::shared_ptr<void> hostMemory() const { return nullptr; }

private:
  uint64_t byteCount_;
};

/// A dense, row-major tensor, or a scalar, on a device.
struct DeviceValue {
  std::shared_ptr<DeviceBuffer> buffer{};
  std::vector<int64_t> shape{};
};

/// When to give up waiting for launches.
struct WaitLimits {
  double timeoutSeconds = 10;
  const std::atomic<bool> *cancelled = nullptr;
};

struct ExecutionOptions {
  RepeatCounts counts{};
  /// Timed launches find nothing of theirs in the caches; else what the launch before left there.
  bool coldCaches = false;
  /// Before each launch arguments get what they held at first, as kernels may write to them, and goes before
  /// `coldCaches` where a device cannot do both.
  bool restoresArguments = false;
  /// Fresh memory of results holds bytes that no result consists of by chance (NaN in every float format), so that a
  /// kernel that leaves elements out cannot pass.
  bool marksResults = true;
  WaitLimits limits{};
};

struct ExecutionResults {
  std::vector<DeviceValue> values{};               ///< of the last launch
  std::vector<std::vector<double>> microseconds{}; ///< of each kernel, its timed launches
  std::string cold = "warm";                       ///< what a timed launch found in the caches: "flushed", "rotated"
  std::vector<double> submitUs{}; ///< what each submission took beside its kernels' own times; empty: there was none
  double overheadUs = 0;          ///< around all of it: copies of the process
  double uploadUs = 0;            ///< to restore arguments
  double compileUs = 0;           ///< in the first launch ever, in which a driver compiles
};

/// The launches of a dispatch. Not thread-safe.
class Executable {
public:
  /// A kernel as it is launched.
  struct Kernel {
    std::string entry;
    std::array<uint32_t, 3> grid{1, 1, 1}, block{1, 1, 1};
    uint64_t sharedBytes = 0;
  };

  virtual ~Executable() = default;
  const std::vector<Kernel> &kernels() const { return kernels_; }
  /// Whose clock times are from.
  virtual Clock clock() const = 0;
  /// How often to launch for one sample that counts.
  virtual RepeatCounts countsOfSample() const = 0;
  /// Launches it as often as the options say. Failure: as of Device::run(), or a result's memory is not to be had.
  virtual Result<ExecutionResults> run(std::span<const DeviceValue> arguments, const ExecutionOptions &options) = 0;

protected:
  std::vector<Kernel> kernels_{};
};

} // namespace fuselage

// How a run is asked for.
#pragma once
#include "core/executable/HostLimits.h"
#include "core/run/parameters/InputFiles.h"
#include "core/runtime/device/DeviceInfo.h"
#include "core/runtime/host/RepeatPlan.h"
#include "llvm/ADT/StringRef.h"
#include <atomic>
#include <functional>
#include <map>
#include <string>

namespace fuselage {

class DispatchTuning;
class RunRecorder;
class HostTensor;
class Baselines;
struct RunProgress;

struct RunOptions {
  std::string device = kHostId;
  unsigned repeat = 20;
  unsigned warmup = 3; ///< launches before those, which nobody times; there is always one
  uint64_t seed = 1;
  std::string function;   ///< empty: the first public function with a body
  std::string dispatch{}; ///< only this one, on inputs of its own: number, name or place (SingleDispatch.h)
  std::map<std::string, int64_t> sizes;      ///< dynamic sizes: "arg0.1" -> 128
  std::map<std::string, std::string> inputs; ///< "arg0" -> "zeros", see InputValue.h; else random
  InputFiles files{};                        ///< for what `inputs` does not name
  /// A dispatch is not repeated any more once its launches took this long (one is always timed).
  double secondsPerDispatch = 5;
  /// The same, for all dispatches together: each gets its part.
  double secondsForAll = 40;
  /// A launch that takes longer counts as hanging; 0: 30 s on a GPU, 600 s on a software device.
  double timeoutSeconds = 0;
  /// Timed launches find their data outside of the caches; else where the launch before left it.
  bool coldCaches = true;
  /// On NVIDIA's devices: products of f32 numbers by instructions that take 10 bits of their 23, and tolerances by
  /// that.
  bool tf32 = false;
  HostLimits host{};                                 ///< of each program on the host, the reference first of all
  std::function<void(const RunProgress &)> progress; ///< may be called on any thread, on one at a time
  RunRecorder *recorder = nullptr;                   ///< sees what dispatches are compared with; null: nobody
  Baselines *baselines = nullptr;                    ///< what is measured beside; null: nothing
  const DispatchTuning *tuning =
      nullptr; ///< sizes of dispatches that were found to be better; null: what the pipeline chooses
  const std::atomic<bool> *cancelled = nullptr;
  bool keepsFinished = false; ///< a cancelled run gives the rows that have finished, if there are any
  /// For tests of the checks: changes what a dispatch gave before it is compared. What the program
  /// goes on with stays as it is.
  std::function<void(HostTensor &)> alter{};

  /// The first launch is never one that counts: drivers compile then, and memory is touched for the first time.
  RepeatCounts counts() const { return {repeat, repeat > 1 ? std::max(warmup, 1u) : 1, secondsPerDispatch}; }
};

} // namespace fuselage

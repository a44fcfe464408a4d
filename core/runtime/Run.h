// Runs a module's dispatches on a device and checks them against the host.
#pragma once
#include "core/ir/Session.h"
#include "core/support/Error.h"
#include <array>
#include <atomic>
#include <functional>
#include <map>

namespace fuselage {

/// A device that exists now: "host", "vulkan:0", "cuda:0".
struct DeviceInfo {
  std::string id;
  std::string name;
  std::string api;             ///< "host", "Vulkan 1.3.2", "CUDA 13.0"
  uint64_t memoryBytes = 0;    ///< 0: unknown
  uint64_t maxSharedBytes = 0; ///< workgroup memory of one workgroup
  uint32_t maxThreads = 0;
  bool software = false; ///< lavapipe and the host
  std::string target;    ///< PTX: "sm_90"; SPIR-V: version
};
/// Always holds the host. Missing drivers are no error: they only list nothing.
std::vector<DeviceInfo> listDevices();

struct RunOptions {
  std::string device = "host";
  unsigned repeat = 20;
  unsigned warmup = 3;
  uint64_t seed = 1;
  std::string function;                 ///< empty: the first public function with a body
  std::map<std::string, int64_t> sizes; ///< dynamic sizes: "arg0.1" -> 128
  /// A dispatch is not repeated any more once its launches took this long (one is always timed).
  double secondsPerDispatch = 5;
  /// A launch that takes longer counts as hanging; 0: 30 s on a GPU, 600 s on a software device.
  double timeoutSeconds = 0;
  std::function<void(unsigned done, unsigned total, llvm::StringRef what)> progress;
  const std::atomic<bool> *cancelled = nullptr;
};

/// One launch's figures. gflops and gbps are the dispatch's cost by the sum of the median_us of its
/// kernels; -1 where the cost is unknown. Errors compare the dispatch's results with the host
/// reference of the unfused input on the same random inputs; max_rel_error is
/// max|a-b| / max(1e-6, max|b|) over a result, infinite where one of the two is NaN or infinite.
/// ok: within the relative tolerance of the least exact floating-point type in the function (f64
/// 1e-9, f32 1e-4, f16 1e-2, bf16 4e-2, narrower 0.25); integers must be equal.
struct KernelReport {
  std::string dispatch, device, kernel; ///< device is "host" where the device could not take it
  std::string loc;                      ///< file:line:col of the dispatch's root op; empty: unknown
  int64_t dispatchIndex = -1;           ///< order of flow.dispatch.region in the formed module
  std::array<uint32_t, 3> grid{1, 1, 1}, block{1, 1, 1};
  uint64_t sharedBytes = 0;
  double minUs = 0, medianUs = 0, p95Us = 0;
  double gflops = -1, gbps = -1;
  bool gbpsAtMost = false; ///< data decides what is read; it may be less
  double maxAbsError = 0, maxRelError = 0;
  bool ok = false;
};

struct OutputReport {
  std::string type;
  double maxAbsError = 0, maxRelError = 0;
  bool ok = false;
};

struct RunReport {
  std::string device, function;
  std::vector<KernelReport> kernels;
  std::vector<OutputReport> outputs; ///< the function's results, end to end
  std::vector<Diagnostic> remarks;
  bool ok = false;
};

/// Forms dispatches in a copy of `module` if it has none, compiles, runs, checks.
/// A dynamic shape without a size is a Failure that names the sizes to give. A dispatch that cannot
/// be compiled for the device runs on the host, with a remark that says why. A result that is off
/// is no Failure: `ok` says so. Failure also: no such device or function, a lost or hanging device,
/// a lack of memory, a cancel (the message begins with "cancelled").
llvm::Expected<RunReport> runModule(Session &session, mlir::ModuleOp module,
                                    const RunOptions &options);

/// {"version":1,"device":..,"function":..,"kernels":[{dispatch, device, grid, block, shared_bytes,
/// min_us, median_us, p95_us, gflops, gbps, gbps_at_most, max_abs_error, max_rel_error,
/// ok}],"outputs":[..],"ok":..}
llvm::json::Value toJSON(const RunReport &report);
/// {id, name, api, memory_bytes, max_shared_bytes, max_threads, software, target}
llvm::json::Value toJSON(const DeviceInfo &device);

} // namespace fuselage

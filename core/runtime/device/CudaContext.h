// A CUDA context that frees its parts only when the device no longer uses them.
#pragma once
#include "core/runtime/device/CudaDriver.h"
#include "core/runtime/device/Device.h"
#include <functional>
#include <memory>
#include <mutex>

namespace fuselage {

/// The primary context of a device with a stream of its own, which all copies and launches go
/// through: the stream does not wait for the default stream, nor the default stream for it.
/// Buffers, kernels and the Device object share it. While a launch that nobody waits for any more
/// is running, objects given to `destroy` are kept until it ends.
class CudaContext : public std::enable_shared_from_this<CudaContext> {
public:
  static Result<std::shared_ptr<CudaContext>> create(const CudaDriver &driver, DeviceInfo info, CUdevice device);
  ~CudaContext();
  CudaContext(const CudaContext &) = delete;

  const CudaDriver driver;
  const DeviceInfo info;
  const CUdevice device;
  CUstream stream = nullptr;

  /// Makes the context current on this thread; a Failure if the device takes no more work.
  Status enter();
  /// A Failure for a driver call that went wrong. Errors that leave the context useless make the
  /// device refuse further work.
  Status error(CUresult result, const std::string &what);
  /// Runs `destroyer` with the context current, now or once the abandoned work has ended.
  void destroy(std::function<void(const CudaDriver &)> destroyer);
  /// Waits for all that is in the stream. Failure: the device's, a cancel, or it takes longer than it may: then the
  /// work is abandoned. `what` is that in words: "kernel 'axpy'".
  Status wait(const WaitLimits &limits, const std::string &what);
  /// Gives up on the work in the stream: a thread of its own waits for it, and then frees what was
  /// given to `destroy` meanwhile.
  void abandon(std::string why);

private:
  CudaContext(const CudaDriver &driver, DeviceInfo info, CUdevice device)
      : driver(driver), info(std::move(info)), device(device) {}
  Status refuse(std::string why);
  void waitForAbandonedWork();

  CUcontext context_ = nullptr;
  std::mutex mutex_;
  bool abandoned_ = false;
  std::string refusal_;
  std::vector<std::function<void(const CudaDriver &)>> deferred_;
};

} // namespace fuselage

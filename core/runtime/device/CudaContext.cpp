#include "core/runtime/device/CudaContext.h"
#include "core/support/Result.h"
#include <chrono>
#include <thread>

namespace fuselage {

Result<std::shared_ptr<CudaContext>> CudaContext::create(const CudaDriver &driver, DeviceInfo info, CUdevice device) {
  std::shared_ptr<CudaContext> context(new CudaContext(driver, std::move(info), device));
  if (CUresult result = driver.primaryCtxRetain(&context->context_, device)) {
    context->context_ = nullptr;
    return context->error(result, "be opened");
  }
  if (Status error = context->enter())
    return error;
  constexpr unsigned nonBlocking = 1;
  if (CUresult result = driver.streamCreate(&context->stream, nonBlocking)) {
    context->stream = nullptr;
    return context->error(result, "make a stream");
  }
  return context;
}

CudaContext::~CudaContext() {
  if (!context_)
    return;
  driver.ctxSetCurrent(context_);
  if (stream)
    driver.streamDestroy(stream);
  driver.ctxSetCurrent(nullptr);
  driver.primaryCtxRelease(device);
}

Status CudaContext::enter() {
  {
    std::lock_guard lock(mutex_);
    if (!refusal_.empty())
      return failWith(refusal_);
  }
  if (CUresult result = driver.ctxSetCurrent(context_))
    return error(result, "be made current");
  return Status::success();
}

Status CudaContext::refuse(std::string why) {
  std::lock_guard lock(mutex_);
  refusal_ = std::move(why);
  return failWith(refusal_);
}

/// Errors after which, by the driver's documentation, every further call returns the same error
/// until the process ends.
static bool losesContext(CUresult result) {
  switch (result) {
  case cuda::eccUncorrectable:
  case cuda::nvlinkUncorrectable:
  case cuda::contained:
  case cuda::illegalAddress:
  case cuda::deviceAssert:
  case cuda::hardwareStackError:
  case cuda::illegalInstruction:
  case cuda::misalignedAddress:
  case cuda::invalidAddressSpace:
  case cuda::invalidPc:
  case cuda::launchFailed:
  case cuda::tensorMemoryLeak:
    return true;
  default:
    return false;
  }
}

/// Whether it is the hardware that failed, and not the kernel.
static bool isHardware(CUresult result) {
  return result == cuda::eccUncorrectable || result == cuda::nvlinkUncorrectable || result == cuda::contained;
}

Status CudaContext::error(CUresult result, const std::string &what) {
  std::string text = info.id + " could not " + what + ": " + driver.errorText(result);
  if (losesContext(result))
    return refuse(info.id + " was lost: " + text +
                  (isHardware(result) ? ". The device's memory or links fail" : ". The kernel went astray") +
                  "; the context is lost. Run again in a fresh process");
  switch (result) {
  case cuda::launchTimeout:
  case cuda::deinitialized:
  case cuda::noDevice:
  case cuda::contextIsDestroyed:
    return refuse(info.id + " (" + info.name + ") was lost: " + text +
                  ". Run again in a fresh process, or choose another device");
  case cuda::launchOutOfResources:
    return failWith(text + ": too many registers or threads; choose smaller tiles");
  case cuda::outOfMemory:
    return failWith("out of memory: " + text + "; use smaller sizes or another device");
  default:
    return failWith(text);
  }
}

void CudaContext::destroy(std::function<void(const CudaDriver &)> destroyer) {
  {
    std::lock_guard lock(mutex_);
    if (abandoned_) {
      deferred_.push_back(std::move(destroyer));
      return;
    }
  }
  driver.ctxSetCurrent(context_);
  destroyer(driver);
}

void CudaContext::abandon(std::string why) {
  {
    std::lock_guard lock(mutex_);
    abandoned_ = true;
    refusal_ = std::move(why);
  }
  // The thread's share is the last one if everybody else has let go: then it also tears down.
  std::thread([self = shared_from_this()] { self->waitForAbandonedWork(); }).detach();
}

/// Polls, so that a cancel or a hanging kernel ends the wait.
Status CudaContext::wait(const WaitLimits &limits, const std::string &what) {
  auto start = std::chrono::steady_clock::now();
  while (true) {
    CUresult result = driver.streamQuery(stream);
    if (result == cuda::success)
      return Status::success();
    if (result != cuda::notReady)
      return error(result, "finish " + what);
    std::chrono::duration<double> waited = std::chrono::steady_clock::now() - start;
    if (limits.cancelled && limits.cancelled->load()) {
      abandon(info.id + " is still busy with a cancelled launch");
      return failWith("cancelled while " + info.id + " was running " + what);
    }
    if (waited.count() > limits.timeoutSeconds) {
      std::string text =
          what + " did not finish on " + info.id + " within " + std::to_string(int64_t(limits.timeoutSeconds)) + " s";
      abandon(info.id + " hangs: " + text);
      return failWith(text + ": the kernel hangs, or the device is too slow for this size");
    }
    if (waited.count() > 1e-3)
      std::this_thread::sleep_for(std::chrono::microseconds(100));
  }
}

void CudaContext::waitForAbandonedWork() {
  driver.ctxSetCurrent(context_);
  // Any other answer means that nothing runs any more: it has ended, or the context is lost.
  while (driver.streamQuery(stream) == cuda::notReady)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  std::vector<std::function<void(const CudaDriver &)>> ready;
  {
    std::lock_guard lock(mutex_);
    abandoned_ = false;
    ready.swap(deferred_);
  }
  for (auto &destroyer : ready)
    destroyer(driver);
}

} // namespace fuselage

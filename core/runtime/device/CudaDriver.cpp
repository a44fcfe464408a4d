#include "core/runtime/device/CudaDriver.h"
#include <dlfcn.h>

namespace fuselage {

Result<CudaDriver> CudaDriver::resolve(const std::function<void *(const char *)> &lookUp) {
  CudaDriver driver;
  std::string missing;
#define FUSELAGE_RESOLVE(member, symbol, parameters)                                                                   \
  driver.member = reinterpret_cast<CUresult(*) parameters>(lookUp(symbol));                                            \
  if (!driver.member)                                                                                                  \
    missing += (missing.empty() ? "" : ", ") + std::string(symbol);
  FUSELAGE_CUDA_FUNCTIONS(FUSELAGE_RESOLVE)
#undef FUSELAGE_RESOLVE
  if (!missing.empty())
    return failWith("the CUDA driver is too old: it lacks " + missing + "; update the NVIDIA driver to 470 or newer");
  return driver;
}

Result<CudaDriver> CudaDriver::load() {
  void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return failWith("there is no CUDA driver (libcuda.so.1) on this machine; install NVIDIA's driver");
  auto driver = resolve([&](const char *symbol) { return dlsym(library, symbol); });
  if (!driver)
    return driver.takeError();
  if (CUresult result = driver->init(0))
    return failWith("the CUDA driver does not start: " + driver->errorText(result));
  return driver;
}

std::string CudaDriver::errorText(CUresult error) const {
  const char *name = nullptr, *text = nullptr;
  if (getErrorName && getErrorName(error, &name) != cuda::success)
    name = nullptr;
  if (getErrorString && getErrorString(error, &text) != cuda::success)
    text = nullptr;
  std::string result = name ? name : "CUDA error " + std::to_string(error);
  if (text)
    result += " (" + std::string(text) + ")";
  return result;
}

} // namespace fuselage

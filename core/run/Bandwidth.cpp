#include "core/run/Bandwidth.h"
#include "core/run/Run.h"

namespace fuselage {

/// Reads a tensor and writes one of its size.
static std::string copyModule(int64_t elements) {
  std::string type = "tensor<" + std::to_string(elements) + "xf32>";
  std::string text = R"(
func.func @copy(%in: TYPE) -> TYPE {
  %empty = tensor.empty() : TYPE
  %out = linalg.negf ins(%in : TYPE) outs(%empty : TYPE) -> TYPE
  return %out : TYPE
})";
  constexpr llvm::StringLiteral mark = "TYPE";
  for (size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at + type.size()))
    text.replace(at, mark.size(), type);
  return text;
}

/// Elements enough that neither tensor stays in a cache.
static int64_t elementsFor(llvm::StringRef device) {
  constexpr int64_t million = 1 << 20;
  for (const DeviceInfo &info : listDevices())
    if (info.id == device && !info.software)
      return 64 * million;
  return 16 * million;
}

llvm::Expected<double> measureBandwidth(Session &session, llvm::StringRef device) {
  int64_t elements = elementsFor(device);
  auto module = session.parse(copyModule(elements), "bandwidth");
  if (!module)
    return module.takeError();
  RunOptions options;
  options.device = device.str();
  options.repeat = 10;
  options.secondsPerDispatch = 1;
  llvm::Expected<RunReport> report = runModule(session, **module, options);
  if (!report)
    return report.takeError();
  double microseconds = 0;
  for (const KernelReport &kernel : report->kernels) {
    if (kernel.device != report->device)
      return fail("the bandwidth of " + device.str() + " cannot be measured: it does not take the kernel");
    microseconds += kernel.minUs;
  }
  if (!report->ok() || microseconds <= 0)
    return fail("the bandwidth of " + device.str() + " cannot be measured: the kernel's result or time is wrong");
  return 2.0 * sizeof(float) * elements / (microseconds * 1e3);
}

} // namespace fuselage

#include "core/runtime/Run.h"
#include <cmath>
#include <limits>

namespace fuselage {

/// JSON has no infinity.
static double finite(double value) {
  if (std::isnan(value))
    return std::numeric_limits<double>::max();
  constexpr double most = std::numeric_limits<double>::max();
  return std::min(std::max(value, -most), most);
}

static llvm::json::Array toJSON(const std::array<uint32_t, 3> &sizes) {
  return llvm::json::Array{sizes[0], sizes[1], sizes[2]};
}

static llvm::json::Value toJSON(const KernelReport &kernel) {
  return llvm::json::Object{{"dispatch", llvm::json::fixUTF8(kernel.dispatch)},
                            {"dispatch_index", kernel.dispatchIndex},
                            {"loc", llvm::json::fixUTF8(kernel.loc)},
                            {"kernel", llvm::json::fixUTF8(kernel.kernel)},
                            {"device", kernel.device},
                            {"grid", toJSON(kernel.grid)},
                            {"block", toJSON(kernel.block)},
                            {"shared_bytes", kernel.sharedBytes},
                            {"min_us", finite(kernel.minUs)},
                            {"median_us", finite(kernel.medianUs)},
                            {"p95_us", finite(kernel.p95Us)},
                            {"gflops", finite(kernel.gflops)},
                            {"gbps", finite(kernel.gbps)},
                            {"gbps_at_most", kernel.gbpsAtMost},
                            {"max_abs_error", finite(kernel.maxAbsError)},
                            {"max_rel_error", finite(kernel.maxRelError)},
                            {"ok", kernel.ok}};
}

llvm::json::Value toJSON(const RunReport &report) {
  llvm::json::Array kernels, outputs, remarks;
  for (const KernelReport &kernel : report.kernels)
    kernels.push_back(toJSON(kernel));
  for (const OutputReport &output : report.outputs)
    outputs.push_back(llvm::json::Object{{"type", output.type},
                                         {"max_abs_error", finite(output.maxAbsError)},
                                         {"max_rel_error", finite(output.maxRelError)},
                                         {"ok", output.ok}});
  for (const Diagnostic &remark : report.remarks)
    remarks.push_back(toJSON(remark));
  return llvm::json::Object{{"version", 1},
                            {"device", report.device},
                            {"function", llvm::json::fixUTF8(report.function)},
                            {"kernels", std::move(kernels)},
                            {"outputs", std::move(outputs)},
                            {"remarks", std::move(remarks)},
                            {"ok", report.ok}};
}

llvm::json::Value toJSON(const DeviceInfo &device) {
  return llvm::json::Object{{"id", device.id},
                            {"name", llvm::json::fixUTF8(device.name)},
                            {"api", device.api},
                            {"memory_bytes", device.memoryBytes},
                            {"max_shared_bytes", device.maxSharedBytes},
                            {"max_threads", device.maxThreads},
                            {"software", device.software},
                            {"target", device.target}};
}

} // namespace fuselage

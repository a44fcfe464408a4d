// Events in a CUDA stream: the device's own clock.
#pragma once
#include "core/runtime/device/CudaContext.h"
#include <vector>

namespace fuselage {

/// Events that bracket launches.
class CudaEvents {
public:
  explicit CudaEvents(std::shared_ptr<CudaContext> context) : context_(std::move(context)) {}
  CudaEvents(const CudaEvents &) = delete;
  ~CudaEvents();
  Status create(size_t count);
  /// Marks the place after what is in the stream.
  Status record(size_t event) const;
  /// From one event to the next, where the stream is done.
  Result<double> microseconds(size_t first) const;

private:
  std::shared_ptr<CudaContext> context_;
  std::vector<CUevent> events_;
};

} // namespace fuselage

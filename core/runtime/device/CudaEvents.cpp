#include "core/runtime/device/CudaEvents.h"

namespace fuselage {

CudaEvents::~CudaEvents() {
  context_->destroy([events = std::move(events_)](const CudaDriver &driver) {
    for (CUevent event : events)
      driver.eventDestroy(event);
  });
}

Status CudaEvents::create(size_t count) {
  for (size_t i = 0; i < count; ++i) {
    CUevent event = nullptr;
    if (CUresult result = context_->driver.eventCreate(&event, 0))
      return context_->error(result, "make an event");
    events_.push_back(event);
  }
  return Status::success();
}

Status CudaEvents::record(size_t event) const {
  if (CUresult result = context_->driver.eventRecord(events_[event], context_->stream))
    return context_->error(result, "record an event");
  return Status::success();
}

Result<double> CudaEvents::microseconds(size_t first) const {
  float milliseconds = 0;
  if (CUresult result = context_->driver.eventElapsedTime(&milliseconds, events_[first], events_[first + 1]))
    return context_->error(result, "read its clock");
  return milliseconds * 1e3;
}

} // namespace fuselage

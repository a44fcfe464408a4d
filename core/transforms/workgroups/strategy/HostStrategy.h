// The host as a device. Its own lowering chooses the loops of host kernels; these are the tiles of the passes that it
// shares with GPUs.
#pragma once
#include "core/transforms/workgroups/strategy/GenericGpuStrategy.h"

namespace fuselage {

/// Tiles as for any GPU; a workgroup is a task of a core. All memory is cached alike, so nothing is copied to workgroup
/// memory. There is no split-K, since a few cores have enough tiles.
class HostStrategy : public GenericGpuStrategy {
public:
  explicit HostStrategy(const DeviceModel &device) : GenericGpuStrategy(device) {}

  std::optional<int64_t> multiprocessors() const override { return std::nullopt; }
  bool promotesOperands() const override { return false; }
};

} // namespace fuselage

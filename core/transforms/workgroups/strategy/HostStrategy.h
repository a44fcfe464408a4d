// The host as a device: its own lowering (core/codegen/host) chooses its loops, these are the tiles of the passes that
// both share.
#pragma once
#include "core/transforms/workgroups/strategy/GenericGpuStrategy.h"

namespace fuselage {

/// Tiles as for any GPU, whose workgroups are tasks of cores here. All memory is cached alike: nothing is copied to
/// workgroup memory, and no reduction is split, as a few cores have tiles enough.
class HostStrategy : public GenericGpuStrategy {
public:
  explicit HostStrategy(const DeviceModel &device) : GenericGpuStrategy(device) {}

  std::optional<int64_t> multiprocessors() const override { return std::nullopt; }
  bool promotesOperands() const override { return false; }
};

} // namespace fuselage

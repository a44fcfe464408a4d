// Which strategy a device has: the only place that knows all of them.
#include "core/device/HostProcessor.h"
#include "core/dialects/device/DeviceAttr.h"
#include "core/transforms/workgroups/sizes/PickTile.h"
#include "core/transforms/workgroups/strategy/GenericGpuStrategy.h"
#include "core/transforms/workgroups/strategy/HostStrategy.h"
#include "core/transforms/workgroups/strategy/SoftwareSubgroupStrategy.h"
#include "core/transforms/workgroups/strategy/SuggestedTile.h"
#include "core/transforms/workgroups/strategy/WideSimtStrategy.h"

using namespace mlir;

namespace fuselage {

std::unique_ptr<TargetStrategy> strategyFor(const DeviceModel &device) {
  if (isHost(device))
    return std::make_unique<HostStrategy>(device);
  if (device.isSoftware() && llvm::is_contained(device.subgroupOperations.value, "shuffle"))
    return std::make_unique<SoftwareSubgroupStrategy>(device);
  constexpr int64_t registersOfLargeTiles = 128;
  if (device.language.value == "ptx" && device.kind.value == DeviceKind::Discrete &&
      device.registersPerThread.value >= registersOfLargeTiles)
    return std::make_unique<WideSimtStrategy>(device);
  return std::make_unique<GenericGpuStrategy>(device);
}

std::unique_ptr<TargetStrategy> strategyOf(Operation *op) { return strategyFor(deviceOf(op)); }

// On purpose the same for all devices: kernels with such loops were tuned with these steps.
SmallVector<int64_t> TargetStrategy::unplannedSteps(TilingInterface op, bool hasFusedInput) const {
  return GenericGpuStrategy(DeviceModel()).reductionSteps(op, hasFusedInput);
}

SmallVector<int64_t> suggestedTile(TilingInterface op, ArrayRef<int64_t> ranges) {
  SmallVector<int64_t> sizes(ranges);
  if (op.getLoopIteratorTypes().size() != sizes.size())
    return sizes;
  GenericGpuStrategy strategy((DeviceModel()));
  SmallVector<int64_t> targets = strategy.workgroupTargets(op), steps = strategy.reductionSteps(op, false);
  for (size_t loop = 0; loop < sizes.size(); ++loop) {
    if (loop < targets.size() && targets[loop] > 0)
      sizes[loop] = ShapedType::isDynamic(sizes[loop]) ? targets[loop]
                                                       : pickTile(sizes[loop], targets[loop], LastTile::Overlapping);
    else if (loop < steps.size() && steps[loop] > 0)
      sizes[loop] = steps[loop];
  }
  return sizes;
}

} // namespace fuselage

#include "core/codegen/host/kernels/HostTarget.h"
#include "core/device/HostProcessor.h"

namespace fuselage {

void HostTarget::set(const Pinned &pinned) {
  auto take = [](auto &value, auto other) { value = other ? other : value; };
  take(threads, pinned.threads);
  take(vectorBytes, pinned.vectorBytes);
  take(vectorRegisters, pinned.vectorRegisters);
  take(level1Bytes, pinned.level1Bytes);
  take(level2Bytes, pinned.level2Bytes);
}

HostTarget HostTarget::of(const DeviceModel &model) {
  HostTarget target;
  constexpr unsigned elementBytes = 4;
  if (model.subgroupSize.isKnown())
    target.vectorBytes = elementBytes * unsigned(model.subgroupSize.value);
  if (model.registersPerThread.isKnown())
    target.vectorRegisters = elementBytes * unsigned(model.registersPerThread.value) / target.vectorBytes;
  if (model.computeUnits.isKnown())
    target.threads = unsigned(model.computeUnits.value);
  if (model.firstCacheBytes.isKnown())
    target.level1Bytes = uint64_t(model.firstCacheBytes.value);
  return target;
}

HostTarget HostTarget::ofThisMachine() {
  const HostProcessor &processor = hostProcessor();
  HostTarget target = of(hostModel());
  target.threads = processor.threads;
  target.vectorRegisters = processor.vectorRegisters;
  if (processor.level2Bytes > 0)
    target.level2Bytes = uint64_t(processor.level2Bytes);
  target.computesHalves = processor.computesHalves;
  return target;
}

} // namespace fuselage

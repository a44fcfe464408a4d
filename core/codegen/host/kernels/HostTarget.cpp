#include "core/codegen/host/kernels/HostTarget.h"
#include "core/device/HostProcessor.h"
#include "core/dialects/device/DeviceAttr.h"
#include "llvm/ADT/bit.h"
#include <algorithm>

namespace fuselage {

HostTarget HostTarget::of(const DeviceModel &model) {
  // A model may be part of somebody else's module: values are clamped to what processors have, vectors of 16 to 256
  // bytes (NEON to SVE with 2048 bits), 8 to 64 registers, and caches of plausible sizes.
  auto stated = [](const Stated<int64_t> &value, uint64_t otherwise, uint64_t least, uint64_t most) {
    return value.isKnown() ? std::clamp<uint64_t>(std::max<int64_t>(value.value, 0), least, most) : otherwise;
  };
  constexpr uint64_t elementBytes = 4, kibi = 1024;
  HostTarget target;
  uint64_t lanes = llvm::bit_floor(stated(model.subgroupSize, target.vectorBytes / elementBytes, 4, 64));
  target.vectorBytes = lanes * elementBytes;
  if (model.registersPerThread.isKnown())
    target.vectorRegisters = stated(model.registersPerThread, 0, 8 * lanes, 64 * lanes) / lanes;
  target.threads = stated(model.computeUnits, target.threads, 1, 4096);
  target.level1Bytes = stated(model.firstCacheBytes, target.level1Bytes, 4 * kibi, kibi * kibi);
  target.level2Bytes = stated(model.secondCacheBytes, target.level2Bytes, 64 * kibi, kibi * kibi * kibi);
  target.computesHalves = model.computesHalves.value;
  return target;
}

HostTarget HostTarget::of(mlir::Operation *op) {
  DeviceModel device = deviceOf(op);
  return of(isHost(device) ? device : hostModel());
}

} // namespace fuselage

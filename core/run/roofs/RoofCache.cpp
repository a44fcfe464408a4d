#include "core/run/roofs/RoofCache.h"
#include "core/protocol/json/JsonReader.h"
#include "core/protocol/json/JsonWriter.h"
#include <cmath>

namespace fuselage {

/// Whether every number can be divided by.
static bool isSound(const message::DeviceRoofs<> &roofs) {
  return !roofs.roofs.empty() && llvm::all_of(roofs.roofs, [](const message::Roof<> &roof) {
    return std::isfinite(roof.rate) && roof.rate > 0 && !roof.name.empty();
  });
}

std::optional<message::DeviceRoofs<>> RoofCache::read(const DeviceInfo &info) const {
  auto object = files_.read(pathOf(info));
  if (!object)
    return std::nullopt;
  message::DeviceRoofs<> roofs;
  roofs.version = 0;
  message::decode(*object, roofs);
  bool isSame = roofs.version == 1 && roofs.device == info.id && roofs.name == info.name &&
                roofs.driver == info.driver && roofs.program == measuringProgram();
  if (!isSame || !isSound(roofs))
    return std::nullopt;
  return roofs;
}

llvm::Error RoofCache::write(const DeviceInfo &info, const message::DeviceRoofs<> &roofs) const {
  return files_.write(pathOf(info), message::encode(roofs));
}

llvm::Expected<message::DeviceRoofs<>> roofsOf(const RoofCache &cache, mlir::MLIRContext &context, Device &device,
                                               const DeviceInfo &info, const std::atomic<bool> *cancelled, bool anew,
                                               bool *wasMeasured) {
  if (wasMeasured)
    *wasMeasured = false;
  if (!anew)
    if (auto known = cache.read(info))
      return *known;
  auto roofs = measureRoofs(context, device, info, cancelled);
  if (!roofs)
    return roofs;
  roofs->measured = measuringTime();
  roofs->program = measuringProgram();
  if (wasMeasured)
    *wasMeasured = true;
  if (llvm::Error error = cache.write(info, *roofs))
    llvm::consumeError(std::move(error));
  return roofs;
}

} // namespace fuselage

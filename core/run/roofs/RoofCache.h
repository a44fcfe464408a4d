// Measured roofs, kept between runs.
#pragma once
#include "core/run/roofs/DeviceCache.h"
#include "core/run/roofs/RoofMeasure.h"

namespace fuselage {

/// What is there holds for the same device, driver and version of this program; anything else, or what cannot be read,
/// is not there.
class RoofCache {
public:
  RoofCache() = default;
  explicit RoofCache(std::string folder) : files_(std::move(folder)) {}

  /// Empty: there is no such directory, and nothing is kept.
  const std::string &folder() const { return files_.folder(); }
  std::string pathOf(const DeviceInfo &info) const { return files_.pathOf(info, ".json"); }
  std::optional<message::DeviceRoofs<>> read(const DeviceInfo &info) const;
  /// Takes the place of what was there as a whole. Failure: the path and why it cannot be written.
  llvm::Error write(const DeviceInfo &info, const message::DeviceRoofs<> &roofs) const;

private:
  DeviceCache files_;
};

/// Those of the cache, else measured now and kept there; a cache that cannot be written is no reason to fail. `anew`:
/// whatever is there. `wasMeasured`, where given, tells which.
llvm::Expected<message::DeviceRoofs<>> roofsOf(const RoofCache &cache, mlir::MLIRContext &context, Device &device,
                                               const DeviceInfo &info, const std::atomic<bool> *cancelled,
                                               bool anew = false, bool *wasMeasured = nullptr);

} // namespace fuselage

// Measured peaks, kept between runs.
#pragma once
#include "core/run/peaks/DeviceCache.h"
#include "core/run/peaks/PeakMeasure.h"

namespace fuselage {

/// What is there holds for the same device, driver and version of this program; anything else, or what cannot be read,
/// is not there.
class PeakCache {
public:
  PeakCache() = default;
  explicit PeakCache(std::string folder) : files_(std::move(folder)) {}

  /// Empty: there is no such directory, and nothing is kept.
  const std::string &folder() const { return files_.folder(); }
  std::string pathOf(const DeviceInfo &info) const { return files_.pathOf(info, ".json"); }
  std::optional<message::DevicePeaks<>> read(const DeviceInfo &info) const;
  /// Takes the place of what was there as a whole. Failure: the path and why it cannot be written.
  llvm::Error write(const DeviceInfo &info, const message::DevicePeaks<> &peaks) const;

private:
  DeviceCache files_;
};

/// Those of the cache, else measured now and kept there; a cache that cannot be written is no reason to fail. `anew`:
/// whatever is there. `wasMeasured`, where given, tells which.
llvm::Expected<message::DevicePeaks<>> peaksOf(const PeakCache &cache, mlir::MLIRContext &context, Device &device,
                                               const DeviceInfo &info, const std::atomic<bool> *cancelled,
                                               bool anew = false, bool *wasMeasured = nullptr);

} // namespace fuselage

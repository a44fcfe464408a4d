// What dispatches and fusions took on a device, kept between runs.
#pragma once
#include "core/analysis/costs/DeviceRates.h"
#include "core/protocol/Samples.h"
#include "core/run/peaks/PeakCache.h"

namespace fuselage {

/// Beside the measured peaks, under the same rules: HASH.samples.json. The newest samples stay, of like dispatches one.
class SampleCache {
public:
  SampleCache() = default;
  explicit SampleCache(std::string folder) : files_(folder), peaks_(folder) {}

  std::string pathOf(const DeviceInfo &info) const { return files_.pathOf(info, ".samples.json"); }
  /// Those that make sense; none: there are no others.
  message::DeviceSamples<> read(const DeviceInfo &info) const;
  /// Adds to what is there; writers wait for each other. Failure: the path, and why it cannot be written.
  llvm::Error add(const DeviceInfo &info, const message::DeviceSamples<> &samples) const;
  /// What the samples and the measured peaks say.
  DeviceRates rates(const DeviceInfo &info) const;

  static constexpr size_t mostDispatches = 1000, mostFusions = 200;

private:
  DeviceCache files_;
  PeakCache peaks_;
};

} // namespace fuselage

#include "core/run/peaks/PeakCache.h"
#include "core/protocol/json/JsonReader.h"
#include "core/protocol/json/JsonWriter.h"
#include <cmath>

namespace fuselage {

/// Whether every number can be divided by.
static bool isSound(const message::DevicePeaks<> &peaks) {
  return !peaks.peaks.empty() && llvm::all_of(peaks.peaks, [](const message::Peak<> &peak) {
    return std::isfinite(peak.rate) && peak.rate > 0 && !peak.name.empty();
  });
}

std::optional<message::DevicePeaks<>> PeakCache::read(const DeviceInfo &info) const {
  auto object = files_.read(pathOf(info));
  if (!object)
    return std::nullopt;
  message::DevicePeaks<> peaks;
  peaks.version = 0;
  message::decode(*object, peaks);
  bool isSame = peaks.version == 1 && peaks.device == info.id && peaks.name == info.name &&
                peaks.driver == info.driver && peaks.program == measuringProgram();
  if (!isSame || !isSound(peaks))
    return std::nullopt;
  return peaks;
}

llvm::Error PeakCache::write(const DeviceInfo &info, const message::DevicePeaks<> &peaks) const {
  return files_.write(pathOf(info), message::encode(peaks));
}

llvm::Expected<message::DevicePeaks<>> peaksOf(const PeakCache &cache, mlir::MLIRContext &context, Device &device,
                                               const DeviceInfo &info, const std::atomic<bool> *cancelled, bool anew,
                                               bool *wasMeasured) {
  if (wasMeasured)
    *wasMeasured = false;
  if (!anew)
    if (auto known = cache.read(info))
      return *known;
  auto peaks = measurePeaks(context, device, info, cancelled);
  if (!peaks)
    return peaks;
  peaks->measured = measuringTime();
  peaks->program = measuringProgram();
  if (wasMeasured)
    *wasMeasured = true;
  if (llvm::Error error = cache.write(info, *peaks))
    llvm::consumeError(std::move(error));
  return peaks;
}

} // namespace fuselage

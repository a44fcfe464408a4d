#include "core/run/peaks/MemoryRate.h"
#include "core/run/Bandwidth.h"
#include "core/run/peaks/RateFit.h"
#include "core/run/peaks/SampleCache.h"

namespace fuselage {

llvm::Expected<MemoryRate> memoryRateOf(Session &session, llvm::StringRef device) {
  message::DeviceSamples<> samples;
  std::optional<message::DevicePeaks<>> peaks;
  for (const DeviceInfo &info : listDevices())
    if (info.id == device) {
      samples = SampleCache().read(info);
      peaks = PeakCache().read(info);
    }
  bool anySamples = llvm::any_of(samples.dispatches, movesMoreThanItComputes);
  if (!anySamples || !peaks || !findPeak(*peaks, kMemoryPeak)) {
    llvm::Expected<double> measured = measureBandwidth(session, device);
    if (!measured)
      return measured.takeError();
    if (!anySamples)
      return MemoryRate{.gbps = *measured, .source = "measured on " + device.str()};
    peaks.emplace().peaks.push_back(
        {.kind = message::PeakKind::Bandwidth, .name = kMemoryPeak, .rate = *measured, .workingSet = 0, .how = ""});
  }
  DeviceRates rates = fitRates(samples, &*peaks);
  return MemoryRate{.gbps = rates.gbps, .source = rates.source()};
}

} // namespace fuselage

#include "core/run/roofs/MemoryRate.h"
#include "core/run/Bandwidth.h"
#include "core/run/roofs/RateFit.h"
#include "core/run/roofs/SampleCache.h"

namespace fuselage {

llvm::Expected<MemoryRate> memoryRateOf(Session &session, llvm::StringRef device) {
  message::DeviceSamples<> samples;
  std::optional<message::DeviceRoofs<>> roofs;
  for (const DeviceInfo &info : listDevices())
    if (info.id == device) {
      samples = SampleCache().read(info);
      roofs = RoofCache().read(info);
    }
  bool anySamples = llvm::any_of(samples.dispatches, movesMoreThanItComputes);
  if (!anySamples || !roofs || !findRoof(*roofs, kMemoryRoof)) {
    llvm::Expected<double> measured = measureBandwidth(session, device);
    if (!measured)
      return measured.takeError();
    if (!anySamples)
      return MemoryRate{.gbps = *measured, .source = "measured on " + device.str()};
    roofs.emplace().roofs.push_back(
        {.kind = message::RoofKind::Bandwidth, .name = kMemoryRoof, .rate = *measured, .workingSet = 0, .how = ""});
  }
  DeviceRates rates = fitRates(samples, &*roofs);
  return MemoryRate{.gbps = rates.gbps, .source = rates.source()};
}

} // namespace fuselage

#include "core/device/DeviceCosts.h"
#include "core/device/NvidiaChips.h"
#include <algorithm>

namespace fuselage {

DeviceCosts costsOf(const DeviceModel &device) {
  DeviceCosts costs;
  const unsigned capability = capabilityOf(device.chip.value);
  costs.multiplyAdds = multiplyAddsOfCycle(capability);
  if (!device.computeUnits.isKnown() || device.computeUnits.value <= 0)
    return costs;
  // 10^9 cycles a second of all multiprocessors together.
  const double units = double(device.computeUnits.value);
  if (device.peakF32.isKnown() && device.peakF32.value > 0) {
    costs.gigahertz = device.peakF32.value / (2 * costs.multiplyAdds * units);
    costs.launch = kDependentLaunchNs * costs.gigahertz;
  }
  const double cycles = costs.gigahertz * units;
  if (device.bandwidth.isKnown() && device.bandwidth.value > 0)
    costs.memoryBytes = device.bandwidth.value / cycles;
  if (device.peakF16Matrix.isKnown() && device.peakF16Matrix.value > 0) {
    constexpr double elementsOfK = 16; // of mma.sync on f16
    costs.matrixMultiplyAdds =
        std::min(device.peakF16Matrix.value / (2 * cycles * elementsOfK), mmaSyncMultiplyAddsOfCycle(capability));
  }
  return costs;
}

} // namespace fuselage

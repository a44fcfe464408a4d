#include "core/device/NvidiaChips.h"
#include <charconv>
#include <limits>

namespace fuselage {

std::string chipOf(const DeviceModel &device) { return device.chip.value.empty() ? kDefaultChip : device.chip.value; }

unsigned capabilityOf(std::string_view chip) {
  constexpr std::string_view prefix = "sm_";
  unsigned number = 0;
  if (chip.substr(0, prefix.size()) == prefix)
    std::from_chars(chip.data() + prefix.size(), chip.data() + chip.size(), number);
  return number;
}

double multiplyAddsOfCycle(unsigned capability) {
  return capability == 80 || (capability != 0 && capability < 80) ? 64 : 128;
}

double mmaSyncMultiplyAddsOfCycle(unsigned capability) {
  return capability == 90 ? 77 : std::numeric_limits<double>::infinity();
}

std::string ptxFeatureOf(std::string_view chip, int driverVersion) {
  unsigned capability = capabilityOf(chip);
  if (capability >= 100) // older versions do not know it
    return capability >= 120 ? "+ptx87" : "+ptx86";
  return driverVersion >= 11080 ? "+ptx78" : driverVersion >= 11040 ? "+ptx74" : "+ptx70";
}

std::vector<std::string> matrixShapesOf(unsigned capability) {
  // Source: PTX ISA, mma.sync.
  if (capability < 80)
    return {};
  return {"m16n8k16 f16", "m16n8k16 bf16", "m16n8k8 tf32", "m16n8k32 s8"};
}

} // namespace fuselage

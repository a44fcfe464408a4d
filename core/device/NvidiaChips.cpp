#include "core/device/NvidiaChips.h"

using llvm::StringRef;

namespace fuselage {

std::string chipOf(const DeviceModel &device) {
  return device.chip.value.empty() ? kDefaultChip.str() : device.chip.value;
}

unsigned capabilityOf(StringRef chip) {
  unsigned number = 0;
  return chip.consume_front("sm_") && !chip.consumeInteger(10, number) ? number : 0;
}

std::string ptxFeatureOf(StringRef chip) {
  unsigned capability = capabilityOf(chip);
  return capability >= 120 ? "+ptx87" : capability >= 100 ? "+ptx86" : "+ptx78";
}

std::vector<std::string> matrixShapesOf(unsigned capability) {
  // Source: PTX ISA, mma.sync.
  if (capability < 80)
    return {};
  return {"m16n8k16 f16", "m16n8k16 bf16", "m16n8k8 tf32", "m16n8k32 s8"};
}

} // namespace fuselage

#include "core/device/PtxVersion.h"

namespace fuselage {

std::string ptxFeatureOf(llvm::StringRef chip, int driverVersion) {
  unsigned number = 0;
  chip.consume_front("sm_");
  chip.consumeInteger(10, number);
  if (number >= 100) // older versions do not know it
    return number >= 120 ? "+ptx87" : "+ptx86";
  return driverVersion >= 11080 ? "+ptx78" : driverVersion >= 11040 ? "+ptx74" : "+ptx70";
}

} // namespace fuselage

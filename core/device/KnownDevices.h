// Models of devices that need not be here.
#pragma once
#include "core/device/DeviceModel.h"
#include "core/support/Error.h"
#include "llvm/ADT/StringRef.h"

namespace fuselage {

/// Names of the models that come along, as files of resources/devices are called: "h100", "lavapipe".
std::vector<llvm::StringRef> knownDevices();

/// The model of that name, else of the device file at that path. Failure: neither, with the names that there are, or
/// what is wrong with the file.
llvm::Expected<DeviceModel> knownDeviceOrFile(llvm::StringRef nameOrPath);

} // namespace fuselage

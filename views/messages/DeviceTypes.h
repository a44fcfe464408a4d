// Models of devices, as Qt values.
#pragma once
#include "core/protocol/Devices.h"
#include "views/messages/QtTypes.h"

namespace fuselage::protocol {

using DeviceFact = message::DeviceFact<QtTypes>;
using DeviceModel = message::DeviceModel<QtTypes>;
using DeviceModels = message::DeviceModels<QtTypes>;

} // namespace fuselage::protocol

// Models of devices, for what asks which device kernels are made for.
#pragma once
#include "app/bridge/EngineSession.h"

namespace fuselage {

class TargetBox;

/// Fills the box with the devices that need not be here, unless it has them, once the engine can tell.
void offerModels(EngineSession &session, TargetBox *box);
/// A dialog with what is known of each device, those that are here too. It deletes itself.
void showDevices(EngineSession &session, QWidget *parent);

} // namespace fuselage

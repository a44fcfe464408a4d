// fuselage remote --command: an engine on another machine, behind the engine's protocol.
#pragma once
#include "app/cli/Commands.h"

namespace fuselage::cli {

/// `fuselage remote` with options alone.
int remoteLink(Arguments arguments);

} // namespace fuselage::cli

// The actions of `fuselage remote`.
#pragma once
#include "app/cli/Commands.h"

namespace fuselage::cli {

/// With options alone: speaks the protocol of `fuselage serve` for an engine on another machine.
int remoteLink(Arguments arguments);
int remotePack(Arguments arguments);
int remoteInstall(Arguments arguments);
int remoteCheck(Arguments arguments);
int remoteClean(Arguments arguments);

} // namespace fuselage::cli

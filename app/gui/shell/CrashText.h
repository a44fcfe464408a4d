// What to say of an engine that died.
#pragma once
#include "app/bridge/EngineSession.h"

namespace fuselage {

/// "Step 7 fuselage-tile-reductions died with SIGSEGV"
QString crashText(const CrashReport &report);

} // namespace fuselage

// `fuselage remote --far`: the other end of the user's command.
#pragma once
#include "core/remote/far/FarOptions.h"

namespace fuselage::remote {

/// Starts the keeper of a new session, or finds that of an old one, and carries bytes between it and the standard
/// descriptors until one side ends. Returns the exit code. `program`: the engine's.
int runFarSide(const FarOptions &options, const std::string &program);

} // namespace fuselage::remote

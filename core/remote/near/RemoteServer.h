// `fuselage remote`: speaks the engine's protocol for an engine on another machine.
#pragma once
#include "core/remote/near/RemoteOptions.h"

namespace fuselage::remote {

/// Serves PROTOCOL.md on two descriptors until the engine ends, by an engine that the command reaches; returns the exit
/// status. An engine that died of a signal is followed by this process. Beside the engine's notifications there is
/// `link/state`, and the client may send `link/retry`.
int serveRemote(int in, int out, RemoteOptions options);

} // namespace fuselage::remote

// `fuselage remote`: speaks the engine's protocol for an engine on another machine.
#pragma once
#include "core/remote/far/FarOptions.h"
#include <chrono>
#include <string>
#include <vector>

namespace fuselage::remote {

struct RemoteOptions {
  std::vector<std::string> command; ///< words of the user's command
  std::string host;                 ///< as people call it
  std::string engineId, engineVersion;
  FarOptions far{}; ///< but for `session`, which is made
  std::chrono::milliseconds silence = std::chrono::seconds(8);
};

/// Serves PROTOCOL.md on two descriptors until the engine ends, by an engine that the command reaches; returns the exit
/// status. An engine that died of a signal is followed by this process. Beside the engine's notifications there is
/// `link/state`, and the client may send `link/retry`.
int serveRemote(int in, int out, RemoteOptions options);

} // namespace fuselage::remote

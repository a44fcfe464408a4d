#include "core/remote/near/RemoteServer.h"
#include "core/remote/near/NearSession.h"
#include <csignal>

namespace fuselage::remote {

int serveRemote(int in, int out, RemoteOptions options) {
  signal(SIGPIPE, SIG_IGN);
  return NearSession(in, out, std::move(options)).run();
}

} // namespace fuselage::remote

#include "app/cli/Commands.h"
#include "app/cli/CommonOptions.h"
#include "core/engine/Server.h"
#include "llvm/Support/Signals.h"
#include <cstdlib>

namespace fuselage::cli {

int serveCommand(Arguments arguments) {
  Options options("serve", "",
                  "Runs the engine: JSON-RPC 2.0 over standard input and output, with the framing of language servers. "
                  "The window starts it; `ssh host fuselage serve` runs it on another machine. "
                  "A plugin that cannot be loaded is reported, and the engine works without it.");
  std::vector<PluginRequest> plugins;
  declarePluginRequests(options, plugins);
  if (auto code = options.parse(arguments))
    return *code;
  // The window shows the stack of a pass that crashed. LLVM and MLIR export their names; a symbolizer would be a
  // process started by one that is dying.
  setenv("LLVM_DISABLE_SYMBOLIZATION", "1", /*overwrite=*/0);
  llvm::sys::PrintStackTraceOnErrorSignal("fuselage", /*DisableCrashReporting=*/true);
  return serve(/*in=*/0, /*out=*/1, plugins);
}

} // namespace fuselage::cli

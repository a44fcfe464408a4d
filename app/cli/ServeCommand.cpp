#include "app/cli/Commands.h"
#include "core/engine/Server.h"

namespace fuselage::cli {

int serveCommand(Arguments arguments) {
  Options options("serve", "",
                  "Runs the engine: JSON-RPC 2.0 over standard input and output, with the framing of language servers. "
                  "The window starts it; `ssh host fuselage serve` runs it on another machine.");
  if (auto code = options.parse(arguments))
    return *code;
  return serve(/*in=*/0, /*out=*/1);
}

} // namespace fuselage::cli

#include "app/cli/Commands.h"
#include "core/engine/Server.h"

namespace fuselage::cli {

int serveCommand(Arguments arguments) {
  Options options("serve", "",
                  "The engine: JSON-RPC 2.0 over stdin and stdout, framed as language servers do. The window\n"
                  "starts it; `ssh host fuselage serve` puts it on another machine.");
  if (auto code = options.parse(arguments))
    return *code;
  return serve(/*in=*/0, /*out=*/1);
}

} // namespace fuselage::cli

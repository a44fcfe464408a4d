#include "app/cli/Commands.h"
#include "app/cli/window/OpenWindow.h"
#include "core/lsp/LanguageServer.h"
#include "core/support/process/Process.h"
#include <cstdlib>

namespace fuselage::cli {

int lspCommand(Arguments arguments) {
  Options options("lsp", "",
                  "A language server for MLIR over standard input and output: diagnostics, symbols, folding, hover, "
                  "definition, references, rename, colors, lenses, hints and actions in an editor. Files of dialects "
                  "that are unknown here, of other versions of MLIR, and with errors in them have all of it, too. "
                  "'Editors' in the Help menu says how editors start it.");
  if (auto code = options.parse(arguments))
    return *code;
  const std::string program = ownProgram();
  int code = lsp::serveLanguage(
      /*in=*/0, /*out=*/1, {.program = program, .window = findWindowProgram(), .version = FUSELAGE_VERSION});
  // Threads of it may still wait for input, or read: what the end of a process takes away must stay for them.
  std::_Exit(code);
}

} // namespace fuselage::cli

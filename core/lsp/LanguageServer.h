// `fuselage lsp`: a language server for MLIR, over standard input and output.
#pragma once
#include "core/lsp/ServerOptions.h"

namespace fuselage::lsp {

/// Serves until `exit` or the end of the input. Returns the exit code that LSP asks for: 0 after `shutdown`, else 1;
/// threads of it may go on, so that the process has to end at once. Reading IR may kill only a copy of the process.
/// Nothing is run but what a command of the client asks for.
int serveLanguage(int in, int out, const ServerOptions &options);

} // namespace fuselage::lsp

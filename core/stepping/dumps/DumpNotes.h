// Lines between dumps: what other parts of the tool said. Internal to core/stepping.
#pragma once
#include "core/support/Error.h"

namespace fuselage {

/// Reads lines as diagnostics: `file:line:col: error: message` with the notes after it; whatever else
/// stands there becomes a remark for each block of lines (timing reports, debug output, stack traces)
/// with its first lines as the message, placed at `firstLine` (from 1) of `path`. Bounded: of very many
/// lines the first ones, and how many there are.
std::vector<Diagnostic> readNotes(llvm::StringRef text, unsigned firstLine, llvm::StringRef path);

} // namespace fuselage

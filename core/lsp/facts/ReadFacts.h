// Reads a text as `fuselage explain` would, and says what a language server tells of it.
#pragma once
#include "core/ir/Session.h"
#include "core/lsp/facts/DocumentFacts.h"

namespace fuselage::lsp {

/// `path`: what locations call the text. A text that cannot be read has its diagnostics alone.
DocumentFacts readFacts(Session &session, llvm::StringRef text, llvm::StringRef path);

} // namespace fuselage::lsp

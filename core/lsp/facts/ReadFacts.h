// Reads a text as `fuselage explain` would, and says what a language server tells of it.
#pragma once
#include "core/ir/Session.h"
#include "core/lsp/facts/DocumentFacts.h"

namespace fuselage::lsp {

/// Soon: what is wrong, ops and dispatches, without verdicts, forms and what a schedule does, which take most of the
/// time.
enum class FactsDepth { Soon, Whole };

/// `path`: what locations call the text. A text that cannot be read has its diagnostics alone.
DocumentFacts readFacts(Session &session, llvm::StringRef text, llvm::StringRef path,
                        FactsDepth depth = FactsDepth::Whole);

} // namespace fuselage::lsp

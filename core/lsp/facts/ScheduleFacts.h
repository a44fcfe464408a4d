// What a schedule in a text does to the payload in the same text.
#pragma once
#include "core/ir/Session.h"
#include "core/lsp/facts/DocumentFacts.h"

namespace fuselage::lsp {

/// Runs the schedule, if there is one and something beside it, on a copy of `module`, for at most some hundred
/// applications, and says by line what the handles that are defined there hold and which forms are known to hold
/// before.
void addScheduleFacts(Session &session, llvm::StringRef text, llvm::StringRef path, mlir::ModuleOp module,
                      DocumentFacts &facts);

} // namespace fuselage::lsp

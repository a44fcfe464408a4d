// A document as clients see it.
#pragma once
#include "core/engine/Document.h"
#include "core/ir/module/TextUses.h"
#include "core/protocol/Document.h"
#include "core/protocol/methods/TextMethods.h"

namespace fuselage {

class Engine;

message::Document<> documentMessage(Document &document);

/// The reply to text/uses and text/sourceUses; `lineAt`: the lines that the uses are in.
message::TextUses<> usesMessage(const TextUses &found, llvm::function_ref<llvm::StringRef(unsigned)> lineAt);

/// The reply to text/find and text/sourceFind, of any lines.
llvm::Expected<message::TextMatches<>> findInLines(Engine &engine, const method::FindText::Request<> &wanted,
                                                   unsigned count,
                                                   llvm::function_ref<llvm::StringRef(unsigned)> lineAt);

} // namespace fuselage

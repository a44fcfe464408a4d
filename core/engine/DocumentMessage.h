// A document as clients see it.
#pragma once
#include "core/engine/Document.h"
#include "core/ir/module/TextUses.h"
#include "core/protocol/Document.h"

namespace fuselage {

message::Document<> documentMessage(Document &document);

/// The reply to text/uses and text/sourceUses; `lineAt`: the lines that the uses are in.
message::TextUses<> usesMessage(const TextUses &found, llvm::function_ref<llvm::StringRef(unsigned)> lineAt);

} // namespace fuselage

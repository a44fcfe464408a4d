// The reply to text/uses and text/sourceUses.
#pragma once
#include "core/ir/module/TextUses.h"
#include "core/protocol/Document.h"

namespace fuselage {

/// `lineAt`: the lines that the uses are in.
message::TextUses<> usesMessage(const TextUses &found, llvm::function_ref<llvm::StringRef(unsigned)> lineAt);

} // namespace fuselage

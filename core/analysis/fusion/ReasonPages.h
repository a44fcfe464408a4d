// The Help pages of the reasons, built into the program.
#pragma once
#include "llvm/ADT/StringRef.h"

namespace fuselage {

/// The page of a reason's code, as Markdown: a sentence, an example that triggers it, the evidence, what
/// may unlock it. Empty for a code that there is none of.
llvm::StringRef reasonPage(llvm::StringRef code);

} // namespace fuselage

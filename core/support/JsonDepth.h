// How deep a text of JSON is nested, before it is parsed.
#pragma once
#include "llvm/ADT/StringRef.h"

namespace fuselage {

/// Arrays and objects within each other, at most; brackets in strings are text. llvm::json goes as deep as the text
/// does, on the stack.
int jsonDepth(llvm::StringRef json);

} // namespace fuselage

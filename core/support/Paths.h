// Paths in messages.
#pragma once
#include "llvm/ADT/StringRef.h"
#include <string>

namespace fuselage {

/// A path for people: of one that is longer than a line the start and the end.
std::string shortPath(llvm::StringRef path);

} // namespace fuselage

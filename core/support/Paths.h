// Paths in messages, and where the user's own files are.
#pragma once
#include "llvm/ADT/StringRef.h"
#include <string>

namespace fuselage {

/// A path for people: of one that is longer than a line the start and the end.
std::string shortPath(llvm::StringRef path);

/// $XDG_DATA_HOME/fuselage, else ~/.local/share/fuselage; it need not be there. Empty: there is no home.
std::string userDataFolder();

} // namespace fuselage

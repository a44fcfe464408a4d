// The script that starts the engine of a folder.
#pragma once
#include "core/deploy/ElfFacts.h"

namespace fuselage {

/// `bin/fuselage` of the folder: runs libexec/fuselage with the system's C and C++ libraries if those have what the
/// folder's files need, else with those in runtime/, through their loader, called `loader`. It needs sh alone, and
/// sets no variable that a program started by the engine would see. FUSELAGE_RUNTIME=system or bundled decides for it.
std::string launcherScript(const NeededVersions &needed, llvm::StringRef loader);

} // namespace fuselage

// The text that the user's command hands to a shell on the other side.
#pragma once
#include "core/remote/far/FarOptions.h"

namespace fuselage::remote {

/// A line that finds the engine of build `id` in the cache, else a `fuselage` on PATH that prints `version`, and
/// becomes its far side; where there is neither, it prints a line that begins with farLinePrefix and "missing", and
/// ends with 127. The line is the same to every shell: it has no backslash, `!` or newline, and its one quoted word no
/// quote inside.
std::string farScript(llvm::StringRef id, llvm::StringRef version, const FarOptions &options);

} // namespace fuselage::remote

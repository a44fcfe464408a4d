// IR as a diff shows it: with '+', '-' or a blank before each line.
#pragma once
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace fuselage {

/// The side that a unified diff leads to, or a listing with '+' before its lines: as long as the text,
/// and all in it where it was, as signs are blanks now, removed lines and headers blank lines. Files of a
/// diff are splits. Nullopt where the text is no diff: some line has no sign, or none has a '+'. (No line of
/// MLIR starts with one.)
std::optional<std::string> newSideOfDiff(llvm::StringRef text);

} // namespace fuselage

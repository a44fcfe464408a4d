// Files that are whole or not there.
#pragma once
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace fuselage {

/// Writes `content` to `path`; '-' is stdout. A file is written beside its place and renamed, so
/// that what was there stays whole until all is written; devices and pipes are written in place.
/// Failure: the path and the system's reason (a full disk, a folder, no permission).
llvm::Error writeOutputFile(llvm::StringRef path, llvm::StringRef content);

} // namespace fuselage

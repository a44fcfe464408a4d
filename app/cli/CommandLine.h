// What `fuselage` does with its arguments.
#pragma once
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace fuselage::cli {

/// Runs the command that the arguments name, in a process of its own, or opens the window, and returns the exit code.
int runCommandLine(llvm::ArrayRef<llvm::StringRef> arguments);

} // namespace fuselage::cli

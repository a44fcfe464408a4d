// What each program of ours does before anything else.
#pragma once
#include "llvm/Support/Error.h"
#include <string>

namespace fuselage {

/// Opens standard descriptors that are closed, so that no file takes their numbers, the standard output so that writing
/// to it fails; makes a lack of memory an abort, since core catches no exceptions; makes a limit of the size of files
/// (`ulimit -f`) an error of the write; raises a small limit of the stack. Signals stay as they are: a handler that
/// prints a trace, as LLVM's InitLLVM installs one, hangs where the crash was in malloc. Failure: the stack is too
/// small to go on.
llvm::Error prepareProcess();

/// The file of this program. In a folder that `fuselage remote pack` made, the kernel may know the loader of that
/// folder instead (core/deploy/Launcher.h).
std::string ownExecutable();

/// What has to be started to run this program again, in the same way: the file, or the script that started it.
std::string ownProgram();

} // namespace fuselage

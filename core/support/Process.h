// What each program of ours does before anything else.
#pragma once

namespace fuselage {

/// Opens standard descriptors that are closed, so that no file takes their numbers; makes a lack of memory an abort,
/// since core catches no exceptions; makes a limit of the size of files (`ulimit -f`) an error of the write. Signals
/// stay as they are: a handler that prints a trace, as LLVM's InitLLVM installs one, hangs where the crash was in
/// malloc.
void prepareProcess();

} // namespace fuselage

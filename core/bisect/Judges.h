// Who says whether IR is good.
#pragma once
#include "core/bisect/Bisect.h"
#include "core/run/HostCheck.h"

namespace fuselage {

/// IR is bad that computes something else than `input`, on the host, within the tolerance of a run. Of several draws of
/// random inputs (and of HostCheckOptions::inputs), one that tells is enough. Failure: the input cannot be run here, or
/// does not give the same twice. IR of every level is run (LevelRun.h); what cannot be run here is unknown.
llvm::Expected<Judge> judgeByResults(mlir::ModuleOp input, HostCheckOptions options, unsigned draws);

/// IR is bad that a command says so of: it gets the path of a file as its last word, or in place of {}; exit code 0 is
/// good, 125 says that it cannot tell, anything else is bad. No shell runs. Failure: the command cannot be split.
llvm::Expected<Judge> judgeByCommand(llvm::StringRef command, const std::atomic<bool> *cancelled = nullptr);

} // namespace fuselage

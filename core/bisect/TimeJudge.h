// Judges how long a program takes on the host.
#pragma once
#include "core/bisect/Bisect.h"
#include "core/run/HostCheck.h"

namespace fuselage {

/// IR is bad that takes longer on the host than `input`, on the same inputs, by more than `factor` and beyond the noise
/// (compareTimes()). Unknown: IR with kernels, and what the noise hides. Failure: the input cannot be run here.
llvm::Expected<Judge> judgeByTime(mlir::ModuleOp input, const HostCheckOptions &options, double factor = 1.1);

} // namespace fuselage

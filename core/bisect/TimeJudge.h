// Judges how long a program takes on the host.
#pragma once
#include "core/bisect/Bisect.h"
#include "core/run/HostCheck.h"

namespace fuselage {

/// IR is bad that takes longer on the host than `input`, on the same inputs and beyond the noise: of several rounds, in
/// turns with the input, its fastest is slower than the input's slowest, by `factor` at least. IR with kernels is
/// unknown. Failure: the input cannot be run here.
llvm::Expected<Judge> judgeByTime(mlir::ModuleOp input, const HostCheckOptions &options, double factor = 1.1);

} // namespace fuselage

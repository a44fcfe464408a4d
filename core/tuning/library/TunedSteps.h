// The step of a recording of the default pipeline that requests tuned sizes.
#pragma once
#include "core/codegen/Codegen.h"
#include "core/tuning/library/TunedLibrary.h"

namespace fuselage::tune {

/// Looks up the dispatches of `module`, as the default pipeline forms them, in the library. `target` is "spirv" or
/// "ptx". The device is the first GPU of this machine that runs such kernels and that the library has sizes for. Leaves
/// `module` unchanged. Returns nullopt if there is no such GPU, or dispatches cannot be formed.
std::optional<TunedSteps> tunedSteps(mlir::ModuleOp module, const TunedDispatches &tuned, llvm::StringRef target);

} // namespace fuselage::tune

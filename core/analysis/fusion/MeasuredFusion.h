// What a fusion gains where it was measured, as a whole and part by part.
#pragma once
#include "core/analysis/fusion/FuseAll.h"

namespace fuselage {

/// Measures `module` and the result of fusing it, by turns, and the result without each of its parts. A part without which the
/// program is faster beyond the noise is taken back; so is the whole, if it is slower than `module`. The noise is what two
/// readings of one program lie apart, at least 2 %. `result` has steps, and `options.measure` is given.
/// Failure: something cannot be measured, or the fusion was cancelled.
llvm::Expected<FuseAllResult> keepWhatIsFaster(mlir::ModuleOp module, const FusionPolicy &policy, const FuseAllOptions &options,
                                               FuseAllResult result);

} // namespace fuselage

// What a fusion gains where it was measured, as a whole and part by part.
#pragma once
#include "core/analysis/fusion/FusionSearch.h"

namespace fuselage {

/// Measures `module` beside the result of fusing it, and the result beside what it is without each of its parts. A part
/// without which the program is faster beyond the noise is taken back; so is the whole, if it is slower than `module`.
/// The noise is what readings lie apart, at least 2 % of the whole. `result` has steps, and `options.measure` is given.
/// Failure: something cannot be measured, or the fusion was cancelled.
llvm::Expected<FuseAllResult> keepWhatIsFaster(mlir::ModuleOp module, const FusionPolicy &policy,
                                               const FuseAllOptions &options, FuseAllResult result);

} // namespace fuselage

// All fusions that pay, and no other: what makes a module dearer or wrong, or gains nothing, is taken back.
#pragma once
#include "core/analysis/fusion/FusionSearch.h"

namespace fuselage {

/// Reaches for the goal until doing so once more gains nothing, so that a second call changes nothing. Where
/// a preset as a whole does not pay, fails, or has a problem, each of its parts stays that does not. The
/// module is not changed.
llvm::Expected<FuseAllResult> fuseAll(mlir::ModuleOp module, const FusionPolicy &policy, const FuseAllOptions &options);

} // namespace fuselage
